import type { RowOutcome } from './run.js'

const COLUMNS = [
  'row',
  'seed',
  'operations',
  'injected',
  'hit',
  'violations',
  'recovery p50 / p99',
  'took'
] as const

/** One Markdown line per row, which is also readable on a terminal. */
export function tableOf(outcomes: readonly RowOutcome[]): string {
  const lines = outcomes.map(({ name, seed, operations, injected, hit, violations, recoveryMs, tookMs }) =>
    [
      name,
      seed,
      operations,
      injected,
      hit,
      violations.length,
      recoveryMs.length === 0
        ? '–'
        : `${inSeconds(quantile(recoveryMs, 0.5))} / ${inSeconds(quantile(recoveryMs, 0.99))}`,
      inSeconds(tookMs)
    ].map(String)
  )
  return markdownTable([...COLUMNS], lines)
}

export function markdownTable(head: string[], lines: string[][]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...lines.map((line) => line[column]?.length ?? 0))
  )
  const render = (cells: string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [render(head), render(widths.map((width) => '-'.repeat(width))), ...lines.map(render)].join('\n')
}

export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(part * sorted.length) - 1)] ?? NaN
}

const inSeconds = (ms: number): string =>
  ms < 10_000 ? `${(ms / 1000).toFixed(2)} s` : `${Math.round(ms / 1000)} s`
