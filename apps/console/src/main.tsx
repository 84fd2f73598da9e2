import { render } from 'preact'
import { App } from './app.js'
import { ConsoleContext, type Console } from './console-context.js'
import { createAddress } from './session/address.js'
import { createSignIn } from './session/sign-in.js'
import { createTokenLink } from './session/token-link.js'
import { createDraftStore } from './session/draft-store.js'
import { createTokenStore, randomId } from './session/token-store.js'
import { createTheme } from './theme.js'

function createConsole(): Console {
  // This file is in a folder of the service, wherever a proxy has mounted it.
  const baseUrl = new URL('..', import.meta.url).href
  const address = createAddress(window)
  const store = createTokenStore({ tab: sessionStorage, device: localStorage })
  const drafts = createDraftStore({
    tab: sessionStorage,
    device: localStorage,
    // Missing in the type definitions: it exists only on https and localhost.
    locks: navigator.locks as LockManager | undefined,
    pageId: randomId()
  })
  const signIn = createSignIn({ baseUrl, store, drafts, address, page: window })
  const link = createTokenLink({ baseUrl, signIn })

  function openLink(): void {
    const token = address.takeToken()
    if (token !== null) void link.open(token)
  }

  // Runs first, so that the token leaves the address bar before anything else happens.
  const linked = address.takeToken()
  void signIn.resume()
  if (linked !== null) void link.open(linked)

  for (const type of ['popstate', 'hashchange']) addEventListener(type, openLink)
  // A tab that was frozen or in the back/forward cache has missed events of other tabs.
  for (const type of ['storage', 'pageshow']) addEventListener(type, signIn.refresh)
  document.addEventListener('visibilitychange', signIn.refresh)
  addEventListener('beforeunload', (event) => {
    const state = signIn.state.peek()
    if (state.kind !== 'signed-in') return
    const { uploads, drops, workspace, webhooks, tokens } = state.session
    const unsent = [uploads.active, uploads.conflicts, drops.files].reduce(
      (sum, list) => sum + list.value.length,
      0
    )
    const isUnfinished =
      workspace.isDirty.value || webhooks.isUnfinished.value || tokens.secret.value !== null
    if (unsent + uploads.waiting.value > 0 || isUnfinished) event.preventDefault()
  })

  return {
    signIn,
    link,
    drafts,
    route: address.route,
    theme: createTheme(document.documentElement, localStorage)
  }
}

// Loads while the service checks the token. If it fails, the view says so.
if (location.hash.startsWith('#/files/')) import('./files/files-view.js').catch(() => {})

const root = document.getElementById('console')
if (root !== null) {
  render(
    <ConsoleContext.Provider value={createConsole()}>
      <App />
    </ConsoleContext.Provider>,
    root
  )
}
