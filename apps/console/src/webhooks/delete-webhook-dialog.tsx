import type { JSX } from 'preact'
import type { Webhook } from '@filewright/client/browser'
import { useSession } from '../console-context.js'
import { webhooksRoute } from '../routes.js'
import { ConfirmDialog } from '../ui/confirm-dialog.js'
import { unlessGone } from '../ui/unless-gone.js'
import { webhookTexts } from './webhook-texts.js'

export function DeleteWebhookDialog({
  webhook,
  onClose
}: {
  webhook: Webhook
  onClose: () => void
}): JSX.Element {
  const { api, webhooks: work, replace } = useSession()
  const words = webhookTexts.deleteDialog

  const remove = async (): Promise<void> => {
    await unlessGone(api.webhooks.delete(webhook.id))
    work.changes.value++
    onClose()
    replace(webhooksRoute(webhook.project_id))
  }

  return (
    <ConfirmDialog title={words.title} confirm={words.button} onConfirm={remove} onClose={onClose}>
      {words.lead(webhook.url)}
    </ConfirmDialog>
  )
}
