import type { JSX } from 'preact'
import { texts } from '../texts.js'
import { Icon } from '../ui/icon.js'

/** The engine that answered. Sandbox results are samples and must be marked as such. */
export function EngineNote({ engine }: { engine: string }): JSX.Element | null {
  if (engine === '') return null
  return (
    <p class="engine" data-engine={engine}>
      <Icon name={engine === 'sandbox' ? 'warning' : 'check'} />
      {texts.code.engine} {texts.code.engines[engine] ?? engine}
    </p>
  )
}
