/**
 * Every expected failure of the service. Only the gateway turns a code into a status and a public message.
 */
export type ErrorCode =
  | 'UNAUTHORIZED'
  | 'FORBIDDEN'
  | 'INVALID_FIELD'
  | 'INVALID_UPLOAD'
  | 'FILE_NOT_FOUND'
  | 'FILE_REJECTED'
  | 'FILE_WITHDRAWN'
  | 'RECEIPTS_OFF'
  | 'SCAN_UNAVAILABLE'
  | 'BLOB_NOT_FOUND'
  | 'BLOB_EXISTS'
  | 'BLOB_CORRUPT'
  | 'STORAGE_UNAVAILABLE'
  | 'STORE_MISMATCH'
  | 'DATABASE_UNAVAILABLE'
  | 'MIGRATION_FAILED'
  | 'QUEUE_UNAVAILABLE'
  | 'OVERLOADED'
  | 'JOB_FAILED'
  | 'WORKER_LOST'
  | 'DEADLINE_EXCEEDED'
  | 'REQUEST_TIMEOUT'
  | 'CANCELLED'
  | 'INVALID_AI_REQUEST'
  | 'NOT_OPTIMIZABLE'
  | 'MODEL_UNAVAILABLE'
  | 'MODEL_OUTPUT_INVALID'
  | 'RATE_LIMITED'
  | 'TOKEN_BUSY'
  | 'QUOTA_EXCEEDED'
  | 'IDEMPOTENCY_BUSY'
  | 'IDEMPOTENCY_MISMATCH'
  | 'GENERATION_NOT_FOUND'
  | 'TOKEN_NOT_FOUND'
  | 'WEBHOOK_NOT_FOUND'
  | 'WEBHOOKS_OFF'
  | 'WEBHOOK_LIMIT'
  | 'WEBHOOK_KEY_MISMATCH'
  | 'CONFIG_INVALID'

export interface AppErrorOptions {
  cause?: unknown
  /** The same call may succeed later: workers retry these and fail others at once. Default false. */
  retryable?: boolean
  /** Why a file was refused. Unlike the message, clients see this. */
  rejection?: { code: string; reason: string } | undefined
}

export class AppError extends Error {
  readonly code: ErrorCode
  readonly retryable: boolean
  readonly rejection?: { code: string; reason: string }

  /** @param message internal, for logs; clients never see it. */
  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.name = 'AppError'
    this.code = code
    this.retryable = options.retryable ?? false
    if (options.rejection !== undefined) this.rejection = options.rejection
  }
}

/**
 * A request field that violates a rule. `field` and `rule` form the public message: "folder must not contain
 * '..'".
 */
export class InvalidFieldError extends AppError {
  readonly field: string
  readonly rule: string

  constructor(field: string, rule: string) {
    super('INVALID_FIELD', `${field} ${rule}`)
    this.name = 'InvalidFieldError'
    this.field = field
    this.rule = rule
  }
}

export function isAppError(error: unknown, code?: ErrorCode): error is AppError {
  return error instanceof AppError && (code === undefined || error.code === code)
}
