import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '@filewright/runtime'
import { throwIfAborted } from '../abort.js'
import { GcsFailure } from './gcs-failure.js'

export interface RetryPolicy {
  /** Tries in all. Default 4. */
  attempts: number
  /** Before the second try; doubled for each further one. Default 150 ms. */
  baseDelayMs: number
  /** Longest wait between two tries, also when the server asks for more. Default 2 s. */
  maxDelayMs: number
  /** No new try after this much time, so that slow failures do not add up. Default 20 s. */
  budgetMs: number
}

export const defaultRetryPolicy: RetryPolicy = {
  attempts: 4,
  baseDelayMs: 150,
  maxDelayMs: 2_000,
  budgetMs: 20_000
}

export interface RetryOptions {
  policy: RetryPolicy
  signal?: AbortSignal | undefined
  logger?: Logger | undefined
  /** For the log. */
  doing: string
}

export interface Try {
  /** 0 for the first. */
  attempt: number
  /** Of the budget. A try that keeps to it makes the whole keep to it. */
  leftMs: number
}

/**
 * The library's own retries are off: it does not retry uploads at all and takes its own committed object for
 * somebody else's.
 */
export async function withRetries<T>(work: (current: Try) => Promise<T>, options: RetryOptions): Promise<T> {
  const { policy, signal, logger, doing } = options
  const startedAt = Date.now()
  for (let attempt = 0; ; attempt++) {
    throwIfAborted(signal)
    try {
      return await work({ attempt, leftMs: Math.max(1, startedAt + policy.budgetMs - Date.now()) })
    } catch (error) {
      throwIfAborted(signal)
      if (!(error instanceof GcsFailure) || !error.transient || attempt + 1 >= policy.attempts) throw error
      const delayMs = delayOf(policy, attempt, error.retryAfterMs)
      if (Date.now() - startedAt + delayMs >= policy.budgetMs) throw error
      logger?.warn({ err: error, attempt, delayMs, doing }, 'storage call failed, trying again')
      await sleep(delayMs, undefined, { signal }).catch(() => {})
    }
  }
}

/** Jitter over the upper half: callers that failed together come back apart, and none at once. */
export function delayOf({ baseDelayMs, maxDelayMs }: RetryPolicy, attempt: number, retryAfterMs = 0): number {
  const backoffMs = baseDelayMs * 2 ** attempt * (0.5 + Math.random() / 2)
  return Math.min(maxDelayMs, Math.max(backoffMs, retryAfterMs))
}
