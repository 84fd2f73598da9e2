import { AppError } from '@filewright/runtime'

export function cancelled (signal: AbortSignal): AppError {
  return new AppError('CANCELLED', 'the caller gave up', { cause: signal.reason })
}

export function throwIfAborted (signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw cancelled(signal)
}

/** Settles with the promise, or rejects as soon as the signal aborts; what the promise does after that is nobody's concern. */
export async function orAborted<T> (promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await promise
  let onAbort: (() => void) | undefined
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => { reject(cancelled(signal)) }
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    if (onAbort !== undefined) signal.removeEventListener('abort', onAbort)
  }
}
