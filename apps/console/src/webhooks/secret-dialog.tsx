import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { useSession } from '../console-context.js'
import { CopyButton } from '../ui/copy-button.js'
import { Dialog } from '../ui/dialog.js'
import { webhookTexts } from './webhook-texts.js'
import type { ShownSecret } from '../session/webhook-work.js'

/** Closes at once only by its own button: the secret cannot be shown again. */
export function SecretDialog({ of: shown }: { of: ShownSecret }): JSX.Element {
  const { webhooks } = useSession()
  const [isLeaving, setLeaving] = useState(false)
  const id = useId()
  const words = webhookTexts.secret
  const done = (): void => {
    webhooks.secret.value = null
  }
  const stay = (): void => {
    setLeaving(false)
  }

  return (
    <>
      <Dialog title={words.title} onClose={() => setLeaving(true)}>
        <div class="form">
          <p class="breakable">{words.lead(shown.url)}</p>
          <div class="field">
            <label for={id}>{words.label}</label>
            <div class="actions">
              <input id={id} type="text" class="secret" readOnly value={shown.secret} />
              <CopyButton text={shown.secret} label={words.copy} />
            </div>
          </div>
          <p class="warning-note">{words.once}</p>
          {shown.overlapHours !== null && <p>{words.overlap(shown.overlapHours)}</p>}
          <div class="actions end">
            <button type="button" class="primary" onClick={done}>
              {words.done}
            </button>
          </div>
        </div>
      </Dialog>
      {isLeaving && (
        <Dialog title={words.leaveTitle} onClose={stay}>
          <p>{words.leaveLead}</p>
          <div class="actions end">
            <button type="button" onClick={stay}>
              {words.stay}
            </button>
            <button type="button" class="danger solid" onClick={done}>
              {words.leave}
            </button>
          </div>
        </Dialog>
      )}
    </>
  )
}
