import { limits, type Rejection } from '@filewright/contracts'
import type { ScanFileResult } from '@filewright/queue'
import { AppError, isAppError } from '@filewright/runtime'
import { rejectionHeader } from '../../http/error-map.js'

/** The form, or the file in it, is not acceptable. */
export function invalidUpload(rejection: Rejection, cause?: unknown): AppError {
  return new AppError('INVALID_UPLOAD', rejection.reason, {
    rejection,
    ...(cause === undefined ? {} : { cause })
  })
}

export function tooLarge(maxBytes: number = limits.fileSizeBytes): AppError {
  return invalidUpload({ code: 'too-large', reason: `a file has at most ${maxBytes} bytes` })
}

export const missingFile = (reason: string): AppError => invalidUpload({ code: 'missing-file', reason })

export function malformedForm(reason: string, cause?: unknown): AppError {
  return invalidUpload({ code: 'malformed-form', reason }, cause)
}

/** The signature's name is only for the operator: it would tell an author of malware which part to change. */
export function rejectedByScan(id: string, { verdict, signature, reason }: ScanFileResult): AppError {
  const rejection: Rejection =
    verdict === 'infected'
      ? { code: 'malware', reason: 'malware was found' }
      : { code: 'unscannable', reason: reason ?? 'the content cannot be scanned' }
  return new AppError('FILE_REJECTED', `${id}: ${signature ?? reason ?? verdict}`, { rejection })
}

/** The value of the X-Rejection header; null for an error that is not a refusal. */
export function rejectionOf(error: unknown): string | null {
  return isAppError(error) && error.rejection !== undefined ? rejectionHeader(error.rejection) : null
}
