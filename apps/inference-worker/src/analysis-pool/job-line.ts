import { createFairLine } from '@filewright/runtime'

/** A general process takes every job; one for small jobs takes only those. */
export type ProcessKind = 'general' | 'small'

export interface LineJob {
  /** The owner of the job. */
  lane: string
  chars: number
  isSmall: boolean
}

export interface Amount {
  jobs: number
  chars: number
}

export interface JobLineOptions {
  /** What one lane may queue. The first job of a lane is accepted whatever its size. */
  maxPerLane: Amount
  /** What all lanes together may queue. */
  maxInTotal: Amount
  /** Whether a process is running a job of this lane. Default: no. */
  isRunning?: (lane: string) => boolean
  /** The clock, for tests. */
  now?: () => number
}

export interface JobLine<J extends LineJob> {
  /** Why one more job cannot be queued, or null. */
  refusalOf: (job: LineJob) => string | null
  push: (job: J) => void
  take: (kind: ProcessKind) => J | undefined
  /** Whether a job is waiting that a process of this kind could take. */
  hasFor: (kind: ProcessKind) => boolean
  /** Charges CPU time to a lane, which decides when its next job runs. */
  charge: (lane: string, cpuMs: number) => void
  /** For a while, the lane gets the process for small jobs only if no other lane needs it. */
  bar: (lane: string) => void
  remove: (job: J) => void
  isWaiting: (job: J) => boolean
  drain: () => J[]
  size: () => number
}

/**
 * How much longer a job may be and still run before one that arrived a millisecond later. A process reads
 * about this much per millisecond, measured on public code, so no newer job overtakes one that has waited as
 * long as it takes.
 */
const agingCharsPerMs = 100

/** Minimum charge per job, so that lanes take turns before any job has ended. */
const MIN_CHARGE_MS = 1
const BARRED_MS = 60_000
/** A lane is expected to come back within this time after its last job. */
const SEEN_MS = 10_000

/**
 * Jobs that wait for a process. The lane with the least CPU time goes first. A new lane starts at the lowest
 * value of the waiting lanes, so earlier idle time gives it no credit. Within a lane the shorter job goes
 * first, until the longer one has waited long enough.
 */
export function createJobLine<J extends LineJob>(options: JobLineOptions): JobLine<J> {
  const { maxPerLane, maxInTotal, isRunning = () => false, now = () => performance.now() } = options
  const line = createFairLine<{ job: J; rank: number }>({ order: (a, b) => a.rank - b.rank })
  const entries = new Map<J, { job: J; rank: number }>()
  const waitingChars = new Map<string, number>()
  let totalChars = 0
  /** CPU time by lane, without lanes at or below the floor that have no waiting job. */
  const usedMs = new Map<string, number>()
  let floorMs = 0
  const barredUntil = new Map<string, number>()
  const seenAt = new Map<string, number>()

  function count({ lane, chars }: J, sign: 1 | -1): void {
    totalChars += sign * chars
    waitingChars.set(lane, (waitingChars.get(lane) ?? 0) + sign * chars)
    if (line.sizeOf(lane) === 0) waitingChars.delete(lane)
  }

  function refusalOf({ lane, chars }: LineJob): string | null {
    const inLane = { jobs: line.sizeOf(lane), chars: waitingChars.get(lane) ?? 0 }
    const inTotal = { jobs: line.size(), chars: totalChars }
    const limits = [
      [inLane, maxPerLane, 'in the lane'],
      [inTotal, maxInTotal, 'in total']
    ] as const
    for (const [waiting, max, where] of limits) {
      const isFull = waiting.jobs >= max.jobs || (waiting.jobs > 0 && waiting.chars + chars > max.chars)
      if (isFull) return `${waiting.jobs} analysis jobs of ${waiting.chars} characters are waiting ${where}`
    }
    return null
  }

  function charge(lane: string, cpuMs: number): void {
    usedMs.set(lane, (usedMs.get(lane) ?? floorMs) + cpuMs)
  }

  function usedBy(lane: string): number {
    return usedMs.get(lane) ?? floorMs
  }

  function raiseFloor(): void {
    floorMs = Math.max(floorMs, Math.min(...line.items().map(({ job }) => usedBy(job.lane))))
    for (const [lane, ms] of usedMs) {
      if (ms <= floorMs && line.sizeOf(lane) === 0) usedMs.delete(lane)
    }
  }

  function isExcluded(lane: string): boolean {
    const until = barredUntil.get(lane)
    if (until === undefined) return false
    if (now() < until) return true
    barredUntil.delete(lane)
    return false
  }

  function isAlone(lane: string): boolean {
    for (const [each, at] of seenAt) {
      if (at + SEEN_MS < now()) seenAt.delete(each)
      else if (each !== lane) return false
    }
    return true
  }

  /**
   * A barred lane still gets the process for small jobs if it has no other one and no other lane waits for
   * this one. Otherwise its only job would wait for the long jobs of another lane on all other processes.
   */
  function isKeptOut(lane: string): boolean {
    if (!isExcluded(lane)) return false
    return (
      isRunning(lane) ||
      line.items().some(({ job }) => job.lane !== lane && job.isSmall && !isExcluded(job.lane))
    )
  }

  /**
   * A lane that already has a process leaves the one for small jobs to others, also between two of its jobs:
   * otherwise each job of the others would wait for one of this lane.
   */
  function fits({ isSmall, lane }: J, kind: ProcessKind): boolean {
    if (kind === 'general') return true
    return isSmall && !isKeptOut(lane) && (isAlone(lane) || !isRunning(lane))
  }

  function take(kind: ProcessKind): J | undefined {
    const lanes = line.items().flatMap(({ job }) => (fits(job, kind) ? [job.lane] : []))
    // Among lanes with equal usage, the first has waited longest.
    const leastMs = Math.min(...lanes.map(usedBy))
    if (lanes.length > 0) raiseFloor()
    const entry = line.take(({ job }, lane) => fits(job, kind) && usedBy(lane) === leastMs)
    if (entry === undefined) return undefined
    const { job } = entry
    entries.delete(job)
    count(job, -1)
    charge(job.lane, MIN_CHARGE_MS)
    return job
  }

  return {
    refusalOf,
    push: (job) => {
      const entry = { job, rank: job.chars + now() * agingCharsPerMs }
      entries.set(job, entry)
      if (line.sizeOf(job.lane) === 0) usedMs.set(job.lane, Math.max(usedBy(job.lane), floorMs))
      seenAt.set(job.lane, now())
      line.push(job.lane, entry)
      count(job, 1)
    },
    take,
    hasFor: (kind) => line.items().some(({ job }) => fits(job, kind)),
    charge,
    bar: (lane) => {
      barredUntil.set(lane, now() + BARRED_MS)
    },
    remove: (job) => {
      const entry = entries.get(job)
      if (entry === undefined || !line.remove(job.lane, entry)) return
      entries.delete(job)
      count(job, -1)
    },
    isWaiting: (job) => entries.has(job),
    drain: () => {
      entries.clear()
      waitingChars.clear()
      totalChars = 0
      return line.drain().map(({ job }) => job)
    },
    size: () => line.size()
  }
}
