import { AppError, isAppError, type ErrorCode } from '@filewright/runtime'

const CODE = /^[A-Z][A-Z_]{1,63}$/

const REJECTION_CODE = /^[a-z][a-z-]{1,63}$/
const REASON_CHARS = 200

interface Failure {
  code: ErrorCode
  retryable: boolean
  rejection?: { code: string; reason: string }
}

/**
 * What crosses Redis when a job fails: a code, whether a retry may help, and the public reason. Messages stay
 * in the worker's log, because they may contain user data.
 */
export function encodeFailure(error: unknown): { reason: string; retryable: boolean } {
  const code: ErrorCode = isAppError(error) ? error.code : 'JOB_FAILED'
  // An unexpected error may be temporary.
  const retryable = isAppError(error) ? error.retryable : true
  const rejection = isAppError(error) ? error.rejection : undefined
  return { reason: JSON.stringify({ code, retryable, rejection }), retryable }
}

/** BullMQ's own message for a stalled job. */
const STALLED = /^job (?:stalled|started) more than allowable limit/

/** Reads the output of `encodeFailure`. Anything else except a stalled job is JOB_FAILED. */
export function decodeFailure(reason: string, jobId: string): AppError {
  if (STALLED.test(reason)) {
    return new AppError('WORKER_LOST', `job ${jobId} was lost with its workers`, { retryable: true })
  }
  const failure = parse(reason)
  if (failure === null) return new AppError('JOB_FAILED', `job ${jobId} failed: ${reason.slice(0, 200)}`)
  return new AppError(failure.code, `job ${jobId} failed with ${failure.code}`, {
    retryable: failure.retryable,
    rejection: failure.rejection
  })
}

function parse(text: string): Failure | null {
  try {
    const { code, retryable, rejection } = JSON.parse(text) as Record<keyof Failure, unknown>
    if (typeof code !== 'string' || !CODE.test(code)) return null
    const known = rejectionOf(rejection)
    return {
      // A newer worker may send a code that this process does not know; all code that reads it has a default.
      code: code as ErrorCode,
      retryable: retryable === true,
      ...(known === null ? {} : { rejection: known })
    }
  } catch {
    return null
  }
}

function rejectionOf(value: unknown): { code: string; reason: string } | null {
  if (typeof value !== 'object' || value === null) return null
  const { code, reason } = value as { code?: unknown; reason?: unknown }
  if (typeof code !== 'string' || !REJECTION_CODE.test(code) || typeof reason !== 'string') return null
  return { code, reason: reason.slice(0, REASON_CHARS) }
}
