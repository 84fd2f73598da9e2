import type { Hook } from './code-realm.js'
import type { Show } from './show.js'
import type { StandIns } from './stand-ins.js'

export interface TimerParts extends Pick<Show, 'show'>, Pick<StandIns, 'listFrom'> {
  /** Notes a call; the number of calls so far. */
  note: (call: string) => number
}

export interface Timers {
  /** What the code uses to wait, by name. */
  globals: Record<string, Hook>
  /** In milliseconds since the beginning of the run. */
  now: () => number
  add: (fn: () => void) => void
  isWaiting: () => boolean
  /** Lets the next timer come; null when there is none. */
  next: () => (() => void) | null
  reset: () => void
}

/** Runs inside the sandbox, in the harness's own realm: nothing outside it may be named. */
export function createTimers(parts: TimerParts): Timers {
  'use strict'
  const { note, show, listFrom } = parts
  const { apply } = Reflect
  const nativeThen = Promise.prototype.then
  const maxTimers = 50
  let timers: Array<{ at: number; fn: () => void }> = []
  let now = 0

  const timer =
    (name: string): Hook =>
    (given) => {
      const [fn, ms = 0, ...args] = listFrom(given)
      const wait = typeof ms === 'number' || typeof ms === 'string' ? Number(ms) || 0 : 0
      const id = note(`${name}(${show(ms)})`)
      if (typeof fn === 'function' && timers.length < maxTimers) {
        timers.push({ at: now + wait, fn: () => fn(...args) })
      }
      return [true, id]
    }

  return {
    globals: {
      ...Object.fromEntries(['setTimeout', 'setInterval', 'setImmediate'].map((name) => [name, timer(name)])),
      ...Object.fromEntries(
        ['clearTimeout', 'clearInterval', 'clearImmediate'].map((name) => [
          name,
          () => [note(name) > 0, undefined] as const
        ])
      ),
      queueMicrotask: (given) => {
        const fn = given[0]
        void apply(nativeThen, Promise.resolve(), [() => fn()])
        return [true, undefined]
      }
    },
    now: () => now,
    add: (fn) => {
      timers.push({ at: now, fn })
    },
    isWaiting: () => timers.length > 0,
    next: () => {
      timers.sort((a, b) => a.at - b.at)
      const next = timers.shift()
      if (next === undefined) return null
      now = Math.max(now, next.at)
      return next.fn
    },
    reset: () => {
      timers = []
      now = 0
    }
  }
}
