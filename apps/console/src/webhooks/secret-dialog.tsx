import type { JSX } from 'preact'
import { useSession } from '../console-context.js'
import { SecretDialog } from '../ui/secret-dialog.js'
import { webhookTexts } from './webhook-texts.js'
import type { ShownSecret } from '../session/webhook-work.js'

export function WebhookSecretDialog({ of: shown }: { of: ShownSecret }): JSX.Element {
  const { webhooks } = useSession()
  const { lead, overlap, ...words } = webhookTexts.secret
  return (
    <SecretDialog
      {...words}
      lead={lead(shown.url)}
      secret={shown.secret}
      onDone={() => {
        webhooks.secret.value = null
      }}
    >
      {shown.overlapHours !== null && <p>{overlap(shown.overlapHours)}</p>}
    </SecretDialog>
  )
}
