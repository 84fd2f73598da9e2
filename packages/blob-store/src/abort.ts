import { abortable, AppError } from '@filewright/runtime'

export function cancelled(reason: unknown): AppError {
  return new AppError('CANCELLED', 'the caller gave up', { cause: reason })
}

export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw cancelled(signal.reason)
}

/** Settles with the promise, or rejects as soon as the signal aborts. */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return await abortable(promise, signal, cancelled)
}
