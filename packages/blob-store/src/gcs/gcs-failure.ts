import { AppError } from '@filewright/runtime'

export interface GcsFailureOptions {
  cause?: unknown
  /** The HTTP status, when there was a response. */
  status?: number | undefined
  retryAfterMs?: number | undefined
  timedOut?: boolean
}

/** An error from Google or the network; the driver decides per call what it means. */
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

  /** No response (refused, reset, timed out), or one that Google's guide says to retry. */
  get transient(): boolean {
    return this.status === undefined || this.status === 408 || this.status === 429 || this.status >= 500
  }
}

export function isStatus(error: unknown, status: number): boolean {
  return error instanceof GcsFailure && error.status === status
}

/**
 * Even a refused token is retryable for the caller: the operator has to fix credentials and permissions, not
 * the request.
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
