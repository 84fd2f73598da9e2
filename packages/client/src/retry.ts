import { ConnectionError, FilewrightError, UNREACHABLE } from './errors.js'

export interface RetryOptions {
  /** Retries after the first attempt. */
  retries: number
  /** The first delay; each is twice the previous one. */
  baseDelayMs: number
  maxDelayMs: number
  /** How long a service that was never reached is retried. */
  connectWithinMs: number
}

/** No call should wait longer before it fails. */
const MAX_RETRY_AFTER_MS = 120_000

export function isWorthRetrying(error: unknown): error is FilewrightError {
  if (error instanceof ConnectionError) return true
  if (!(error instanceof FilewrightError) || error.status === undefined) return false
  const { status } = error
  return status === 408 || status === 409 || status === 429 || status >= 500
}

/**
 * The service's Retry-After, or a random part of a delay that doubles: clients that failed together retry at
 * different times.
 */
export function pauseBefore(
  attempt: number,
  error: FilewrightError,
  { baseDelayMs, maxDelayMs }: RetryOptions
): number {
  const backoff = Math.min(maxDelayMs, baseDelayMs * 2 ** (attempt - 1))
  const jittered = backoff * (0.5 + Math.random() / 2)
  return error.retryAfterMs === undefined ? jittered : error.retryAfterMs + jittered / 4
}

/** A wrong address will not start working, so it is given up long before a restarting service. */
function withinFirstContact(
  pauseMs: number,
  error: FilewrightError,
  beganAt: number,
  { connectWithinMs }: RetryOptions
): number | null {
  if (error.code !== UNREACHABLE) return pauseMs
  const leftMs = connectWithinMs - (Date.now() - beganAt)
  return leftMs <= 0 ? null : Math.min(pauseMs, leftMs)
}

export async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

/** @param work gets the number of the attempt, starting at 1 */
export async function withRetries<T>(
  work: (attempt: number) => Promise<T>,
  {
    signal,
    onRetry,
    ...options
  }: RetryOptions & {
    signal?: AbortSignal | undefined
    onRetry?: ((error: FilewrightError, pauseMs: number) => void) | undefined
  }
): Promise<T> {
  const beganAt = Date.now()
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt)
    } catch (error) {
      if (attempt > options.retries || !isWorthRetrying(error)) throw error
      const pauseMs = withinFirstContact(pauseBefore(attempt, error, options), error, beganAt, options)
      if (pauseMs === null || pauseMs > MAX_RETRY_AFTER_MS) throw error
      onRetry?.(error, pauseMs)
      await sleep(pauseMs, signal)
    }
  }
}
