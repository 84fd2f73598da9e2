import { createFairLine } from './fair-line.js'
import { onAbort } from './waiting.js'

export interface SemaphoreOptions {
  /** How many callers may hold a permit at a time. Default: any number. */
  permits?: number
  /** How many of them one lane may hold. Default: all. */
  permitsPerLane?: number
}

export interface AcquireOptions {
  /** The lane of the caller. Callers without a lane share one. */
  lane?: string | undefined
  signal?: AbortSignal | undefined
}

/** Gives the permit back. Calls after the first do nothing. */
export type Release = () => void

/** A counting semaphore in which lanes take turns: a lane with many callers does not delay the others. */
export interface Semaphore {
  /**
   * Resolves when a permit is free and it is the lane's turn.
   * @throws the signal's reason on abort.
   */
  acquire: (options?: AcquireOptions) => Promise<Release>
  /** Does not wait: null when no permit is free for the lane. */
  tryAcquire: (lane?: string) => Release | null
  /** Runs the task with a permit. */
  run: <T>(task: () => Promise<T>, options?: AcquireOptions) => Promise<T>
  /** Rejects every caller that still waits. */
  rejectWaiting: (error: Error) => void
}

interface Waiting {
  resolve: () => void
  reject: (error: unknown) => void
}

export function createSemaphore({
  permits = Infinity,
  permitsPerLane = permits
}: SemaphoreOptions = {}): Semaphore {
  const heldByLane = new Map<string, number>()
  const line = createFairLine<Waiting>()
  let held = 0

  const isFree = (lane: string): boolean => held < permits && (heldByLane.get(lane) ?? 0) < permitsPerLane

  function take(lane: string): Release {
    held++
    heldByLane.set(lane, (heldByLane.get(lane) ?? 0) + 1)
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      held--
      const rest = (heldByLane.get(lane) ?? 1) - 1
      if (rest === 0) heldByLane.delete(lane)
      else heldByLane.set(lane, rest)
      // The next caller takes the permit in the same tick, before a new one can.
      line.take((_waiting, each) => isFree(each))?.resolve()
    }
  }

  const tryAcquire = (lane = ''): Release | null => (isFree(lane) ? take(lane) : null)

  async function acquire({ lane = '', signal }: AcquireOptions = {}): Promise<Release> {
    signal?.throwIfAborted()
    const release = tryAcquire(lane)
    if (release !== null) return release
    return await new Promise<Release>((resolve, reject) => {
      const waiting: Waiting = {
        resolve: () => {
          stopListening()
          resolve(take(lane))
        },
        reject: (error) => {
          stopListening()
          reject(error as Error)
        }
      }
      line.push(lane, waiting)
      const stopListening = onAbort(signal, (reason) => {
        line.remove(lane, waiting)
        reject(reason as Error)
      })
    })
  }

  return {
    acquire,
    tryAcquire,
    run: async (task, options) => {
      options?.signal?.throwIfAborted()
      // Without a wait the task starts in the same tick.
      const release = tryAcquire(options?.lane) ?? (await acquire(options))
      try {
        return await task()
      } finally {
        release()
      }
    },
    rejectWaiting: (error) => {
      for (const { reject } of line.drain()) reject(error)
    }
  }
}
