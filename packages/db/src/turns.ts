import { AppError, createSemaphore, shareOf, withDeadline } from '@filewright/runtime'

/** Statements that are not shared between requests take turns by token. */
export interface Turns {
  /**
   * Runs the work when it is its token's turn. Rejects with DATABASE_UNAVAILABLE if that takes longer than
   * the limit for a connection.
   */
  take: <T>(tokenId: string, work: () => Promise<T>) => Promise<T>
}

export interface TurnsOptions {
  /** Of the pool. */
  connections: number
  patienceMs: number
}

/** For work without a token. */
export const NO_TOKEN = ''

/**
 * The pool serves first come, first served: a token with hundreds of statements would make everyone wait. So
 * statements wait here, where tokens take turns, and one token gets at most three quarters of the
 * connections. The rest is for other tokens and for shared statements, which do not pass here.
 */
export function createTurns({ connections, patienceMs }: TurnsOptions): Turns {
  const semaphore = createSemaphore({ permits: connections, permitsPerLane: shareOf(connections) })
  const late = (): AppError =>
    new AppError('DATABASE_UNAVAILABLE', 'too many statements of one token wait', { retryable: true })

  return {
    take: async (tokenId, work) => {
      const release =
        semaphore.tryAcquire(tokenId) ??
        (await withDeadline(async (signal) => await semaphore.acquire({ lane: tokenId, signal }), {
          ms: patienceMs,
          late
        }))
      try {
        return await work()
      } finally {
        release()
      }
    }
  }
}
