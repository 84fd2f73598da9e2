import { findLimit, runCell, sizeCells, type Costs, type Part } from './cell.js'

/** What this many uploads per second need by the measured costs, simulated, as a Markdown table. */
export function scaleReport(costs: Costs, perSecond: number, random: () => number): string {
  const cell = sizeCells(costs, perSecond)
  const planned = runCell(costs, cell, cell.perSecond, random)
  const limit = findLimit(costs, cell, random)
  const rows = (Object.keys(costs) as Part[]).map(
    (part) =>
      `| ${part} | ${costs[part].toFixed(2)} | ${cell.processors[part]} | ${cell.processors[part] * cell.cells} | ${Math.round(100 * (planned.busy[part] ?? 0))} % |`
  )
  return [
    `| part | CPU ms per upload | processors in a cell | in all | busy |`,
    `|---|---|---|---|---|`,
    ...rows,
    '',
    `${perSecond} uploads per second: ${cell.cells} cells of ${Math.round(cell.perSecond)} each, with a Redis and a PostgreSQL each.`,
    `Planned load: p50 ${planned.p50Ms.toFixed(0)} ms, p95 ${planned.p95Ms.toFixed(0)} ms, waiting and computing only.`,
    `A cell stays below 1 s (p95) up to ${Math.round(limit.perSecond)} per second; then ${limit.bottleneck} is the bottleneck.`
  ].join('\n')
}
