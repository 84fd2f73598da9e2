import type { JSX } from 'preact'
import { texts } from '../texts.js'

export function ServiceView(): JSX.Element {
  return (
    <main id="main" tabIndex={-1} class="page">
      <h1>{texts.views.service}</h1>
    </main>
  )
}
