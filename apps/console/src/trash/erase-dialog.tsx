import type { JSX } from 'preact'
import { texts } from '../texts.js'
import { Dialog } from '../ui/dialog.js'
import { trashTexts } from './trash-texts.js'

export interface EraseDialogProps {
  title: string
  count: number
  onErase: () => void
  onClose: () => void
}

export function EraseDialog({ title, count, onErase, onClose }: EraseDialogProps): JSX.Element {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{trashTexts.eraseLead}</p>
      <div class="actions end">
        <button type="button" onClick={onClose}>
          {texts.cancel}
        </button>
        <button type="button" class="danger solid" onClick={onErase}>
          {trashTexts.eraseButton(count)}
        </button>
      </div>
    </Dialog>
  )
}
