import type { Database, KeyHolder } from '@filewright/db'
import { AppError, createId, type Clock, type Logger } from '@filewright/runtime'
import type { AnswerSeal } from './answer-seal.js'

export interface KeyedRequest {
  tokenId: string
  key: string
  /** Method and path: the same key on another endpoint is a different request. */
  route: string
  attemptId: string
  /** Null for an upload, whose body has not been read yet. */
  fingerprint: string | null
}

/** This request owns the key: run it, then complete or release the key. */
export interface HeldKey {
  kind: 'held'
  holder: KeyHolder
  /** No more renewals: the key was completed or released. */
  stop: () => void
  /** Stores the response. Rejects if it is not stored; the response must then not be sent. */
  complete: (fingerprint: string, answer: string) => Promise<void>
  /**
   * Lets a retry start immediately. Never rejects: a key that cannot be released now expires with its lease.
   */
  release: () => Promise<void>
}

/** The request was already answered. */
export interface AnsweredKey {
  kind: 'answered'
  /** The stored response, for the same request. Rejects with IDEMPOTENCY_MISMATCH for a different request. */
  replay: (fingerprint: string) => Promise<string>
}

export interface OnceRequest extends Omit<KeyedRequest, 'attemptId' | 'fingerprint'> {
  fingerprint: string
  /** Encrypts the response in the database, because it contains a model's output. */
  seal: AnswerSeal
}

export interface IdempotencyService {
  /**
   * Rejects with IDEMPOTENCY_BUSY while another request holds the key, and with IDEMPOTENCY_MISMATCH as soon
   * as the requests are known to differ.
   */
  begin: (request: KeyedRequest) => Promise<HeldKey | AnsweredKey>
  /** Runs at most once to completion. Every other call for the same request gets that response. */
  once: <T>(request: OnceRequest, run: () => Promise<T>) => Promise<{ answer: T; replayed: boolean }>
}

export interface IdempotencyServiceDeps {
  keys: Database['idempotency']
  clock: Clock
  logger: Pick<Logger, 'warn'>
  /** How long a key stays locked after its gateway died. */
  leaseMs: number
}

const LIFE_MS = 24 * 3_600_000

/** Enough for a key that is released or taken between two reads. */
const TRIES = 3

/**
 * PostgreSQL alone decides which request owns a key, so this holds across gateways, kill -9 and the loss of
 * Redis.
 */
export function createIdempotencyService({
  keys,
  clock,
  logger,
  leaseMs
}: IdempotencyServiceDeps): IdempotencyService {
  const inMs = (ms: number): Date => new Date(clock.now().getTime() + ms)

  function hold(holder: KeyHolder): HeldKey {
    // Short, and renewed while the gateway lives: a retry after a crash waits seconds, not as long as the
    // longest upload.
    const renewal = setInterval(() => {
      keys
        .renew(holder, inMs(leaseMs))
        .catch((error: unknown) => logger.warn({ err: error }, 'idempotency key not renewed'))
    }, leaseMs / 3).unref()
    const stop = (): void => clearInterval(renewal)
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
        await keys
          .release(holder)
          .catch((error: unknown) =>
            logger.warn({ err: error }, 'idempotency key not released, it expires with its lease')
          )
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
          // A response whose attempt is being rolled back right now is not returned.
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
      // Only `complete` below writes it, with a response of this route.
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
