import { AppError } from '@filewright/runtime'

export interface GcsFailureOptions {
  cause?: unknown
  /** The HTTP status, when there was an answer. */
  status?: number | undefined
  retryAfterMs?: number | undefined
  timedOut?: boolean
}

/** What Google, or the way to it, said no with; the driver decides per call what it means. */
export class GcsFailure extends Error {
  readonly status: number | undefined
  readonly retryAfterMs: number | undefined
  readonly timedOut: boolean

  constructor(message: string, options: GcsFailureOptions = {}) {
    super(message, { cause: options.cause })
    this.name = 'GcsFailure'
    this.status = options.status
    this.retryAfterMs = options.retryAfterMs
    this.timedOut = options.timedOut === true
  }

  /** No answer at all (refused, reset, timed out), or one that Google's guide says to try again. */
  get transient(): boolean {
    return this.status === undefined || this.status === 408 || this.status === 429 || this.status >= 500
  }
}

export function isStatus(error: unknown, status: number): boolean {
  return error instanceof GcsFailure && error.status === status
}

/**
 * Even a refused token is "try later" to the caller: credentials and permissions are the operator's to mend,
 * not the request's.
 */
export function toAppError(error: unknown): unknown {
  if (!(error instanceof GcsFailure)) return error
  return new AppError('STORAGE_UNAVAILABLE', error.message, { cause: error, retryable: true })
}

export function notFound(cause?: unknown): AppError {
  return new AppError('BLOB_NOT_FOUND', 'no such blob', { cause })
}

export function exists(cause?: unknown): AppError {
  return new AppError('BLOB_EXISTS', 'the key is taken', { cause })
}
