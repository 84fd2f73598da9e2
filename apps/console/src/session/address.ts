import { signal, type ReadonlySignal } from '@preact/signals'
import { formatRoute, parseRoute, type Route } from '../routes.js'

export interface Address {
  route: ReadonlySignal<Route>
  navigate: (to: Route) => void
  /** Without a step in the browser's history. */
  replace: (to: Route) => void
  /** From now on the address belongs to this session, or to nobody. */
  own: (session: string | null) => void
  /** The session has ended: its address is not shown any longer. */
  disown: () => void
  /** Takes a token out of the address, if there is one, and out of the history with it. */
  takeToken: () => string | null
}

/** The parts of a window that an address needs. */
export interface AddressWindow {
  location: Pick<Location, 'hash'>
  history: Pick<History, 'state' | 'replaceState'>
  addEventListener: (type: 'hashchange' | 'popstate', listener: () => void) => void
}

const START: Route = { view: 'projects' }
const TOKEN = '#token='

/**
 * The part of the address behind the #. It names projects, folders, files and searches of a user, and scripts
 * cannot delete entries of the browser's history. So each entry is marked with its session. Going back to an
 * entry of another session empties that entry.
 */
export function createAddress({ location, history, addEventListener }: AddressWindow): Address {
  let owner: string | null = null
  const route = signal(parseRoute(location.hash))

  const write = (to: Route): void => {
    history.replaceState(owner === null ? null : { session: owner }, '', formatRoute(to))
  }

  /** Links and scripts make entries without a mark. They belong to the current session. */
  function read(): void {
    if (location.hash.startsWith(TOKEN)) return
    const mark = (history.state as { session?: string } | null)?.session ?? null
    const isForeign = mark !== null && mark !== owner
    const shown = isForeign ? START : parseRoute(location.hash)
    if (mark !== owner) write(shown)
    route.value = shown
  }

  for (const type of ['popstate', 'hashchange'] as const) addEventListener(type, read)
  return {
    route,
    navigate: (to) => {
      location.hash = formatRoute(to)
    },
    replace: (to) => {
      write(to)
      route.value = parseRoute(location.hash)
    },
    own: (session) => {
      owner = session
      read()
    },
    disown: () => {
      owner = null
      write(START)
      route.value = START
    },
    takeToken: () => {
      const { hash } = location
      if (!hash.startsWith(TOKEN)) return null
      // The view stays as it was before the link.
      write(route.peek())
      try {
        return decodeURIComponent(hash.slice(TOKEN.length))
      } catch {
        return ''
      }
    }
  }
}
