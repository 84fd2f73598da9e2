import type { ComponentChildren, JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { texts } from '../texts.js'
import { ConfirmDialog } from './confirm-dialog.js'
import { CopyButton } from './copy-button.js'
import { Dialog } from './dialog.js'

export interface SecretDialogProps {
  title: string
  lead: string
  label: string
  secret: string
  once: string
  leaveTitle: string
  leaveLead: string
  children?: ComponentChildren
  onDone: () => void
}

/** Closes at once only by its own button: the secret cannot be shown again. */
export function SecretDialog(props: SecretDialogProps): JSX.Element {
  const { title, lead, label, secret, once, leaveTitle, leaveLead, children, onDone } = props
  const [isLeaving, setLeaving] = useState(false)
  const id = useId()
  const words = texts.secret
  const stay = (): void => {
    setLeaving(false)
  }

  return (
    <>
      <Dialog title={title} onClose={() => setLeaving(true)}>
        <div class="form">
          <p class="breakable">{lead}</p>
          <div class="field">
            <label for={id}>{label}</label>
            <div class="actions">
              <input id={id} type="text" class="secret" readOnly value={secret} />
              <CopyButton text={secret} label={words.copy} />
            </div>
          </div>
          <p class="warning-note">{once}</p>
          {children}
          <div class="actions end">
            <button type="button" class="primary" onClick={onDone}>
              {words.done}
            </button>
          </div>
        </div>
      </Dialog>
      {isLeaving && (
        <ConfirmDialog
          title={leaveTitle}
          confirm={words.leave}
          cancel={words.stay}
          onConfirm={onDone}
          onClose={stay}
        >
          {leaveLead}
        </ConfirmDialog>
      )}
    </>
  )
}
