import { signal, type ReadonlySignal } from '@preact/signals'
import { ConnectionError, FilewrightError } from '@filewright/client/browser'
import type { Address } from './address.js'
import type { DraftStore } from './draft-store.js'
import { createSession, type Session } from './session.js'
import { keepDraft } from './keep-draft.js'
import type { Route } from '../routes.js'
import { restoreUnfinished, unfinishedOf, type Unfinished } from './unfinished.js'
import type { FileToUpload, Upload } from '../uploads/upload.js'
import { isToken, type KeptToken, type TokenStore } from './token-store.js'

/** Why no user is signed in: a token that was refused, one that expired, or an event in another tab. */
export type SignedOutReason = 'none' | 'refused' | 'expired' | 'signed-out' | 'replaced'

export type SignInState =
  /** With a draft, a user who enters the token of the previous session gets its code back. */
  | { kind: 'signed-out'; reason: SignedOutReason; hasDraft: boolean }
  | { kind: 'checking' }
  | { kind: 'away'; sentence: string }
  | { kind: 'signed-in'; session: Session; tokenName: string }

export interface SignInOptions {
  keep: boolean
  /** The token of the previous session, to restore its code. */
  previousToken?: string
}

export interface SignIn {
  state: ReadonlySignal<SignInState>
  signIn: (token: string, options: SignInOptions) => Promise<void>
  /** In every tab of this browser. */
  signOut: () => void
  /** Signs in with the stored token, if there is one. */
  resume: () => Promise<void>
  /** Checks for changes made by other tabs. */
  refresh: () => void
  /** The token in use, also while it is being checked. */
  token: () => string | null
  isTokenOfDraft: (token: string) => boolean
}

export interface SignInDeps {
  baseUrl: string
  store: TokenStore
  drafts: DraftStore
  address: Address
  /** Where `pagehide` is dispatched. */
  page: Pick<EventTarget, 'addEventListener'>
}

/** The user's work when the service refused the token. In memory only, so it is lost with the tab. */
interface RefusedDraft {
  token: string
  lastSignOut: string
  work: Unfinished | null
  uploads: readonly Upload[]
  drops: readonly FileToUpload[]
  /** Where the user was. */
  route: Route
}

interface Current {
  kept: KeptToken
  session: Session
  /** Tokens that this user has entered: a draft of one of them is theirs. */
  knownTokens: readonly string[]
}

/** Manages who is signed in. There is at most one session, and ending it ends all of it. */
export function createSignIn({ baseUrl, store, drafts, address, page }: SignInDeps): SignIn {
  const state = signal<SignInState>({ kind: 'signed-out', reason: 'none', hasDraft: false })
  let current: Current | null = null
  let draft: RefusedDraft | null = null

  function end(reason: SignedOutReason): void {
    if (current !== null) {
      current.session.end()
      store.remove(current.kept.token)
      drafts.remove(current.kept)
    }
    current = null
    address.disown()
    state.value = { kind: 'signed-out', reason, hasDraft: draft !== null }
  }

  /** The same user may sign in again, so the work and the files are kept; no other user may see them. */
  function refused(): void {
    if (current === null) return
    const wasSignedIn = state.value.kind === 'signed-in'
    const { token, lastSignOut } = current.kept
    const uploads = current.session.uploads.unfinished()
    const drops = current.session.drops.files.value
    const work = unfinishedOf(current.session)
    if (wasSignedIn) draft = { token, lastSignOut, work, uploads, drops, route: address.route.peek() }
    end(wasSignedIn ? 'expired' : 'refused')
  }

  /** Of this tab: from before the token was refused, or from before the page was reloaded. */
  function openDraft({ kept, session, knownTokens }: Current): void {
    const { signal } = session
    const stored = drafts.read(kept)
    if (draft !== null && knownTokens.includes(draft.token)) {
      if (draft.work !== null) restoreUnfinished(session, draft.work)
      session.drops.add(draft.drops)
      for (const { file, target } of draft.uploads) session.uploads.add([{ file, folder: '' }], target)
      address.replace(draft.route)
    } else if (stored !== null) restoreUnfinished(session, stored)
    draft = null
    keepDraft({
      unfinished: () => unfinishedOf(session),
      signal,
      page,
      write: (code) => {
        drafts.write(kept, code)
      }
    })
    void drafts.lost(kept).then((lost) => {
      session.lostDrafts.value = lost
    })
  }

  async function begin(kept: KeptToken, knownTokens: readonly string[]): Promise<void> {
    current?.session.end()
    const session = createSession({
      id: kept.id,
      baseUrl,
      token: kept.token,
      address,
      onRefused: () => {
        if (current?.session === session) refused()
      }
    })
    const begun = { kept, session, knownTokens }
    current = begun
    address.own(kept.id)
    state.value = { kind: 'checking' }
    if (!isToken(kept.token)) {
      refused()
      return
    }
    try {
      const { token, parts } = await session.api.service({ retries: 1 })
      session.parts.value = parts
      openDraft(begun)
      state.value = { kind: 'signed-in', session, tokenName: token.name }
    } catch (error) {
      if (session.signal.aborted) return
      const isUnreachable = error instanceof ConnectionError
      state.value = {
        kind: 'away',
        sentence: error instanceof FilewrightError && !isUnreachable ? error.message : ''
      }
    }
  }

  return {
    state,
    token: () => current?.kept.token ?? null,
    isTokenOfDraft: (token) => draft?.token === token,
    signIn: async (token, { keep, previousToken = '' }) => {
      await begin(store.keep(token, { onDevice: keep }), [token, previousToken])
    },
    signOut: () => {
      draft = null
      store.signOut()
      drafts.clear()
      end('none')
    },
    resume: async () => {
      const kept = current?.kept ?? store.read()
      if (kept === null) address.own(null)
      else await begin(kept, current?.knownTokens ?? [kept.token])
    },
    refresh: () => {
      if (draft !== null && draft.lastSignOut !== store.lastSignOut()) {
        draft = null
        if (current === null) end('signed-out')
      }
      if (current === null) return
      const change = store.changeOf(current.kept)
      if (change === 'removed') refused()
      else if (change !== 'none') end(change)
    }
  }
}
