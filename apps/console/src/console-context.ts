import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { ReadonlySignal } from '@preact/signals'
import type { Filewright } from '@filewright/client/browser'
import type { Workspace } from './code/workspace.js'
import type { Route } from './routes.js'
import type { Session } from './session.js'
import type { Theme } from './theme.js'
import type { UploadQueue } from './uploads/upload-queue.js'

/** What every view may need. Made in main.tsx. */
export interface Console {
  session: Session
  uploads: UploadQueue
  theme: Theme
  workspace: Workspace
  route: ReadonlySignal<Route>
  navigate: (route: Route) => void
  /** Changes the address without a step in the browser's history. */
  replace: (route: Route) => void
}

export const ConsoleContext = createContext<Console | null>(null)

export function useConsole(): Console {
  const parts = useContext(ConsoleContext)
  if (parts === null) throw new Error('outside of the console')
  return parts
}

/** The API with the token of the user who is signed in. */
export const ApiContext = createContext<Filewright | null>(null)

export function useApi(): Filewright {
  const api = useContext(ApiContext)
  if (api === null) throw new Error('nobody is signed in')
  return api
}
