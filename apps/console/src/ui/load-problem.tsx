import type { JSX } from 'preact'
import { ConnectionError } from '@filewright/client/browser'
import { explainError } from '../explain-error.js'
import { texts } from '../texts.js'
import type { Loaded } from './use-loaded.js'

/**
 * Why something could not be loaded. A lost connection is retried automatically, so it is not an error yet.
 */
export function LoadProblem({ of, lead }: { of: Loaded<unknown>; lead?: string }): JSX.Element | null {
  if (of.error === undefined) return null
  if (of.error instanceof ConnectionError) {
    return (
      <p class="note" role="status">
        {texts.reconnecting.lost}
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
