import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { rateLimitNote } from '@filewright/contracts'
import { AccountMenu } from './account/account-menu.js'
import { useConsole, useSession } from './console-context.js'
import { formatRoute, type Route } from './routes.js'
import { texts } from './texts.js'
import { ThemePicker } from './theme-picker.js'
import { ConfirmDialog } from './ui/confirm-dialog.js'
import { Countdown } from './ui/countdown.js'
import { Icon, type IconName } from './ui/icon.js'

const views: Array<{ name: keyof typeof texts.views; icon: IconName; to: Route }> = [
  { name: 'files', icon: 'folder', to: { view: 'projects' } },
  { name: 'code', icon: 'code', to: { view: 'code', tab: 'analyze', file: '' } },
  { name: 'history', icon: 'history', to: { view: 'history', request: '' } },
  { name: 'service', icon: 'service', to: { view: 'service' } }
]

export interface TopBarProps {
  tokenName: string
  isOperator: boolean
}

export function TopBar({ tokenName, isOperator }: TopBarProps): JSX.Element {
  const { route, signIn } = useConsole()
  const { retrying, limitedUntil, workspace } = useSession()
  const [isLeaving, setLeaving] = useState(false)
  const stay = (): void => {
    setLeaving(false)
  }
  const leave = (): void => {
    if (workspace.isDirty.value) setLeaving(true)
    else signIn.signOut()
  }
  const { view } = route.value
  const current = view === 'projects' || view === 'trash' ? 'files' : view
  return (
    <header class="top-bar">
      <a class="brand" href={formatRoute({ view: 'projects' })} aria-label={texts.product}>
        <span class="brand-mark" aria-hidden="true" />
        <span class="brand-name">{texts.product}</span>
      </a>
      <nav class="views" aria-label={texts.mainNavigation}>
        {views.map(({ name, icon, to }) => (
          <a key={name} href={formatRoute(to)} aria-current={name === current ? 'page' : undefined}>
            <Icon name={icon} />
            {texts.views[name]}
          </a>
        ))}
      </nav>
      <div class="top-bar-end">
        <span class="retrying" role="status">
          {retrying.value === null ? '' : texts.reconnecting[retrying.value]}
        </span>
        <Countdown until={limitedUntil.value} text={rateLimitNote} />
        <ThemePicker />
        <AccountMenu tokenName={tokenName} isOperator={isOperator} onSignOut={leave} />
        <button
          type="button"
          class="quiet wide-only"
          title={texts.signIn.signedInWith(tokenName)}
          onClick={leave}
        >
          <Icon name="out" />
          {texts.signIn.out}
        </button>
      </div>
      {isLeaving && (
        <ConfirmDialog
          title={texts.signIn.outTitle}
          confirm={texts.signIn.out}
          onConfirm={signIn.signOut}
          onClose={stay}
        >
          {texts.signIn.outLead}
        </ConfirmDialog>
      )}
    </header>
  )
}
