import { AppError, createFairLine, shareOf } from '@filewright/runtime'

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
  const share = shareOf(connections)
  const running = new Map<string, number>()
  const line = createFairLine<() => void>()
  let total = 0

  const mayGo = (tokenId: string): boolean => total < connections && (running.get(tokenId) ?? 0) < share

  function enter(tokenId: string): void {
    total++
    running.set(tokenId, (running.get(tokenId) ?? 0) + 1)
  }

  function leave(tokenId: string): void {
    total--
    const rest = (running.get(tokenId) ?? 1) - 1
    if (rest === 0) running.delete(tokenId)
    else running.set(tokenId, rest)
    line.take((_go, lane) => mayGo(lane))?.()
  }

  async function turnOf(tokenId: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const go = (): void => {
        clearTimeout(timer)
        enter(tokenId)
        resolve()
      }
      const timer = setTimeout(() => {
        line.remove(tokenId, go)
        reject(
          new AppError('DATABASE_UNAVAILABLE', 'too many statements of one token wait', { retryable: true })
        )
      }, patienceMs)
      line.push(tokenId, go)
    })
  }

  return {
    take: async (tokenId, work) => {
      if (mayGo(tokenId)) enter(tokenId)
      else await turnOf(tokenId)
      try {
        return await work()
      } finally {
        leave(tokenId)
      }
    }
  }
}
