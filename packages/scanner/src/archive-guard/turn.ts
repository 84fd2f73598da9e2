import { AppError, createFairLine } from '@filewright/runtime'

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
export function createTurn (): Turn {
  const line = createFairLine<() => void>()
  let isTaken = false

  function createEnd (): () => void {
    let isEnded = false
    return () => {
      if (isEnded) return
      isEnded = true
      const next = line.take()
      if (next === undefined) isTaken = false
      else next()
    }
  }

  async function wait (lane: string, signal: AbortSignal | undefined): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const onTurn = (): void => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      }
      const onAbort = (): void => {
        line.remove(lane, onTurn)
        reject(cancelled())
      }
      line.push(lane, onTurn)
      signal?.addEventListener('abort', onAbort, { once: true })
    })
  }

  return {
    take: async ({ lane = '', signal } = {}) => {
      if (signal?.aborted === true) throw cancelled()
      // Whoever ends a turn hands it to the next in line, so nobody comes in between.
      if (isTaken) await wait(lane, signal)
      isTaken = true
      return createEnd()
    }
  }
}

function cancelled (): AppError {
  return new AppError('CANCELLED', 'the scan was cancelled')
}
