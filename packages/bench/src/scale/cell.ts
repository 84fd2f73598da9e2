import { simulate, type Simulation, type Station } from './simulate.js'

/** Milliseconds of a processor that one upload takes, by part. */
export type Costs = Record<Part, number>
export type Part = 'gateway' | 'postgres' | 'redis' | 'scan-worker' | 'clamd'

/** As an upload goes: its record, its job, the scan, the result, the record again. */
const PATH: readonly Part[] = [
  'gateway',
  'postgres',
  'redis',
  'scan-worker',
  'clamd',
  'redis',
  'gateway',
  'postgres'
]
const PARTS: readonly Part[] = ['gateway', 'postgres', 'redis', 'scan-worker', 'clamd']
const VISITS = (part: Part): number => PATH.filter((each) => each === part).length

/** A part that is busier than this has no room for a peak. */
export const FULL = 0.6
/** Redis runs commands on one CPU. PostgreSQL has no such limit: its server can be larger. */
const MAX_PER_CELL: Partial<Record<Part, number>> = { redis: 1, postgres: 32 }
/** A request that takes longer is slow to its user. */
const SLOW_P95_MS = 1_000
const UPLOADS = 20_000

export interface Cell {
  /** The number of cells. Each has its own Redis and PostgreSQL. */
  cells: number
  perSecond: number
  processors: Record<Part, number>
}

/** How many cells, and how many processors for each part of one. */
export function sizeCells(costs: Costs, perSecond: number): Cell {
  const needed = (part: Part, rate: number): number => (rate * costs[part]) / 1_000 / FULL
  const cells = Math.max(
    1,
    ...PARTS.map((part) => Math.ceil(needed(part, perSecond) / (MAX_PER_CELL[part] ?? Infinity)))
  )
  const rate = perSecond / cells
  return {
    cells,
    perSecond: rate,
    processors: Object.fromEntries(
      PARTS.map((part) => [part, Math.max(1, Math.ceil(needed(part, rate)))])
    ) as Record<Part, number>
  }
}

export function runCell(costs: Costs, cell: Cell, perSecond: number, random: () => number): Simulation {
  const stations: Station[] = PARTS.map((name) => ({
    name,
    servers: cell.processors[name],
    visitMs: costs[name] / VISITS(name)
  }))
  return simulate({ stations, path: PATH, perSecond, uploads: UPLOADS, random })
}

/** The maximum uploads per second at which a cell stays fast, and its busiest part at that load. */
export function findLimit(
  costs: Costs,
  cell: Cell,
  random: () => number
): { perSecond: number; bottleneck: string } {
  // Above this some part is overloaded, and waiting times grow without limit.
  let tooMany = Math.min(...PARTS.map((part) => (cell.processors[part] * 1_000) / costs[part]))
  let enough = cell.perSecond
  for (let step = 0; step < 6; step++) {
    const rate = (enough + tooMany) / 2
    if (runCell(costs, cell, rate, random).p95Ms <= SLOW_P95_MS) enough = rate
    else tooMany = rate
  }
  const { busy } = runCell(costs, cell, enough, random)
  const [bottleneck = ''] = Object.entries(busy).sort(([, a], [, b]) => b - a)[0] ?? []
  return { perSecond: enough, bottleneck }
}
