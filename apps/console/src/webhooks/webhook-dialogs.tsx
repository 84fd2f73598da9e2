import type { JSX } from 'preact'
import { useSession } from '../console-context.js'
import { WebhookSecretDialog } from './secret-dialog.js'
import { WebhookForm } from './webhook-form.js'

/** What must survive leaving the view: the form of a webhook, and a secret that is shown only once. */
export function WebhookDialogs(): JSX.Element | null {
  const { webhooks } = useSession()
  const { secret, draft } = webhooks
  if (secret.value !== null) return <WebhookSecretDialog of={secret.value} />
  return draft.value === null ? null : <WebhookForm draft={draft.value} />
}
