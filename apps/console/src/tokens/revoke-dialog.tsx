import type { JSX } from 'preact'
import type { TokenInfo } from '@filewright/client/browser'
import { useSession } from '../console-context.js'
import { ConfirmDialog } from '../ui/confirm-dialog.js'
import { unlessGone } from '../ui/unless-gone.js'
import { tokenTexts } from './token-texts.js'

export function RevokeDialog({ token, onClose }: { token: TokenInfo; onClose: () => void }): JSX.Element {
  const { api, tokens: work } = useSession()
  const words = tokenTexts.revokeDialog

  const revoke = async (): Promise<void> => {
    await unlessGone(api.tokens.revoke(token.id))
    work.changes.value++
    onClose()
  }

  return (
    <ConfirmDialog
      title={words.title(token.name)}
      confirm={tokenTexts.revoke}
      onConfirm={revoke}
      onClose={onClose}
    >
      {words.lead}
    </ConfirmDialog>
  )
}
