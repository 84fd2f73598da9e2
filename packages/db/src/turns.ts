import { AppError, createSemaphore, shareOf, withDeadline } from '@filewright/runtime'

/** Statements that are not shared between requests take turns by token. */
export interface Turns {
  /**
   * Runs the work when it is its token's turn. Rejects with DATABASE_UNAVAILABLE if that takes longer than
   * one may wait for a connection.
   */
  take: <T>(tokenId: string, work: () => Promise<T>) => Promise<T>
}

export interface TurnsOptions {
  /** Of the pool. */
  connections: number
  patienceMs: number
}

/** For work that no token has asked for. */
export const NO_TOKEN = ''

/**
 * The pool serves first come, first served: a token with hundreds of statements in its line would make
 * everybody wait for them. So they wait here, where tokens take turns, and one token has at most three
 * quarters of the connections. The rest is for other tokens and for statements that requests share, which do
 * not pass here.
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
