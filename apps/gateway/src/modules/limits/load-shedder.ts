import { readFileSync } from 'node:fs'
import { getHeapStatistics } from 'node:v8'
import type { Logger } from '@filewright/runtime'

const TICK_MS = 100
/** A single late tick is a garbage collection or a frozen process, and says nothing about the load. */
const LATE_TICKS = 3
/** A share shrinks by as much as the event loop is too late, within these bounds, and grows slowly. */
const MIN_LESS = 0.2
const MAX_LESS = 0.9
const MORE = 1.05
/** Never none, so that a gateway whose lag has another cause still serves somebody. */
const MIN_SHARE = 0.05

export interface Load {
  /**
   * How late the event loop came to its timer, or how long the turn took that began then: the longer one. Without
   * the time in which other processes had the processor.
   */
  lagMs: number
  heapPercent: number
}

export interface ShedLimits {
  /** 0 is no limit. */
  maxLagMs: number
  /** Of the heap that V8 allows; 0 is no limit. */
  maxHeapPercent: number
}

export interface Admission {
  isShedding: () => boolean
  /** Whether one more request is let in. */
  admits: () => boolean
  tick: (load: Load) => void
}

/**
 * Decides which share of the requests is let in: less at each tick while the gateway is overloaded, and then
 * more step by step, so that it settles near what the gateway can do.
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
      if (!isLate) share = Math.min(1, share * MORE)
      else if (share < 1 || lateTicks >= LATE_TICKS) {
        share = Math.max(MIN_SHARE, share * Math.min(MAX_LESS, Math.max(MIN_LESS, room)))
      }
    }
  }
}

export interface LoadShedder extends Pick<Admission, 'admits'> {
  stop: () => void
}

/**
 * How long this thread has waited for a processor that others had, in milliseconds. Linux counts it; elsewhere it
 * is 0. A machine that is busy with something else makes a gateway slow, but is no reason to refuse requests.
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
  // Not the time of day, which jumps.
  const ownTime = (): number => performance.now() - runQueueMs()
  let lastAt = ownTime()
  const timer = setInterval(() => {
    const now = ownTime()
    const lateMs = now - lastAt - TICK_MS
    lastAt = now
    // After everything that is ready: many small events make a long turn, in whose middle the timer rarely is due.
    setImmediate(() => {
      look(Math.max(0, lateMs, ownTime() - now))
    })
  }, TICK_MS)
  timer.unref()

  function look(lagMs: number): void {
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics()
    const load = { lagMs, heapPercent: (100 * used) / limit }
    const wasShedding = admission.isShedding()
    admission.tick(load)
    if (admission.isShedding() === wasShedding) return
    if (wasShedding) logger.info(load, 'the gateway takes every request again')
    else logger.warn(load, 'the gateway is overloaded and refuses a part of the requests')
  }

  return {
    admits: admission.admits,
    stop: () => {
      clearInterval(timer)
    }
  }
}
