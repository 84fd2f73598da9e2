import { AppError } from './errors.js'

/**
 * Calls back once, when the signal aborts; at once if it has aborted already. Without a signal it never does.
 * @returns a function that removes the listener. Call it when the wait ends, or listeners accumulate on
 * long-lived signals.
 */
export function onAbort(signal: AbortSignal | undefined, callback: (reason: unknown) => void): () => void {
  if (signal === undefined) return () => {}
  if (signal.aborted) {
    callback(signal.reason)
    return () => {}
  }
  const listener = (): void => callback(signal.reason)
  signal.addEventListener('abort', listener, { once: true })
  return () => signal.removeEventListener('abort', listener)
}

/**
 * Settles as the promise does, but rejects as soon as the signal aborts. It also rejects if the signal was
 * already aborted, whatever the promise did. The promise's outcome after an abort is ignored, and a rejection
 * does not count as unhandled. @param errorOf creates the error from the signal's reason. Default: the reason
 * itself.
 */
export async function abortable<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
  errorOf: (reason: unknown) => unknown = (reason) => reason
): Promise<T> {
  if (signal === undefined) return await promise
  return await new Promise<T>((resolve, reject) => {
    const stop = onAbort(signal, (reason) => reject(errorOf(reason)))
    promise.then(
      (value) => {
        stop()
        resolve(value)
      },
      (error: unknown) => {
        stop()
        reject(error)
      }
    )
  })
}

export interface LinkedSignal {
  /** Aborts with any of the signals it is linked to, for the same reason. */
  readonly signal: AbortSignal
  /** Aborts only this signal, and unlinks it. */
  abort: (reason?: unknown) => void
  /** From now on only `abort` aborts it. */
  unlink: () => void
}

/** The reason of a signal that is aborted because it is no longer needed. */
const OVER = new AppError('CANCELLED', 'the work is over')

/**
 * A signal that also aborts with the given signals. End it with `abort` or `unlink`.
 *
 * `AbortSignal.any` needs no such end. But on Node 20 it takes 20 times as long, and each call leaks
 * memory on a long-lived signal: 60 bytes, or over a kilobyte if it had a listener and was aborted.
 */
export function linkSignals(...signals: ReadonlyArray<AbortSignal | undefined>): LinkedSignal {
  const controller = new AbortController()
  const stops = signals.map((signal) => onAbort(signal, (reason) => controller.abort(reason)))
  const unlink = (): void => {
    for (const stop of stops) stop()
  }
  return {
    signal: controller.signal,
    unlink,
    // Always with a reason: without one, an error with a stack would be created each time.
    abort: (reason = OVER) => {
      unlink()
      controller.abort(reason)
    }
  }
}

export interface DeadlineOptions {
  ms: number
  /** Ends the work early. */
  signal?: AbortSignal | undefined
  /** The error when the time is over. Default: an error with the duration. */
  late?: (() => unknown) | undefined
}

/**
 * Runs the work with a signal that aborts when the time is over or the given signal aborts. Rejects at that
 * moment, even if the work ignores the signal. When the work has settled, its signal is aborted, which ends
 * anything it left running. The work does not start if the given signal is already aborted.
 */
export async function withDeadline<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { ms, signal, late = () => new Error(`no answer within ${ms} ms`) }: DeadlineOptions
): Promise<T> {
  signal?.throwIfAborted()
  const linked = linkSignals(signal)
  const timer = setTimeout(() => linked.abort(late()), ms)
  try {
    return await abortable(work(linked.signal), linked.signal)
  } finally {
    clearTimeout(timer)
    linked.abort()
  }
}
