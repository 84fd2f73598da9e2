import type { JSX } from 'preact'
import { useSession } from '../console-context.js'
import { SecretDialog } from '../ui/secret-dialog.js'
import { TokenForm } from './token-form.js'
import { tokenTexts } from './token-texts.js'

/** Belong to no view, so that leaving a view loses neither the form nor the secret. */
export function TokenDialogs(): JSX.Element | null {
  const { tokens: work } = useSession()
  const shown = work.secret.value
  if (shown === null) return work.isFormOpen.value ? <TokenForm /> : null
  const { lead, ...words } = tokenTexts.secret
  return (
    <SecretDialog
      {...words}
      lead={lead(shown.name)}
      secret={shown.secret}
      onDone={() => {
        work.secret.value = null
      }}
    />
  )
}
