import { signal, type ReadonlySignal } from '@preact/signals'
import { formatRoute, parseRoute, type Route } from '../routes.js'

export interface Address {
  route: ReadonlySignal<Route>
  navigate: (to: Route) => void
  /** Without a new history entry. */
  replace: (to: Route) => void
  /** From now on the URL belongs to this session, or to none. */
  own: (session: string | null) => void
  /** The session has ended: its URL is no longer shown. */
  disown: () => void
  /** Removes a token from the URL and from the history, and returns it. */
  takeToken: () => string | null
}

/** The parts of `window` that this module needs. */
export interface AddressWindow {
  location: Pick<Location, 'hash'>
  history: Pick<History, 'state' | 'replaceState'>
  addEventListener: (type: 'hashchange' | 'popstate', listener: () => void) => void
}

const START: Route = { view: 'projects' }
const TOKEN = '#token='

/**
 * The URL fragment. It names a user's projects, folders, files and searches, and scripts cannot delete
 * history entries. So each entry is marked with its session, and going back to an entry of another session
 * clears it.
 */
export function createAddress({ location, history, addEventListener }: AddressWindow): Address {
  let owner: string | null = null
  // A token must not get into a route, from where it would be written back.
  const route = signal(location.hash.startsWith(TOKEN) ? START : parseRoute(location.hash))

  const write = (to: Route): void => {
    history.replaceState(owner === null ? null : { session: owner }, '', formatRoute(to))
  }

  /** Links and scripts create entries without a mark. They belong to the current session. */
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
