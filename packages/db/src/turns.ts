import { AppError, createSemaphore, shareOf, type Release } from '@filewright/runtime'

/** Statements that are not shared between requests take turns by token. */
export interface Turns {
  /**
   * Runs the work in its token's turn. Rejects with TOKEN_BUSY if the token's own statements delay it too
   * long, and with DATABASE_UNAVAILABLE if the database answers no statement in that time.
   */
  take: <T>(tokenId: string, work: () => Promise<T>) => Promise<T>
  /** The database has answered a statement that took no turn, so it is only busy, not down. */
  noteAnswer: () => void
}

export interface TurnsOptions {
  /** The size of the connection pool. */
  connections: number
  /** A database that answers nothing for this long is unavailable. */
  patienceMs: number
}

/** For work without a token. */
export const NO_TOKEN = ''

/** While the database answers, a statement waits this many times as long as for one that does not. */
const MAX_WAITS = 5

/** Waiting statements per token. More would only use memory: they could not finish in time. */
export const MAX_ASKED = 1_000

/**
 * The pool serves first come, first served: a token with hundreds of statements would make everyone wait. So
 * statements wait here, where tokens take turns, and one token gets at most three quarters of the
 * connections. The rest is for other tokens and for shared statements, which do not pass here.
 */
export function createTurns({ connections, patienceMs }: TurnsOptions): Turns {
  const share = shareOf(connections)
  const semaphore = createSemaphore({ permits: connections, permitsPerLane: share })
  /** Statements of each token that run or wait. */
  const asked = new Map<string, number>()
  let answered = 0

  const busy = (): AppError =>
    new AppError('TOKEN_BUSY', 'too many statements of one token wait', { retryable: true })
  const unavailable = (): AppError =>
    new AppError('DATABASE_UNAVAILABLE', 'no connection became free', { retryable: true })

  /** @param ahead statements of the same token */
  async function waitForTurn(tokenId: string, ahead: number): Promise<Release> {
    const ending = new AbortController()
    let waits = 0
    let seen = answered
    const look = (): void => {
      if (answered === seen) ending.abort(unavailable())
      else if (++waits === MAX_WAITS) {
        // A token whose statements fit into its share waits because of others.
        ending.abort(ahead >= share ? busy() : unavailable())
      }
      seen = answered
    }
    const timer = setInterval(() => {
      // After the answers that have arrived by now.
      setImmediate(look)
    }, patienceMs)
    try {
      return await semaphore.acquire({ lane: tokenId, signal: ending.signal })
    } finally {
      clearInterval(timer)
    }
  }

  return {
    noteAnswer: () => {
      answered++
    },
    take: async (tokenId, work) => {
      const ahead = asked.get(tokenId) ?? 0
      if (ahead >= MAX_ASKED) throw busy()
      asked.set(tokenId, ahead + 1)
      let release: Release | undefined
      try {
        release = semaphore.tryAcquire(tokenId) ?? (await waitForTurn(tokenId, ahead))
        const result = await work()
        answered++
        return result
      } finally {
        release?.()
        const rest = (asked.get(tokenId) ?? 1) - 1
        if (rest === 0) asked.delete(tokenId)
        else asked.set(tokenId, rest)
      }
    }
  }
}
