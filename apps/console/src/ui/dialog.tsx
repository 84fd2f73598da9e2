import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { texts } from '../texts.js'
import { giveFocusBack } from './give-focus.js'
import { Icon } from './icon.js'

export interface DialogProps {
  title: string
  onClose: () => void
  children: ComponentChildren
}

/** The browser's own modal dialog, which traps the focus and closes on Escape. */
export function Dialog({ title, onClose, children }: DialogProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()

  useEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    return () => {
      giveFocusBack(() => before)
    }
  }, [])

  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={titleId}
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
