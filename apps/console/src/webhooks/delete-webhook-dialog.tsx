import type { JSX } from 'preact'
import { NotFoundError, type Webhook } from '@filewright/client/browser'
import { useSession } from '../console-context.js'
import { webhooksRoute } from '../routes.js'
import { texts } from '../texts.js'
import { Dialog } from '../ui/dialog.js'
import { useDialogTask } from '../ui/use-dialog-task.js'
import { webhookTexts } from './webhook-texts.js'

export function DeleteWebhookDialog({
  webhook,
  onClose
}: {
  webhook: Webhook
  onClose: () => void
}): JSX.Element {
  const { api, webhooks: work, replace } = useSession()
  const { isRunning, problem, run } = useDialogTask()
  const words = webhookTexts.deleteDialog

  const remove = async (): Promise<void> => {
    await api.webhooks.delete(webhook.id).catch((error: unknown) => {
      // Somebody else was faster.
      if (!(error instanceof NotFoundError)) throw error
    })
    work.changes.value++
    onClose()
    replace(webhooksRoute(webhook.project_id))
  }

  return (
    <Dialog title={words.title} onClose={onClose}>
      <p class="breakable">{words.lead(webhook.url)}</p>
      <p class="problem" role="alert">
        {problem}
      </p>
      <div class="actions end">
        <button type="button" onClick={onClose}>
          {texts.cancel}
        </button>
        <button
          type="button"
          class="danger solid"
          disabled={isRunning}
          onClick={() => {
            void run(remove)
          }}
        >
          {words.button}
        </button>
      </div>
    </Dialog>
  )
}
