import { createFairLine } from '@filewright/runtime'
import { throwIfCancelled } from '../cancelled.js'
import { waitInLine } from '../wait-in-line.js'

export interface TurnOptions {
  /** Who asks. Those who ask without one are one lane. */
  lane?: string | undefined
  signal?: AbortSignal | undefined
}

export interface Turn {
  /** Resolves when it is the caller's turn, with how to end it. @throws AppError CANCELLED on abort. */
  take: (options?: TurnOptions) => Promise<() => void>
}

/** One at a time. Lanes take turns, so a lane with ten waiting scans delays another by one of them. */
export function createTurn(): Turn {
  const line = createFairLine<() => void>()
  let isTaken = false

  function createEnd(): () => void {
    let isEnded = false
    return () => {
      if (isEnded) return
      isEnded = true
      const next = line.take()
      if (next === undefined) isTaken = false
      else next()
    }
  }

  return {
    take: async ({ lane = '', signal } = {}) => {
      throwIfCancelled(signal)
      // The turn goes straight to the next in line, so nobody comes in between.
      if (isTaken) await waitInLine(line, lane, signal)
      isTaken = true
      return createEnd()
    }
  }
}
