import type { JSX } from 'preact'
import { SessionContext, useConsole, useSession } from './console-context.js'
import { ProjectsView } from './files/projects-view.js'
import { Shortcuts } from './keyboard/shortcuts.js'
import { LinkDialog } from './link-dialog.js'
import { AwayPage, SignInPage } from './sign-in-page.js'
import { texts } from './texts.js'
import { EmptyState } from './ui/empty-state.js'
import { lazyPart, lazyView } from './ui/lazy-view.js'
import { formatRoute } from './routes.js'
import { useTitle } from './ui/use-title.js'
import { TopBar } from './top-bar.js'
import { ConflictDialog } from './uploads/conflict-dialog.js'
import { DropDialog } from './uploads/drop-dialog.js'
import { UploadTray } from './uploads/upload-tray.js'

const FilesView = lazyView(async () => (await import('./files/files-view.js')).FilesView)
const CodeView = lazyView(async () => (await import('./code/code-view.js')).CodeView)
const RulesPage = lazyView(async () => (await import('./rules/rules-page.js')).RulesPage)
const TrashView = lazyView(async () => (await import('./trash/trash-view.js')).TrashView)
const WebhooksView = lazyView(async () => (await import('./webhooks/webhooks-view.js')).WebhooksView)
const WebhookDialogs = lazyPart(async () => (await import('./webhooks/webhook-dialogs.js')).WebhookDialogs)
const HistoryView = lazyView(async () => (await import('./history/history-view.js')).HistoryView)
const TokensView = lazyView(async () => (await import('./tokens/tokens-view.js')).TokensView)
const TokenDialogs = lazyPart(async () => (await import('./tokens/token-dialogs.js')).TokenDialogs)
const ServiceView = lazyView(async () => (await import('./service/service-view.js')).ServiceView)

function CurrentView(): JSX.Element {
  const route = useConsole().route.value
  switch (route.view) {
    case 'projects':
      return <ProjectsView />
    case 'files':
      return <FilesView route={route} />
    case 'code':
      return <CodeView route={route} />
    case 'history':
      return <HistoryView route={route} />
    case 'tokens':
      return <TokensView />
    case 'service':
      return <ServiceView />
    case 'trash':
      return <TrashView route={route} />
    case 'webhooks':
      return <WebhooksView route={route} />
    case 'rules':
      return <RulesPage rule={route.rule} />
    case 'not-found':
      return <NotFoundPage />
  }
}

export function App(): JSX.Element {
  return (
    <>
      <CurrentPage />
      <LinkDialog />
    </>
  )
}

function CurrentPage(): JSX.Element {
  const { route, signIn } = useConsole()
  const state = signIn.state.value
  const shown = route.value
  if (state.kind !== 'signed-in' && shown.view === 'rules') return <RulesPage rule={shown.rule} />
  if (state.kind === 'away') return <AwayPage sentence={state.sentence} />
  if (state.kind !== 'signed-in') return <SignInPage />
  const { session, tokenName, isOperator } = state
  return (
    // Keyed by session: component state of one user is dropped with the session.
    <SessionContext.Provider key={session.id} value={session}>
      <a class="skip-link" href="#main" onClick={focusMain}>
        {texts.skip}
      </a>
      <TopBar tokenName={tokenName} isOperator={isOperator} />
      <CurrentView />
      <UploadTray />
      <DropDialog />
      <ConflictDialog />
      <UnfinishedWebhook />
      <UnfinishedToken />
      <Shortcuts isOperator={isOperator} />
    </SessionContext.Provider>
  )
}

/** Belongs to no view, so that leaving a view loses neither a form nor a secret. */
function UnfinishedWebhook(): JSX.Element | null {
  return useSession().webhooks.isUnfinished.value ? <WebhookDialogs /> : null
}

function UnfinishedToken(): JSX.Element | null {
  const { isFormOpen, secret } = useSession().tokens
  return isFormOpen.value || secret.value !== null ? <TokenDialogs /> : null
}

function NotFoundPage(): JSX.Element {
  useTitle([texts.notFound.title])
  return (
    <main id="main" tabIndex={-1} class="page">
      <h1 class="visually-hidden">{texts.notFound.title}</h1>
      <EmptyState icon="search" title={texts.notFound.title} lead={texts.notFound.lead}>
        <a class="button" href={formatRoute({ view: 'projects' })}>
          {texts.notFound.back}
        </a>
      </EmptyState>
    </main>
  )
}

/** The URL fragment belongs to the router, so the link moves the focus itself. */
function focusMain(event: MouseEvent): void {
  event.preventDefault()
  document.getElementById('main')?.focus()
}
