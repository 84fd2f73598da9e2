import type { JSX } from 'preact'
import { texts } from '../texts.js'

export interface FormButtonsProps {
  submit: string
  isRunning?: boolean
  onCancel: () => void
}

/** The last row of a dialog with a form. */
export function FormButtons({ submit, isRunning = false, onCancel }: FormButtonsProps): JSX.Element {
  return (
    <div class="actions end">
      <button type="button" onClick={onCancel}>
        {texts.cancel}
      </button>
      <button type="submit" class="primary" disabled={isRunning}>
        {submit}
      </button>
    </div>
  )
}
