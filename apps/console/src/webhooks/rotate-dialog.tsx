import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import type { Webhook } from '@filewright/client/browser'
import { useSession } from '../console-context.js'
import { Dialog } from '../ui/dialog.js'
import { useDialogTask } from '../ui/use-dialog-task.js'
import { webhookTexts } from './webhook-texts.js'
import { FormButtons } from '../ui/form-buttons.js'

const MAX_HOURS = 168

const hoursOf = (text: string): number | null =>
  /^\d{1,3}$/.test(text.trim()) && Number(text) <= MAX_HOURS ? Number(text) : null

export function RotateDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }): JSX.Element {
  const { api, webhooks: work } = useSession()
  const [text, setText] = useState('24')
  const { isRunning, problem, setProblem, run } = useDialogTask()
  const id = useId()
  const words = webhookTexts.rotateDialog

  async function rotate(): Promise<void> {
    const overlapHours = hoursOf(text)
    if (overlapHours === null) {
      setProblem(words.bad)
      return
    }
    await run(async () => {
      const { url, secret } = await api.webhooks.rotate(webhook.id, { overlapHours })
      work.secret.value = { url, secret, overlapHours }
      onClose()
    })
  }

  return (
    <Dialog title={words.title} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          void rotate()
        }}
      >
        <p>{words.lead}</p>
        <div class="field">
          <label for={id}>{words.hours}</label>
          <input
            id={id}
            type="text"
            inputMode="numeric"
            autocomplete="off"
            value={text}
            onInput={(event) => {
              setText(event.currentTarget.value)
              setProblem('')
            }}
          />
        </div>
        <p class="problem" role="alert">
          {problem}
        </p>
        <FormButtons submit={words.button} isRunning={isRunning} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
