import type { JSX } from 'preact'
import { texts } from '../texts.js'
import { Dialog } from '../ui/dialog.js'

export function ShortcutHelp({ onClose }: { onClose: () => void }): JSX.Element {
  return (
    <Dialog title={texts.keyboard.title} onClose={onClose}>
      <dl class="facts">
        {texts.keyboard.keys.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <div class="actions end">
        <button type="button" onClick={onClose}>
          {texts.close}
        </button>
      </div>
    </Dialog>
  )
}
