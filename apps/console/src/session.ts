import { signal, type ReadonlySignal } from '@preact/signals'
import { ConnectionError, Filewright, FilewrightError, UnauthorizedError } from '@filewright/client/browser'

export type SessionState =
  | { kind: 'signed-out'; isRefused: boolean }
  | { kind: 'checking' }
  | { kind: 'away'; sentence: string }
  | { kind: 'signed-in'; api: Filewright }

/** What an answer says beside its body. */
export interface Answer {
  path: string
  headers: Headers
}

export interface Session {
  state: ReadonlySignal<SessionState>
  /** The newest answer of the API. */
  answer: ReadonlySignal<Answer | null>
  signIn: (token: string, options: { keep: boolean }) => Promise<void>
  /** Whether another token than this one is in use. */
  hasOtherThan: (token: string) => boolean
  signOut: () => void
  /** Tries the token again that was used last. */
  retry: () => Promise<void>
  /** The service takes the token no longer. */
  refuse: () => void
}

export interface SessionDeps {
  baseUrl: string
  /** For this tab, and for this device. */
  tab: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  device: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
}

const KEY = 'filewright-token'
/** What fits a header; anything else is no token. */
const TOKEN = /^[\x21-\x7e]{1,512}$/

/** Reads the token from an address that signs in at once, as the local stack prints it. */
export function tokenInFragment(hash: string): string | null {
  if (!hash.startsWith('#token=')) return null
  try {
    return decodeURIComponent(hash.slice('#token='.length))
  } catch {
    return null
  }
}

export function createSession({ baseUrl, tab, device }: SessionDeps): Session {
  const state = signal<SessionState>({ kind: 'signed-out', isRefused: false })
  const answer = signal<Answer | null>(null)
  let token = tab.getItem(KEY) ?? device.getItem(KEY)

  function forget(): void {
    token = null
    tab.removeItem(KEY)
    device.removeItem(KEY)
  }

  function refuse(): void {
    forget()
    state.value = { kind: 'signed-out', isRefused: true }
  }

  async function observedFetch(...call: Parameters<typeof fetch>): Promise<Response> {
    const response = await fetch(...call)
    answer.value = { path: new URL(response.url).pathname, headers: response.headers }
    if (response.status === 401 && state.value.kind === 'signed-in') refuse()
    return response
  }

  async function check(): Promise<void> {
    if (token === null) return
    if (!TOKEN.test(token)) {
      refuse()
      return
    }
    state.value = { kind: 'checking' }
    const api = new Filewright({ baseUrl, token, fetch: observedFetch })
    try {
      await api.projects({ retries: 1 })
      state.value = { kind: 'signed-in', api }
    } catch (error) {
      if (error instanceof UnauthorizedError) refuse()
      else if (error instanceof ConnectionError) state.value = { kind: 'away', sentence: '' }
      else {
        state.value = {
          kind: 'away',
          sentence: error instanceof FilewrightError ? error.message : String(error)
        }
      }
    }
  }

  return {
    state,
    answer,
    signIn: async (given, { keep }) => {
      forget()
      token = given
      const store = keep ? device : tab
      store.setItem(KEY, given)
      await check()
    },
    hasOtherThan: (given) => token !== null && token !== given,
    signOut: () => {
      forget()
      state.value = { kind: 'signed-out', isRefused: false }
    },
    retry: check,
    refuse
  }
}

/** Which part of the service wrote the newest answer: a model, the analyzers, or the sandbox. */
export const engineOf = ({ answer }: Pick<Session, 'answer'>): string =>
  answer.value?.headers.get('x-engine') ?? ''
