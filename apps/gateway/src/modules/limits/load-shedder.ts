import { readFileSync } from 'node:fs'
import { getHeapStatistics } from 'node:v8'
import type { Logger } from '@filewright/runtime'

const TICK_MS = 100
/** A single late tick may be a garbage collection or a suspended process, and does not indicate load. */
const LATE_TICKS = 3
/**
 * The admitted share shrinks in proportion to the event loop's delay, within these bounds, and grows slowly.
 */
const MIN_SHRINK_FACTOR = 0.2
const MAX_SHRINK_FACTOR = 0.9
const GROWTH_FACTOR = 1.05
/** Never 0, so that a gateway whose delay has another cause still serves some requests. */
const MIN_SHARE = 0.05

export interface Load {
  /**
   * The delay of the event loop's timer, or the duration of the turn that began then, whichever is longer.
   * Time in which other processes used the processor is subtracted.
   */
  lagMs: number
  heapPercent: number
}

export interface ShedLimits {
  /** 0 means no limit. */
  maxLagMs: number
  /** A percentage of V8's heap limit; 0 means no limit. */
  maxHeapPercent: number
}

export interface Admission {
  isShedding: () => boolean
  /** Whether to admit one more request. */
  admits: () => boolean
  tick: (load: Load) => void
}

/**
 * Decides what share of requests to admit. The share shrinks at each tick while the gateway is overloaded and
 * then grows step by step, so it settles near the gateway's capacity.
 */
export function createAdmission({ maxLagMs, maxHeapPercent }: ShedLimits): Admission {
  let share = 1
  let lateTicks = 0
  let credit = 0

  return {
    isShedding: () => share < 1,
    admits: () => {
      if (share === 1) return true
      credit += share
      if (credit < 1) return false
      credit--
      return true
    },
    tick: ({ lagMs, heapPercent }) => {
      const room = Math.min(
        maxLagMs > 0 ? maxLagMs / lagMs : Infinity,
        maxHeapPercent > 0 ? maxHeapPercent / heapPercent : Infinity
      )
      const isLate = room < 1
      lateTicks = isLate ? lateTicks + 1 : 0
      if (!isLate) share = Math.min(1, share * GROWTH_FACTOR)
      else if (share < 1 || lateTicks >= LATE_TICKS) {
        share = Math.max(MIN_SHARE, share * Math.min(MAX_SHRINK_FACTOR, Math.max(MIN_SHRINK_FACTOR, room)))
      }
    }
  }
}

export interface LoadShedder extends Pick<Admission, 'admits'> {
  stop: () => void
}

/**
 * How long this thread has waited for a processor that others used, in milliseconds. Linux counts this time;
 * elsewhere the result is 0. Load from other programs makes a gateway slow, but is not a reason to refuse
 * requests.
 */
function runQueueMs(): number {
  try {
    const [, waitedNs] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')
    return Number(waitedNs) / 1e6
  } catch {
    return 0
  }
}

export function startLoadShedder({ logger, ...limits }: ShedLimits & { logger: Logger }): LoadShedder {
  const admission = createAdmission(limits)
  // A monotonic clock: the time of day can jump.
  const ownTime = (): number => performance.now() - runQueueMs()
  let lastAt = ownTime()
  const timer = setInterval(() => {
    const now = ownTime()
    const lateMs = now - lastAt - TICK_MS
    lastAt = now
    // Runs after all pending events: many small events make a long turn, in the middle of which a timer is
    // rarely due.
    setImmediate(() => look(Math.max(0, lateMs, ownTime() - now)))
  }, TICK_MS)
  timer.unref()

  function look(lagMs: number): void {
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics()
    const load = { lagMs, heapPercent: (100 * used) / limit }
    const wasShedding = admission.isShedding()
    admission.tick(load)
    if (admission.isShedding() === wasShedding) return
    if (wasShedding) logger.info(load, 'the gateway accepts all requests again')
    else logger.warn(load, 'the gateway is overloaded and refuses a part of the requests')
  }

  return {
    admits: admission.admits,
    stop: () => clearInterval(timer)
  }
}
