import {
  ConnectionError,
  FilewrightError,
  ForbiddenError,
  TimeoutError,
  TooManyRequestsError
} from '@filewright/client/browser'
import { texts } from './texts.js'

/** The messages for failures. The service's own messages are written for users. */
export function explainError(error: unknown): string {
  if (error instanceof ConnectionError) return texts.errors.connection
  if (error instanceof TimeoutError) return texts.errors.timeout
  if (error instanceof TooManyRequestsError) return texts.errors.tooMany
  // For a quota, the message says which one.
  if (error instanceof ForbiddenError && error.message === 'Forbidden') return texts.errors.forbidden
  if (!(error instanceof FilewrightError)) return texts.errors.unexpected
  return toSentence(error.message)
}

const toSentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`

/** Why an upload failed. A file that was refused would be refused again. */
export function explainUpload(error: unknown): { reason: string; isRefused: boolean } {
  if (!(error instanceof FilewrightError)) return { reason: texts.errors.unexpected, isRefused: false }
  const { code, reason, status } = error
  const words = texts.refusals[code]
  if (words === undefined) return { reason: explainError(error), isRefused: status === 400 || status === 403 }
  // The service's own reason names the file type.
  const isTold = reason !== undefined && code === 'unsupported-type'
  return { reason: isTold ? toSentence(reason) : words, isRefused: true }
}
