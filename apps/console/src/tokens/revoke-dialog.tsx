import type { JSX } from 'preact'
import { NotFoundError, type TokenInfo } from '@filewright/client/browser'
import { useSession } from '../console-context.js'
import { texts } from '../texts.js'
import { Dialog } from '../ui/dialog.js'
import { useDialogTask } from '../ui/use-dialog-task.js'
import { tokenTexts } from './token-texts.js'

export function RevokeDialog({ token, onClose }: { token: TokenInfo; onClose: () => void }): JSX.Element {
  const { api, tokens: work } = useSession()
  const { isRunning, problem, run } = useDialogTask()

  const revoke = async (): Promise<void> => {
    await api.tokens.revoke(token.id).catch((error: unknown) => {
      // Another operator was faster.
      if (!(error instanceof NotFoundError)) throw error
    })
    work.changes.value++
    onClose()
  }

  return (
    <Dialog title={tokenTexts.revokeDialog.title(token.name)} onClose={onClose}>
      <p>{tokenTexts.revokeDialog.lead}</p>
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
            void run(revoke)
          }}
        >
          {tokenTexts.revoke}
        </button>
      </div>
    </Dialog>
  )
}
