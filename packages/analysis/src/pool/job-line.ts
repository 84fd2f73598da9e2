import { createFairLine } from '@filewright/runtime'

/** A general process takes every job, one for small work only small ones. */
export type ProcessKind = 'general' | 'small'

export interface LineJob {
  /** Whom the job belongs to. */
  lane: string
  chars: number
  isSmall: boolean
}

export interface Amount {
  jobs: number
  chars: number
}

export interface JobLineOptions {
  /** What one lane may have waiting. The first job of a lane waits whatever its size. */
  maxPerLane: Amount
  /** What all lanes together may have waiting. */
  maxInTotal: Amount
  /** The clock, for tests. */
  now?: () => number
}

export interface JobLine<J extends LineJob> {
  /** What stands in the way of one more job, or null. */
  refusalOf: (job: LineJob) => string | null
  push: (job: J) => void
  /** The job whose turn it is on a process of this kind. */
  take: (kind: ProcessKind) => J | undefined
  remove: (job: J) => void
  isWaiting: (job: J) => boolean
  drain: () => J[]
  size: () => number
}

/**
 * How much longer a job may be and still go before one that came a millisecond later. It is what a process
 * reads in a millisecond, measured on public code: a job that has waited for as long as it takes is overtaken
 * by no newer one.
 */
const agingCharsPerMs = 100

/**
 * Jobs that wait for a process. Lanes take turns; inside a lane the shorter job goes first, until the longer
 * one has waited for long enough.
 */
export function createJobLine<J extends LineJob>(options: JobLineOptions): JobLine<J> {
  const { maxPerLane, maxInTotal, now = () => performance.now() } = options
  const line = createFairLine<{ job: J; rank: number }>({ order: (a, b) => a.rank - b.rank })
  const entries = new Map<J, { job: J; rank: number }>()
  const waitingChars = new Map<string, number>()
  let totalChars = 0
  // Lanes that had their turn in this round. A lane that is empty for a moment, because its jobs run or were
  // given up, does not come first again by that. Each kind of process has rounds of its own: a line of code
  // that was checked is no turn on the processes for large jobs.
  const served = { general: new Set<string>(), small: new Set<string>() }

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

  function take(kind: ProcessKind): J | undefined {
    const fits = ({ job }: { job: J }): boolean => kind === 'general' || job.isSmall
    const round = served[kind]
    let entry = line.take((waiting, lane) => fits(waiting) && !round.has(lane))
    if (entry === undefined) {
      round.clear()
      entry = line.take(fits)
    }
    if (entry === undefined) return undefined
    const { job } = entry
    round.add(job.lane)
    entries.delete(job)
    count(job, -1)
    return job
  }

  return {
    refusalOf,
    push: (job) => {
      const entry = { job, rank: job.chars + now() * agingCharsPerMs }
      entries.set(job, entry)
      line.push(job.lane, entry)
      count(job, 1)
    },
    take,
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
