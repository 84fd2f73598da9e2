import { AppError } from '@filewright/runtime'

export interface StorageFailureOptions {
  cause?: unknown
  /** The HTTP status, when there was a response. */
  status?: number | undefined
  /** The server's own name for the error. */
  code?: string | undefined
  retryAfterMs?: number | undefined
  timedOut?: boolean
  /** Whether another attempt may succeed. Default: decided by the status. */
  transient?: boolean | undefined
}

/** An error from the storage server or the network; the driver decides per call what it means. */
export class StorageFailure extends Error {
  readonly status: number | undefined
  readonly code: string | undefined
  readonly retryAfterMs: number | undefined
  readonly timedOut: boolean
  readonly transient: boolean

  constructor(message: string, options: StorageFailureOptions = {}) {
    super(message, { cause: options.cause })
    this.name = 'StorageFailure'
    this.status = options.status
    this.code = options.code
    this.retryAfterMs = options.retryAfterMs
    this.timedOut = options.timedOut === true
    this.transient = options.transient ?? isTransient(options.status)
  }
}

/** No response (refused, reset, timed out), or one that the providers' guides say to retry. */
function isTransient(status: number | undefined): boolean {
  return status === undefined || status === 408 || status === 429 || status >= 500
}

/** The first sentence of a server's message: request ids and dates follow on further lines. */
export function sentenceOf(message = ''): string {
  const line = message.split('\n', 1)[0] ?? ''
  return (line.split('. ', 1)[0] ?? '').replace(/\.$/, '').slice(0, 200)
}

export function isStatus(error: unknown, status: number): boolean {
  return error instanceof StorageFailure && error.status === status
}

/**
 * Even a refused token is retryable for the caller: the operator has to fix credentials and permissions, not
 * the request.
 */
export function toAppError(error: unknown): unknown {
  if (!(error instanceof StorageFailure)) return error
  return new AppError('STORAGE_UNAVAILABLE', error.message, { cause: error, retryable: true })
}

export async function asAppErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw toAppError(error)
  }
}

export function notFound(cause?: unknown): AppError {
  return new AppError('BLOB_NOT_FOUND', 'no such blob', { cause })
}

export function exists(cause?: unknown): AppError {
  return new AppError('BLOB_EXISTS', 'the key is taken', { cause })
}
