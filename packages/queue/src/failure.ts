import { AppError, isAppError, type ErrorCode } from '@filewright/runtime'

const CODE = /^[A-Z][A-Z_]{1,63}$/

/**
 * What crosses Redis when a job fails: a code and whether it may succeed later. Messages stay in the worker's
 * log, they may quote user data.
 */
export function encodeFailure(error: unknown): { reason: string; retryable: boolean } {
  const code: ErrorCode = isAppError(error) ? error.code : 'JOB_FAILED'
  // What nobody foresaw may be a passing fault.
  const retryable = isAppError(error) ? error.retryable : true
  return { reason: JSON.stringify({ code, retryable }), retryable }
}

/** BullMQ's own sentence for a job that no worker gave a sign of any more. */
const STALLED = /^job (?:stalled|started) more than allowable limit/

/** Reads what `encodeFailure` wrote. Anything else but a stalled job is JOB_FAILED. */
export function decodeFailure(reason: string, jobId: string): AppError {
  if (STALLED.test(reason)) {
    return new AppError('WORKER_LOST', `job ${jobId} was lost with its workers`, { retryable: true })
  }
  const failure = parse(reason)
  if (failure === null) return new AppError('JOB_FAILED', `job ${jobId} failed: ${reason.slice(0, 200)}`)
  return new AppError(failure.code, `job ${jobId} failed with ${failure.code}`, {
    retryable: failure.retryable
  })
}

function parse(reason: string): { code: ErrorCode; retryable: boolean } | null {
  try {
    const { code, retryable } = JSON.parse(reason) as { code?: unknown; retryable?: unknown }
    // A newer worker may send a code this process does not know; readers of a code all have a default.
    return typeof code === 'string' && CODE.test(code)
      ? { code: code as ErrorCode, retryable: retryable === true }
      : null
  } catch {
    return null
  }
}
