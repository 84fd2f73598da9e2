import type { ComponentChildren, JSX } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { texts } from '../texts.js'
import { giveFocusBack } from './give-focus.js'
import { Icon } from './icon.js'

export interface DialogProps {
  title: string
  onClose: () => void
  class?: string
  children: ComponentChildren
}

const FIELD = 'input:not([type="hidden"]), select, textarea'

/** Starts in the first field, with its text selected; without a field, at the first action, which changes nothing. */
function focusFirst(dialog: HTMLElement): void {
  const field = dialog.querySelector<HTMLElement>(FIELD)
  const first = field ?? dialog.querySelector<HTMLElement>('.actions > *')
  first?.focus()
  if (field instanceof HTMLInputElement) field.select()
}

/** The browser's own modal dialog, which traps the focus. */
export function Dialog({ title, onClose, class: className = '', children }: DialogProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()

  // Not after the next paint: the key after the one that opened the dialog is for the dialog.
  useLayoutEffect(() => {
    const before = document.activeElement
    if (dialog.current !== null) {
      dialog.current.showModal()
      focusFirst(dialog.current)
    }
    return () => {
      giveFocusBack(() => before)
    }
  }, [])

  return (
    <dialog
      ref={dialog}
      class={`dialog ${className}`}
      aria-labelledby={titleId}
      // Chromium closes a dialog without asking on a second Escape, so the page handles the key itself.
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        onClose()
      }}
      // The `close` event fires after the focus has returned, and the next key press would be lost.
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClose={onClose}
    >
      <div class="dialog-head">
        <h2 id={titleId}>{title}</h2>
        <button type="button" class="icon-button" aria-label={texts.close} onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      {children}
    </dialog>
  )
}
