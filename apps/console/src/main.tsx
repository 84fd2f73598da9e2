import { render } from 'preact'
import { signal } from '@preact/signals'
import { App } from './app.js'
import { createWorkspace } from './code/workspace.js'
import { ConsoleContext, type Console } from './console-context.js'
import { explainUpload } from './explain-error.js'
import { formatRoute, parseRoute, type Route } from './routes.js'
import { createSession, tokenInFragment, type Session } from './session.js'
import { texts } from './texts.js'
import { createTheme } from './theme.js'
import { createUploadQueue } from './uploads/upload-queue.js'

/** Enough to keep a scanner busy. More would only make each of them slower. */
const UPLOADS_AT_ONCE = 4
/**
 * A gateway that restarts is back in seconds, but what it was doing when it died stays taken for half a
 * minute.
 */
const UPLOAD_RETRIES = 15

/**
 * Whether the address carries a token, which is then used and taken out of the address bar and the history.
 */
function signInByAddress(session: Session): boolean {
  const token = tokenInFragment(location.hash)
  if (token === null) return false
  history.replaceState(null, '', formatRoute({ view: 'projects' }))
  // Somebody else's link must not move a user to another account unseen.
  if (session.hasOtherThan(token) && !confirm(texts.signIn.replace)) return false
  void session.signIn(token, { keep: false })
  return true
}

function createConsole(): Console {
  // This file lies in a folder of the service, wherever a proxy has put it.
  const baseUrl = new URL('..', import.meta.url).href
  const session = createSession({ baseUrl, tab: sessionStorage, device: localStorage })
  if (!signInByAddress(session)) void session.retry()

  const route = signal<Route>(parseRoute(location.hash))
  addEventListener('hashchange', () => {
    signInByAddress(session)
    route.value = parseRoute(location.hash)
  })

  const uploads = createUploadQueue({
    concurrency: UPLOADS_AT_ONCE,
    now: () => performance.now(),
    explain: explainUpload,
    send: async (file, { projectId, folder }, options) => {
      const { value: state } = session.state
      if (state.kind !== 'signed-in') throw new Error('nobody is signed in')
      await state.api.files.upload(file, {
        projectId,
        folder,
        retries: UPLOAD_RETRIES,
        signal: options.signal,
        onProgress: ({ bytes }) => {
          session.connected()
          options.onProgress(bytes)
        }
      })
    }
  })
  addEventListener('beforeunload', (event) => {
    if (uploads.active.value.length + uploads.waiting.value > 0) event.preventDefault()
  })

  return {
    session,
    uploads,
    route,
    workspace: createWorkspace(),
    theme: createTheme(document.documentElement, localStorage),
    navigate: (to) => {
      location.hash = formatRoute(to)
    },
    replace: (to) => {
      history.replaceState(null, '', formatRoute(to))
      route.value = parseRoute(location.hash)
    }
  }
}

const root = document.getElementById('console')
if (root !== null) {
  render(
    <ConsoleContext.Provider value={createConsole()}>
      <App />
    </ConsoleContext.Provider>,
    root
  )
}
