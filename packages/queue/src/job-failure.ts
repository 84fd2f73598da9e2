import { UnrecoverableError, type Job } from 'bullmq'
import { AppError, isAppError, type ErrorCode, type Logger } from '@filewright/runtime'
import { encodeFailure } from './failure.js'
import type { Run } from './running-jobs.js'

/** Refusals caused by user input, not failures: an operator cannot do anything about them. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set([
  'INVALID_AI_REQUEST',
  'NOT_OPTIMIZABLE',
  'INVALID_FIELD',
  'INVALID_UPLOAD',
  'FILE_REJECTED'
])

/** Logs a job's failure, and creates the error that BullMQ stores. */
export function failureOf(
  { job, stopped }: Run,
  error: unknown,
  { logger, labels }: { logger: Logger; labels: (job: Job) => object }
): Error {
  const cancelled = stopped() === 'cancelled'
  const { reason, retryable } = encodeFailure(
    cancelled ? new AppError('CANCELLED', 'nobody waits any more') : error
  )
  if (!cancelled && isAppError(error) && !retryable && REFUSALS.has(error.code)) {
    logger.info({ ...labels(job), code: error.code, reason: error.message }, 'job refused')
  } else if (!cancelled) logger.warn({ err: error, ...labels(job), retryable }, 'job failed')
  const failure = retryable ? new Error(reason) : new UnrecoverableError(reason)
  // BullMQ stores the stack in Redis, and its first line may contain user data.
  failure.stack = reason
  return failure
}
