import type { JSX } from 'preact'
import { ConnectionError, TooManyRequestsError } from '@filewright/client/browser'
import { explainError } from '../explain-error.js'
import { texts } from '../texts.js'
import type { Loaded } from './use-loaded.js'

/**
 * Why something could not be loaded. A lost connection and a reached limit are retried automatically, so they are
 * not errors yet.
 */
export function LoadProblem({ of, lead }: { of: Loaded<unknown>; lead?: string }): JSX.Element | null {
  if (of.error === undefined) return null
  const isLost = of.error instanceof ConnectionError
  if (isLost || of.error instanceof TooManyRequestsError) {
    return (
      <p class="note" role="status">
        {isLost ? texts.reconnecting.lost : texts.limited}
      </p>
    )
  }
  return (
    <p class="problem banner" role="alert">
      {lead === undefined ? '' : `${lead}: `}
      {explainError(of.error)}{' '}
      <button type="button" class="link" onClick={of.reload}>
        {texts.tryAgain}
      </button>
    </p>
  )
}
