import type { JSX } from 'preact'
import { texts } from '../texts.js'

/** The shape of a list that is loading. It appears after a moment, so that a fast list does not flicker. */
export function Skeleton({ rows }: { rows: number }): JSX.Element {
  return (
    <div class="skeleton" role="status">
      <span class="visually-hidden">{texts.loading}</span>
      {Array.from({ length: rows }, (_, i) => (
        <span key={i} class="skeleton-row" />
      ))}
    </div>
  )
}
