import { AppError } from '@filewright/runtime'

export function cancelled(reason?: unknown): AppError {
  return new AppError('CANCELLED', 'the scan was cancelled', reason === undefined ? {} : { cause: reason })
}

export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw cancelled(signal.reason)
}
