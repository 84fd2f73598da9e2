export interface ErrorFacts {
  status?: number
  /** A code for programs: the one in X-Rejection for a refused file, otherwise one for the status. */
  code: string
  /** Identifies the request in the service's log. */
  requestId?: string
  /** When the service asks for a retry. */
  retryAfterMs?: number
  /** Why a file was refused, for people. */
  reason?: string
  cause?: unknown
}

/** Any failure. Contains the service's own message if it sent one. */
export class FilewrightError extends Error {
  // Set in each class: bundlers shorten class names.
  override readonly name: string = 'FilewrightError'
  readonly status: number | undefined
  readonly code: string
  readonly requestId: string | undefined
  readonly retryAfterMs: number | undefined
  readonly reason: string | undefined

  constructor(message: string, { status, code, requestId, retryAfterMs, reason, cause }: ErrorFacts) {
    super(message, { cause })
    this.status = status
    this.code = code
    this.requestId = requestId
    this.retryAfterMs = retryAfterMs
    this.reason = reason
  }
}

export class BadRequestError extends FilewrightError {
  override readonly name = 'BadRequestError'
}

export class UnauthorizedError extends FilewrightError {
  override readonly name = 'UnauthorizedError'
}

export class ForbiddenError extends FilewrightError {
  override readonly name = 'ForbiddenError'
}

export class NotFoundError extends FilewrightError {
  override readonly name = 'NotFoundError'
}

export class ConflictError extends FilewrightError {
  override readonly name = 'ConflictError'
}

export class TooManyRequestsError extends FilewrightError {
  override readonly name = 'TooManyRequestsError'
}

export class ServiceError extends FilewrightError {
  override readonly name = 'ServiceError'
}

/** The service could not be reached, or the connection was lost. */
export class ConnectionError extends FilewrightError {
  override readonly name = 'ConnectionError'
}

/** The response did not arrive within `timeoutMs`. */
export class TimeoutError extends FilewrightError {
  override readonly name = 'TimeoutError'
}

/** The received bytes are not those that were sent. */
export class IntegrityError extends FilewrightError {
  override readonly name = 'IntegrityError'
}

/** The code of a ConnectionError while nothing has answered yet. */
export const UNREACHABLE = 'unreachable'

/** System errors that mean there was no connection at all. */
const sentences: Record<string, (base: string) => string> = {
  ECONNREFUSED: (base) => `Nothing listens at ${base}`,
  ENOTFOUND: (base) => `The host of ${base} is not known`,
  EAI_AGAIN: (base) => `The host of ${base} is not known`,
  EHOSTUNREACH: (base) => `The host of ${base} is not reached`,
  ENETUNREACH: (base) => `The host of ${base} is not reached`,
  ETIMEDOUT: (base) => `${base} does not answer`,
  UND_ERR_CONNECT_TIMEOUT: (base) => `${base} does not answer`
}

/** @param failure what fetch throws; browsers do not say why */
export function connectionErrorOf(failure: Error, base: string, wasReached: boolean): ConnectionError {
  const cause = failure.cause as { code?: string } | undefined
  const sentence = sentences[cause?.code ?? '']
  // Without a code it is an invalid URL.
  const isConnected = cause === undefined || (sentence === undefined && cause.code !== undefined)
  const otherwise = isConnected ? `The connection to ${base} was lost` : `${base} cannot be reached`
  return new ConnectionError(sentence?.(base) ?? otherwise, {
    code: isConnected || wasReached ? 'connection-lost' : UNREACHABLE,
    cause: failure
  })
}

type ErrorClass = new (message: string, facts: ErrorFacts) => FilewrightError

const byStatus: Record<number, [ErrorClass, string]> = {
  400: [BadRequestError, 'bad-request'],
  401: [UnauthorizedError, 'unauthorized'],
  403: [ForbiddenError, 'forbidden'],
  404: [NotFoundError, 'not-found'],
  408: [TimeoutError, 'request-timeout'],
  409: [ConflictError, 'still-running'],
  422: [ConflictError, 'key-reused'],
  429: [TooManyRequestsError, 'too-many-requests']
}

/** Retry-After is in seconds or a date. */
export function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get('retry-after')
  if (value === null) return undefined
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

/** A redirect could send the token and the data to a server that the caller did not name. */
export function redirectErrorOf({ status, headers }: Response): FilewrightError {
  const location = headers.get('location') ?? ''
  const target = URL.canParse(location) ? new URL(location).origin : 'another address'
  return new FilewrightError(
    `The service redirects to ${target}, and redirects are not followed; if you trust that address, use it`,
    { status, code: 'redirected' }
  )
}

/**
 * @param sentence the service's message; kept on one line, because a second line in a log could pass for
 * ours
 */
export function errorOf(status: number, headers: Headers, sentence: unknown): FilewrightError {
  const [ErrorOfStatus, word] =
    byStatus[status] ?? (status >= 500 ? [ServiceError, 'service-error'] : [FilewrightError, 'refused'])
  const [code, reason] = (headers.get('x-rejection') ?? '').split(/; (.*)/)
  const requestId = headers.get('x-request-id')
  const retryAfterMs = retryAfterOf(headers)
  const message = typeof sentence === 'string' ? sentence.replace(/[\s\p{Cc}]+/gu, ' ').trim() : ''
  return new ErrorOfStatus(message || `The service answered with status ${status}`, {
    status,
    code: code === undefined || code === '' ? word : code,
    ...(requestId === null ? {} : { requestId }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(reason === undefined || reason === '' ? {} : { reason })
  })
}
