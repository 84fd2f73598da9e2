import { explainFailure, isFailure } from '@filewright/contracts'
import { ConnectionError, FilewrightError, TimeoutError } from '@filewright/client/browser'
import { texts } from './texts.js'
import { NotReplacedError } from './uploads/store-file.js'
import { UnreadableError } from './uploads/upload.js'

/** The message for a failure. The words for the service's reasons are in one table, for the command line too. */
export function explainError(error: unknown): string {
  if (error instanceof ConnectionError) return texts.errors.connection
  if (error instanceof TimeoutError && error.status === undefined) return texts.errors.timeout
  if (error instanceof NotReplacedError) return texts.errors.notReplaced
  if (error instanceof UnreadableError) return texts.errors.unreadable
  if (!(error instanceof FilewrightError)) return texts.errors.unexpected
  return `${explainFailure(error)}.`
}

/** Whether the service refused nothing: it had nothing to do. */
export const isOutcome = (error: unknown): error is FilewrightError =>
  error instanceof FilewrightError && !isFailure(error)

/** Why an upload failed. A file that was refused would be refused again; a quota or a permission may change. */
export function explainUpload(error: unknown): { reason: string; isRefused: boolean } {
  const status = error instanceof FilewrightError ? error.status : undefined
  return { reason: explainError(error), isRefused: status === 400 }
}
