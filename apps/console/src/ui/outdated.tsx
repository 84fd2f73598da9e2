import type { JSX } from 'preact'
import { texts } from '../texts.js'

/** A part of the console cannot be loaded: it was replaced by a newer one since the page was opened. */
export function Outdated(): JSX.Element {
  return (
    <div class="empty">
      <h2>{texts.updated.title}</h2>
      <p>{texts.updated.lead}</p>
      <button
        type="button"
        onClick={() => {
          location.reload()
        }}
      >
        {texts.updated.button}
      </button>
    </div>
  )
}
