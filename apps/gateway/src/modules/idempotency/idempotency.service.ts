import type { Database, KeyHolder } from '@filewright/db'
import { AppError, createId, type Clock, type Logger } from '@filewright/runtime'
import type { AnswerSeal } from './answer-seal.js'

export interface KeyedRequest {
  tokenId: string
  key: string
  /** Method and path: the same key on another endpoint is another request. */
  route: string
  attemptId: string
  /** Null for an upload, whose body is not read yet. */
  fingerprint: string | null
}

/** The key is ours: run the request, then complete or release it. */
export interface HeldKey {
  kind: 'held'
  holder: KeyHolder
  /** No more renewals: the key was completed or freed. */
  stop: () => void
  /** Stores the answer. Rejects if it is not stored, for then it must not be given. */
  complete: (fingerprint: string, answer: string) => Promise<void>
  /**
   * Lets a retry begin at once. Never rejects: a key that cannot be freed now is free when its lease has
   * passed.
   */
  release: () => Promise<void>
}

/** The request was answered before. */
export interface AnsweredKey {
  kind: 'answered'
  /** The answer, for the same request. Rejects with IDEMPOTENCY_MISMATCH for another one. */
  replay: (fingerprint: string) => Promise<string>
}

export interface OnceRequest extends Omit<KeyedRequest, 'attemptId' | 'fingerprint'> {
  fingerprint: string
  /** Locks the answer in the database: it holds what a model wrote. */
  seal: AnswerSeal
}

export interface IdempotencyService {
  /**
   * Rejects with IDEMPOTENCY_BUSY while somebody runs under the key, and with IDEMPOTENCY_MISMATCH as soon as
   * it is clear that the requests differ.
   */
  begin: (request: KeyedRequest) => Promise<HeldKey | AnsweredKey>
  /** Runs at most once to an answer; every other call for the same request gets that one. */
  once: <T>(request: OnceRequest, run: () => Promise<T>) => Promise<{ answer: T; replayed: boolean }>
}

export interface IdempotencyServiceDeps {
  keys: Database['idempotency']
  clock: Clock
  logger: Pick<Logger, 'warn'>
  /** A key is locked this long after its gateway died. */
  leaseMs: number
}

const LIFE_MS = 24 * 3_600_000

/** Enough for a key that is freed or taken between two looks at it. */
const TRIES = 3

/**
 * Which request a key stands for is decided by PostgreSQL alone, so it holds over several gateways, kill -9
 * and the loss of Redis.
 */
export function createIdempotencyService({
  keys,
  clock,
  logger,
  leaseMs
}: IdempotencyServiceDeps): IdempotencyService {
  const inMs = (ms: number): Date => new Date(clock.now().getTime() + ms)

  function hold(holder: KeyHolder): HeldKey {
    // Short, and renewed while we live: a retry after a crash waits for seconds, not for the longest upload.
    const renewal = setInterval(() => {
      keys.renew(holder, inMs(leaseMs)).catch((error: unknown) => {
        logger.warn({ err: error }, 'idempotency key not renewed')
      })
    }, leaseMs / 3).unref()
    const stop = (): void => {
      clearInterval(renewal)
    }
    return {
      kind: 'held',
      holder,
      stop,
      complete: async (fingerprint, answer) => {
        stop()
        if (!(await keys.complete(holder, { fingerprint, answer }))) {
          throw new AppError('IDEMPOTENCY_BUSY', 'the key was taken over by a retry')
        }
      },
      release: async () => {
        stop()
        await keys.release(holder).catch((error: unknown) => {
          logger.warn({ err: error }, 'idempotency key left to its lease')
        })
      }
    }
  }

  const mismatch = (): AppError => new AppError('IDEMPOTENCY_MISMATCH', 'the key belongs to another request')
  const busy = (): AppError =>
    new AppError('IDEMPOTENCY_BUSY', 'a request with this key is under way', { retryable: true })

  async function begin({
    tokenId,
    key,
    route,
    attemptId,
    fingerprint
  }: KeyedRequest): Promise<HeldKey | AnsweredKey> {
    const holder = { tokenId, key, attemptId }
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      if (
        await keys.claim({
          ...holder,
          route,
          fingerprint,
          now: clock.now(),
          leaseExpiresAt: inMs(leaseMs),
          expiresAt: inMs(LIFE_MS)
        })
      ) {
        return hold(holder)
      }
      const found = await keys.find(tokenId, key)
      if (found === null) continue
      const { answer, attemptId: answeredBy, fingerprint: known } = found
      if (found.route !== route || (fingerprint !== null && known !== null && known !== fingerprint)) {
        throw mismatch()
      }
      if (answer === null) throw busy()
      return {
        kind: 'answered',
        replay: async (asked) => {
          if (asked !== known) throw mismatch()
          // An answer whose attempt is being taken back right now is not given.
          if (!(await keys.markReplayed({ tokenId, key, attemptId: answeredBy }))) throw busy()
          return answer
        }
      }
    }
    throw busy()
  }

  return {
    begin,
    async once<T>({ fingerprint, seal, ...request }: OnceRequest, run: () => Promise<T>) {
      const key = await begin({ ...request, fingerprint, attemptId: createId() })
      // Only `complete` below writes it, with an answer of this route.
      if (key.kind === 'answered') {
        return { answer: JSON.parse(seal.open(await key.replay(fingerprint))) as T, replayed: true }
      }
      try {
        const answer = await run()
        await key.complete(fingerprint, seal.close(JSON.stringify(answer)))
        return { answer, replayed: false }
      } catch (error) {
        await key.release()
        throw error
      }
    }
  }
}
