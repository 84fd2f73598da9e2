import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { formatRoute } from '../routes.js'
import { texts } from '../texts.js'
import { ThemePicker } from '../theme-picker.js'
import { Dialog } from '../ui/dialog.js'
import { Icon } from '../ui/icon.js'
import { lazyPart } from '../ui/lazy-view.js'

const AccountPanel = lazyPart(async () => (await import('./account-panel.js')).AccountPanel)

/** The button with the token's name, and what it opens. */
export function AccountMenu({
  tokenName,
  isOperator,
  onSignOut
}: {
  tokenName: string
  isOperator: boolean
  onSignOut: () => void
}): JSX.Element {
  const [isOpen, setOpen] = useState(false)
  const close = (): void => {
    setOpen(false)
  }
  return (
    <>
      <button
        type="button"
        class="quiet account-button"
        aria-haspopup="dialog"
        aria-label={texts.account.open(tokenName)}
        onClick={() => {
          setOpen(true)
        }}
      >
        <Icon name="user" />
        <bdi class="token-name">{tokenName}</bdi>
      </button>
      {isOpen && (
        <Dialog title={texts.account.title} onClose={close}>
          <AccountPanel />
          <div class="actions wrap end">
            <ThemePicker />
            {isOperator && (
              <a class="button" href={formatRoute({ view: 'tokens' })} onClick={close}>
                <Icon name="key" />
                {texts.account.tokens}
              </a>
            )}
            <button
              type="button"
              onClick={() => {
                close()
                onSignOut()
              }}
            >
              <Icon name="out" />
              {texts.signIn.out}
            </button>
          </div>
        </Dialog>
      )}
    </>
  )
}
