import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { rateLimitNote } from '@filewright/contracts'
import { useConsole, useSession } from './console-context.js'
import { formatRoute, type Route } from './routes.js'
import { texts } from './texts.js'
import { themeNames, type ThemeName } from './theme.js'
import { Countdown } from './ui/countdown.js'
import { Dialog } from './ui/dialog.js'
import { Icon, type IconName } from './ui/icon.js'

const views: Array<{ name: keyof typeof texts.views; icon: IconName; to: Route }> = [
  { name: 'files', icon: 'folder', to: { view: 'projects' } },
  { name: 'code', icon: 'code', to: { view: 'code', tab: 'analyze', file: '' } },
  { name: 'service', icon: 'service', to: { view: 'service' } }
]

export function TopBar({ tokenName }: { tokenName: string }): JSX.Element {
  const { route, signIn, theme } = useConsole()
  const { retrying, limitedUntil, workspace } = useSession()
  const [isLeaving, setLeaving] = useState(false)
  const stay = (): void => {
    setLeaving(false)
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
        <label class="theme-picker">
          <Icon name="sun" />
          <span class="visually-hidden">{texts.theme.label}</span>
          <select
            value={theme.name.value}
            onChange={(event) => {
              theme.name.value = event.currentTarget.value as ThemeName
            }}
          >
            {themeNames.map((name) => (
              <option key={name} value={name}>
                {texts.theme[name]}
              </option>
            ))}
          </select>
        </label>
        <bdi class="token-name">{tokenName}</bdi>
        <button
          type="button"
          class="quiet"
          title={texts.signIn.signedInWith(tokenName)}
          onClick={() => {
            if (workspace.isDirty.value) setLeaving(true)
            else signIn.signOut()
          }}
        >
          <Icon name="out" />
          <span class="wide-only">{texts.signIn.out}</span>
          <span class="visually-hidden narrow-only">{texts.signIn.out}</span>
        </button>
      </div>
      {isLeaving && (
        <Dialog title={texts.signIn.outTitle} onClose={stay}>
          <p>{texts.signIn.outLead}</p>
          <div class="actions end">
            <button type="button" onClick={stay}>
              {texts.cancel}
            </button>
            <button type="button" class="danger solid" onClick={signIn.signOut}>
              {texts.signIn.out}
            </button>
          </div>
        </Dialog>
      )}
    </header>
  )
}
