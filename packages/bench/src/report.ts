import type { RowResult, Side } from './context.js'

const round = (value: number): string =>
  Number.isNaN(value)
    ? '–'
    : value >= 100
      ? value.toFixed(0)
      : value >= 10
        ? value.toFixed(1)
        : value.toFixed(2)

/** A Markdown table, for the terminal and the documentation. */
export function tableOf(results: readonly RowResult[]): string {
  const lines = [
    '| row | measure | goal | value | spread | met | requests/s | floor | p50 / p99 ms | floor |',
    '|---|---|---|---|---|---|---|---|---|---|'
  ]
  const speed = (side?: Side): string => (side === undefined ? '' : round(side.perSecond))
  const times = (side?: Side): string =>
    side === undefined ? '' : `${round(side.p50Ms)} / ${round(side.p99Ms)}`
  for (const { name, measure, goal, value, min, max, met, product, floor } of results) {
    const spread = min === undefined || max === undefined ? '' : `${round(min)}–${round(max)}`
    lines.push(
      `| ${[name, measure, goal, round(value), spread, met ? 'yes' : 'no', speed(product), speed(floor), times(product), times(floor)].join(' | ')} |`
    )
  }
  return lines.join('\n')
}

/** The value, the CPU time per process, and the memory of each process. */
export function costsOf({ name, value, goal, product, floor, note, error }: RowResult): string {
  const parts = (label: string, side?: Side): string[] =>
    side === undefined
      ? []
      : [
          `  ${label} CPU ms/request: ${Object.entries(side.cpuMsPerRequest)
            .filter(([, ms]) => ms >= 0.005)
            .map(([part, ms]) => `${part} ${ms.toFixed(2)}`)
            .join(', ')}`,
          `  ${label} resident MB: ${Object.entries(side.residentMb)
            .map(([part, mb]) => `${part} ${mb}`)
            .join(', ')}`,
          ...(side.failures === 0 ? [] : [`  ${label}: ${side.failures} failed`])
        ]
  return [
    `${name}: ${round(value)} (goal ${goal})`,
    ...(error === undefined ? [] : [`  failed: ${error}`]),
    ...parts('product', product),
    ...parts('floor', floor),
    ...(note === undefined ? [] : [`  ${note}`])
  ].join('\n')
}
