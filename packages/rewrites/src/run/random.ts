import type { Rng } from './plan.js'

/** Also runs inside the sandbox, where its text is evaluated: nothing outside it may be named. */
export function rngOf(start: number): Rng {
  const { imul } = Math
  let state = (start * 2654435761) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** Also runs inside the sandbox. With the hash of one string as its start, it is that of both joined. */
export function hashOf(text: string, start = 2166136261): number {
  const { imul } = Math
  const { length } = text
  let hash = start
  for (let index = 0; index < length; index++) {
    hash = imul(hash ^ text.charCodeAt(index), 16777619)
  }
  return hash >>> 0
}
