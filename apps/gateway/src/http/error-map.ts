import { quotaSentence, sentences } from '@filewright/contracts'
import { QuotaExceededError } from '@filewright/domain'
import { AppError, InvalidFieldError, type ErrorCode } from '@filewright/runtime'

export interface PublicError {
  status: number
  sentence: string
  headers?: Record<string, string>
}

/** Short, because a restarted dependency is usually back by then. */
const retryLater = { 'retry-after': '5' }
const unavailable: PublicError = { status: 503, sentence: sentences.unavailable, headers: retryLater }
const internal: PublicError = { status: 500, sentence: sentences.internal }

/** The only place where an expected error becomes a status and a public message. */
const byCode: Record<ErrorCode, PublicError> = {
  UNAUTHORIZED: { status: 401, sentence: sentences.unauthorized, headers: { 'www-authenticate': 'Bearer' } },
  FORBIDDEN: { status: 403, sentence: sentences.forbidden },
  INVALID_FIELD: { status: 400, sentence: sentences.badRequest },
  INVALID_UPLOAD: { status: 400, sentence: sentences.invalidUpload },
  FILE_NOT_FOUND: { status: 404, sentence: sentences.fileNotFound },
  FILE_REJECTED: { status: 400, sentence: sentences.fileRejected },
  FILE_WITHDRAWN: { status: 410, sentence: sentences.fileWithdrawn },
  RECEIPTS_OFF: { status: 404, sentence: sentences.receiptsOff },
  SCAN_UNAVAILABLE: { status: 503, sentence: sentences.scanUnavailable, headers: retryLater },
  // A visible file whose bytes are gone or damaged is our fault, not the client's.
  BLOB_NOT_FOUND: internal,
  BLOB_EXISTS: internal,
  BLOB_CORRUPT: internal,
  STORAGE_UNAVAILABLE: unavailable,
  // Another installation's store, or an unmounted disk. The operator has to fix it.
  STORE_MISMATCH: unavailable,
  DATABASE_UNAVAILABLE: unavailable,
  QUEUE_UNAVAILABLE: unavailable,
  OVERLOADED: unavailable,
  JOB_FAILED: internal,
  // Every worker that took the job died or hung. Another worker may start soon.
  WORKER_LOST: unavailable,
  DEADLINE_EXCEEDED: { status: 504, sentence: sentences.deadline, headers: retryLater },
  REQUEST_TIMEOUT: { status: 408, sentence: sentences.requestTimeout, headers: { connection: 'close' } },
  // The client has disconnected, so nobody reads this response.
  CANCELLED: { status: 499, sentence: sentences.badRequest },
  INVALID_AI_REQUEST: { status: 400, sentence: sentences.badRequest },
  NOT_OPTIMIZABLE: { status: 400, sentence: sentences.unableToOptimize },
  MODEL_UNAVAILABLE: unavailable,
  MODEL_OUTPUT_INVALID: { status: 503, sentence: sentences.noUsableAnswer, headers: retryLater },
  // The code that counts requests knows how long to wait, and sets Retry-After.
  RATE_LIMITED: { status: 429, sentence: sentences.tooManyRequests },
  // The token's statements delay one another: with fewer at once, each finishes sooner.
  TOKEN_BUSY: { status: 429, sentence: sentences.tooManyRequests, headers: { 'retry-after': '1' } },
  // The error itself says which limit was reached.
  QUOTA_EXCEEDED: { status: 403, sentence: sentences.forbidden },
  IDEMPOTENCY_BUSY: { status: 409, sentence: sentences.idempotencyBusy, headers: { 'retry-after': '2' } },
  IDEMPOTENCY_MISMATCH: { status: 422, sentence: sentences.idempotencyMismatch },
  GENERATION_NOT_FOUND: { status: 404, sentence: sentences.generationNotFound },
  TOKEN_NOT_FOUND: { status: 404, sentence: sentences.tokenNotFound },
  WEBHOOK_NOT_FOUND: { status: 404, sentence: sentences.webhookNotFound },
  WEBHOOKS_OFF: { status: 501, sentence: sentences.webhooksOff },
  WEBHOOK_LIMIT: { status: 403, sentence: sentences.webhookLimit },
  // The operator replaced the key and did not keep the old one.
  WEBHOOK_KEY_MISMATCH: internal,
  CONFIG_INVALID: internal,
  MIGRATION_FAILED: internal
}

const byStatus: Record<number, string> = {
  400: sentences.badRequest,
  404: sentences.routeNotFound,
  405: sentences.methodNotAllowed,
  408: sentences.requestTimeout,
  413: sentences.payloadTooLarge,
  414: sentences.addressTooLong,
  415: sentences.unsupportedMediaType,
  429: sentences.tooManyRequests,
  503: sentences.unavailable
}

const REASON_CHARS = 200

/** A reason may come from a worker. A header value must not contain line breaks or non-ASCII characters. */
export function rejectionHeader({ code, reason }: { code: string; reason: string }): string {
  return `${code}; ${reason.slice(0, REASON_CHARS).replace(/[^\x20-\x7e]/g, '?')}`
}

export function toPublicError(error: unknown): PublicError {
  if (error instanceof InvalidFieldError) return { status: 400, sentence: `${error.field} ${error.rule}` }
  if (error instanceof QuotaExceededError) {
    return { ...byCode.QUOTA_EXCEEDED, sentence: quotaSentence(error.quota) }
  }
  if (error instanceof AppError) {
    const known = byCode[error.code] ?? internal
    if (error.rejection === undefined) return known
    return { ...known, headers: { ...known.headers, 'x-rejection': rejectionHeader(error.rejection) } }
  }
  // Fastify's errors have their own status. Their messages stay internal.
  const status = (error as { statusCode?: unknown } | null)?.statusCode
  const sentence = typeof status === 'number' ? byStatus[status] : undefined
  return typeof status === 'number' && sentence !== undefined ? { status, sentence } : internal
}
