import type { JSX } from 'preact'
import { ApiContext, useConsole } from './console-context.js'
import { CodeView } from './code/code-view.js'
import { FilesView } from './files/files-view.js'
import { ProjectsView } from './files/projects-view.js'
import { ServiceView } from './service/service-view.js'
import { AwayPage, SignInPage } from './sign-in-page.js'
import { texts } from './texts.js'
import { TopBar } from './top-bar.js'
import { UploadTray } from './uploads/upload-tray.js'

function CurrentView(): JSX.Element {
  const route = useConsole().route.value
  switch (route.view) {
    case 'projects':
      return <ProjectsView />
    case 'files':
      return <FilesView route={route} />
    case 'code':
      return <CodeView route={route} />
    case 'service':
      return <ServiceView />
  }
}

export function App(): JSX.Element {
  const state = useConsole().session.state.value
  if (state.kind === 'away') return <AwayPage sentence={state.sentence} />
  if (state.kind !== 'signed-in') return <SignInPage />
  return (
    <ApiContext.Provider value={state.api}>
      <a class="skip-link" href="#main" onClick={focusMain}>
        {texts.skip}
      </a>
      <TopBar />
      <CurrentView />
      <UploadTray />
    </ApiContext.Provider>
  )
}

/** The address belongs to the router, so the link moves the focus by itself. */
function focusMain(event: MouseEvent): void {
  event.preventDefault()
  document.getElementById('main')?.focus()
}
