import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '@filewright/runtime'
import { throwIfAborted } from '../abort.js'
import { StorageFailure } from './storage-failure.js'

export interface RetryPolicy {
  /** Total attempts. Default 4. */
  attempts: number
  /** Delay before the second attempt; doubled for each further one. Default 150 ms. */
  baseDelayMs: number
  /** Maximum delay between two attempts, also when the server asks for more. Default 2 s. */
  maxDelayMs: number
  /** No new attempt after this time, so that slow failures do not add up. Default 20 s. */
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
  /** Time left in the budget. An attempt that respects it keeps the whole within it. */
  leftMs: number
}

/**
 * The library's own retries are off: it does not retry uploads, and mistakes its own committed object for
 * another writer's.
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
      if (!(error instanceof StorageFailure) || !error.transient || attempt + 1 >= policy.attempts) {
        throw error
      }
      const delayMs = delayOf(policy, attempt, error.retryAfterMs)
      if (Date.now() - startedAt + delayMs >= policy.budgetMs) throw error
      logger?.warn({ err: error, attempt, delayMs, doing }, 'storage call failed, trying again')
      await sleep(delayMs, undefined, { signal }).catch(() => {})
    }
  }
}

/** Jitter over the upper half: callers that failed together retry at different times. */
export function delayOf({ baseDelayMs, maxDelayMs }: RetryPolicy, attempt: number, retryAfterMs = 0): number {
  const backoffMs = baseDelayMs * 2 ** attempt * (0.5 + Math.random() / 2)
  return Math.min(maxDelayMs, Math.max(backoffMs, retryAfterMs))
}
