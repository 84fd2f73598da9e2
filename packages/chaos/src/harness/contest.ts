import { setTimeout as sleep } from 'node:timers/promises'
import { inFlight } from '@filewright/acceptance'
import type { Profile, Tally } from './row.js'
import { quantile } from './table.js'

/** The requests of one token, within its rate limit. */
export interface Load {
  name: string
  /** Requests of one round. */
  count: number
  /** How many of these run concurrently. */
  atOnce: number
  /** For A's throughput alone: as many requests as are served without refusals. Default: one round. */
  alone?: { count: number; atOnce: number }
  /** The next round waits until the rate limit allows it. */
  perMinute: number
  /**
   * Resolves with the status of the response; 0 if the client disconnected, as it may when the signal says
   * that B has enough samples.
   */
  send: (enough: AbortSignal) => Promise<number>
  /** The longest single job, if jobs differ. Default: `send`. */
  longest?: () => Promise<number>
}

/** The concurrent requests of the other token, one after another. */
export interface Small {
  expected: number
  samples: number
  send: (number: number) => Promise<{ status: number; ms: number }>
}

export interface ContestOptions {
  load: Load
  small: Small
  profile: Profile
  tally: Tally
  say: (line: string) => void
}

/** B's p95 may be this many times its value alone, plus one job of A. */
const FACTOR = 4
/** The quick profile has few samples, and its baseline may come from a quieter moment. */
const SLACK = { quick: 2, full: 1 }
/** Long enough to see that B is not served, short enough for a run. */
const PATIENCE_MS = { quick: 15_000, full: 60_000 }
const SINGLES = { quick: 1, full: 3 }
const LOOK_MS = 20
/** By then, all requests of a round have arrived. */
const SETTLE_MS = 500
const NEVER = new AbortController().signal

/**
 * Measures the small requests alone, one job of the load alone and, in the full profile, the whole load
 * alone; then both at the same time. All in one run, so that every limit is a ratio and does not depend on
 * the machine.
 */
export async function contest({ load, small, profile, tally, say }: ContestOptions): Promise<void> {
  const alone = await sample(small, small.samples, tally)
  const singles: number[] = []
  for (let single = 0; single < SINGLES[profile]; single++) {
    singles.push(await timeOf(load.longest ?? (async () => await load.send(NEVER))))
  }
  if (profile === 'full') await throughput(load, say)

  const beside = await sampleBeside(load, small, PATIENCE_MS[profile], tally)
  const baselineMs = quantile(alone, 0.95)
  const jobMs = Math.max(...singles)
  const limitMs = (FACTOR * baselineMs + jobMs) * SLACK[profile]
  const p95 = quantile(withOmitted(beside.times, baselineMs), 0.95)
  say(`${load.name}: B alone p95 ${seconds(baselineMs)}, one job of A ${seconds(jobMs)}`)
  say(
    `  beside A p50 ${seconds(quantile(beside.times, 0.5))}, p95 ${seconds(p95)} of ${beside.times.length}` +
      `, limit ${seconds(limitMs)}; A was answered ${described(beside.statuses)}`
  )
  tally.expect(
    p95 <= limitMs,
    `${load.name}: B's p95 is ${seconds(p95)}, ${seconds(baselineMs)} alone; ${seconds(limitMs)} allowed`
  )
  tally.expect(beside.times.length > 0, `${load.name}: B was not served while A was busy`)
}

/**
 * B waits for one response before the next request, so a wait of a minute would count as one bad response
 * among many good ones. For each long wait the requests are added that B would have sent meanwhile at its
 * normal rate. This corrects coordinated omission.
 */
export function withOmitted(times: readonly number[], intervalMs: number): number[] {
  return times.flatMap((ms) => {
    const requests = Math.max(1, Math.ceil(ms / intervalMs))
    return Array.from({ length: requests }, (_, sent) => ms - sent * intervalMs)
  })
}

async function sample({ send, expected }: Small, count: number, tally: Tally): Promise<number[]> {
  const times: number[] = []
  // The first one runs cold code.
  await send(0)
  for (let number = 1; number <= count; number++) {
    const { status, ms } = await send(number)
    tally.operations++
    tally.expect(status === expected, `B got ${status} without other load`)
    times.push(ms)
  }
  return times
}

async function throughput(
  { name, count, atOnce, alone = { count, atOnce }, send }: Load,
  say: (line: string) => void
): Promise<void> {
  const statuses = new Map<number, number>()
  const ms = await timeOf(
    async () => await inFlight(alone.count, alone.atOnce, async () => note(statuses, await send(NEVER)))
  )
  const served = (statuses.get(200) ?? 0) + (statuses.get(201) ?? 0)
  const perSecond = ((served / ms) * 1000).toFixed(3)
  say(`${name}: A alone, ${alone.atOnce} at once: ${perSecond} served per second`)
  say(`  ${described(statuses)} in ${seconds(ms)}`)
}

async function sampleBeside(
  load: Load,
  small: Small,
  patienceMs: number,
  tally: Tally
): Promise<{ times: number[]; statuses: Map<number, number> }> {
  const statuses = new Map<number, number>()
  const times: number[] = []
  const stopping = new AbortController()
  let underWay = 0
  const rounds = runRounds(load, stopping.signal, async () => {
    underWay++
    tally.injected++
    note(
      statuses,
      await load.send(stopping.signal).finally(() => {
        underWay--
      })
    )
  })
  await sleep(SETTLE_MS)
  const startedAt = performance.now()
  for (let asked = 0; asked < small.samples && performance.now() - startedAt < patienceMs; ) {
    if (underWay === 0) {
      await sleep(LOOK_MS)
      continue
    }
    const { status, ms } = await small.send(asked++)
    tally.operations++
    tally.hit++
    // Refusals are fast, and would improve the statistics.
    if (status === small.expected) times.push(ms)
    else tally.violate(`${load.name}: B was answered ${status} after ${seconds(ms)}`)
  }
  stopping.abort()
  await rounds
  return { times, statuses }
}

async function runRounds(
  { count, atOnce, perMinute }: Load,
  signal: AbortSignal,
  send: () => Promise<void>
): Promise<void> {
  while (!signal.aborted) {
    const next = sleep((count / perMinute) * 60_000, undefined, { signal }).catch(() => {})
    await inFlight(count, atOnce, async () => {
      if (!signal.aborted) await send()
    })
    await next
  }
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

function note(statuses: Map<number, number>, status: number): void {
  statuses.set(status, (statuses.get(status) ?? 0) + 1)
}

const described = (statuses: Map<number, number>): string =>
  [...statuses].map(([status, times]) => `${times} × ${status === 0 ? 'left' : status}`).join(', ')
const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`
