import type { BenchContext, Side } from './context.js'
import type { LoadResult, LoadSpec } from './load/load-spec.js'
import { cpuMs, residentMb, type Processes } from './processes.js'
import { spreadOf, type Spread } from './statistics.js'

export interface Contender {
  spec: Omit<LoadSpec, 'durationMs'>
  processes: () => Processes
}

interface Round extends LoadResult {
  cpu: Record<string, number>
}

export interface Comparison {
  /** Ratio of product and floor, per round. */
  ratio: Spread
  /** Difference of product and floor. */
  difference: Spread
  product: Side
  floor: Side
}

/** The result of a round. Default: requests per second. */
type Measure = (round: LoadResult) => number

/**
 * Measures product and floor in turn, so that other load on the machine affects both. Both are warmed up
 * first.
 */
export async function alternate(
  { load, rounds, roundMs, warm, say }: BenchContext,
  product: Contender,
  floor: Contender,
  measure: Measure = ({ perSecond }) => perSecond
): Promise<Comparison> {
  const one = async ({ spec, processes }: Contender): Promise<Round> => {
    const before = cpuMs(processes())
    const result = await load.ask({ ...spec, durationMs: roundMs })
    const after = cpuMs(processes())
    if (result.requests === 0) {
      throw new Error(`no request succeeded: ${result.firstFailure ?? 'none ended in time'}`)
    }
    if (result.failures > 0) say(`  ${result.failures} requests failed: ${result.firstFailure ?? ''}`)
    return {
      ...result,
      cpu: Object.fromEntries(Object.entries(after).map(([name, ms]) => [name, ms - (before[name] ?? 0)]))
    }
  }
  for (const contender of [product, floor]) {
    await load.ask({ ...contender.spec, durationMs: warm.ms, maxRequests: warm.requests })
  }
  const products: Round[] = []
  const floors: Round[] = []
  for (let round = 0; round < rounds; round++) {
    products.push(await one(product))
    floors.push(await one(floor))
  }
  const pairs = products.map((each, i): [number, number] => [measure(each), measure(floors[i] ?? each)])
  return {
    ratio: spreadOf(pairs.map(([ours, theirs]) => ours / theirs)),
    difference: spreadOf(pairs.map(([ours, theirs]) => ours - theirs)),
    product: sideOf(products, product.processes()),
    floor: sideOf(floors, floor.processes())
  }
}

function sideOf(rounds: readonly Round[], processes: Processes): Side {
  const median = (of: (round: Round) => number): number => spreadOf(rounds.map(of)).median
  const requests = rounds.reduce((sum, round) => sum + round.requests, 0)
  const cpu = Object.fromEntries(
    Object.keys(processes).map((name) => [
      name,
      rounds.reduce((sum, round) => sum + (round.cpu[name] ?? 0), 0) / requests
    ])
  )
  return {
    perSecond: median(({ perSecond }) => perSecond),
    p50Ms: median(({ p50Ms }) => p50Ms),
    p99Ms: median(({ p99Ms }) => p99Ms),
    cpuMsPerRequest: { ...cpu, all: Object.values(cpu).reduce((sum, ms) => sum + ms, 0) },
    residentMb: residentMb(processes),
    failures: rounds.reduce((sum, round) => sum + round.failures, 0)
  }
}
