import { abortable, linkSignals } from '@filewright/runtime'
import { throwIfAborted } from '../abort.js'
import { StorageFailure } from './storage-failure.js'

export interface CallLimits {
  signal: AbortSignal | undefined
  /** From the first byte to the complete reply, or to the headers of a download. */
  timeoutMs: number
  /** For errors and the log. */
  doing: string
}

/**
 * One attempt of a call with a library that takes a signal but may not honour it in every phase. An abort by
 * the caller's signal is CANCELLED, a timeout is a StorageFailure, other errors pass through `toFailure`.
 */
export async function timedCall<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { signal, timeoutMs, doing }: CallLimits,
  toFailure: (error: unknown) => unknown
): Promise<T> {
  throwIfAborted(signal)
  const exchange = linkSignals(signal)
  let timedOut = false
  const timer = setTimeout(() => {
    timedOut = true
    exchange.abort()
  }, timeoutMs)
  try {
    return await abortable(work(exchange.signal), exchange.signal, () => new Error('ended'))
  } catch (error) {
    exchange.abort()
    throwIfAborted(signal)
    if (timedOut) {
      throw new StorageFailure(`${doing} got no answer within ${timeoutMs} ms`, { cause: error, timedOut })
    }
    throw toFailure(error)
  } finally {
    clearTimeout(timer)
    exchange.unlink()
  }
}
