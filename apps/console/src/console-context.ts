import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { ReadonlySignal } from '@preact/signals'
import type { Filewright } from '@filewright/client/browser'
import type { Route } from './routes.js'
import type { DraftStore } from './session/draft-store.js'
import type { Session } from './session/session.js'
import type { SignIn } from './session/sign-in.js'
import type { TokenLink } from './session/token-link.js'
import type { Theme } from './theme.js'

/** State that outlives a session. It must not hold user data. Created in main.tsx. */
export interface Console {
  signIn: SignIn
  link: TokenLink
  drafts: Pick<DraftStore, 'forget'>
  theme: Theme
  route: ReadonlySignal<Route>
}

export const ConsoleContext = createContext<Console | null>(null)

export function useConsole(): Console {
  const parts = useContext(ConsoleContext)
  if (parts === null) throw new Error('outside of the console')
  return parts
}

/** Of the signed-in user. */
export const SessionContext = createContext<Session | null>(null)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === null) throw new Error('nobody is signed in')
  return session
}

/** The API client with the signed-in user's token. */
export function useApi(): Filewright {
  return useSession().api
}
