import { AppError, type AcquireOptions, type Semaphore, type Release } from '@filewright/runtime'

export function cancelled(reason?: unknown): AppError {
  return new AppError('CANCELLED', 'the scan was cancelled', reason === undefined ? {} : { cause: reason })
}

export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw cancelled(signal.reason)
}

/** Waits for a permit of the semaphore. @throws AppError CANCELLED on abort. */
export async function acquireOrCancel(semaphore: Semaphore, options: AcquireOptions): Promise<Release> {
  try {
    return await semaphore.acquire(options)
  } catch (error) {
    throw cancelled(error)
  }
}
