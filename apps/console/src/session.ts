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

/** What is left of a limit until it begins anew, in the clock of `Date.now`. */
export interface Allowance {
  limit: number
  left: number
  endsAt: number
}

/** Why a call is being tried again. */
export type Retrying = 'connection' | 'busy' | null

export interface Session {
  state: ReadonlySignal<SessionState>
  /** The newest answer of the API. */
  answer: ReadonlySignal<Answer | null>
  /** Of generations, analyses and optimizations, as the newest answer to one of them has it. */
  aiAllowance: ReadonlySignal<Allowance | null>
  retrying: ReadonlySignal<Retrying>
  /** Something came through. */
  connected: () => void
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

const AI_WORK = /\/api\/ai\/(generate|analyze|optimize)$/

/** From the headers that every answer to a known token has, unless nothing is limited. */
export function allowanceOf(headers: Headers, now = Date.now()): Allowance | null {
  const [limit, left, seconds] = ['limit', 'remaining', 'reset'].map((name) => {
    const value = headers.get(`ratelimit-${name}`)
    return value === null ? NaN : Number(value)
  })
  if (limit === undefined || left === undefined || seconds === undefined) return null
  if ([limit, left, seconds].some(Number.isNaN)) return null
  return { limit, left, endsAt: now + seconds * 1_000 }
}

export function createSession({ baseUrl, tab, device }: SessionDeps): Session {
  const state = signal<SessionState>({ kind: 'signed-out', isRefused: false })
  const answer = signal<Answer | null>(null)
  const aiAllowance = signal<Allowance | null>(null)
  const retrying = signal<Retrying>(null)
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

  function connected(): void {
    retrying.value = null
  }

  async function observedFetch(...call: Parameters<typeof fetch>): Promise<Response> {
    // When it fails for the last time, its caller says so; before, `onRetry` is called next.
    const response = await fetch(...call).finally(connected)
    const path = new URL(response.url).pathname
    answer.value = { path, headers: response.headers }
    if (AI_WORK.test(path)) aiAllowance.value = allowanceOf(response.headers)
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
    const api = new Filewright({
      baseUrl,
      token,
      fetch: observedFetch,
      onRetry: (error) => {
        retrying.value = error instanceof ConnectionError ? 'connection' : 'busy'
      }
    })
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
    aiAllowance,
    retrying,
    connected,
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
