import { signal, type ReadonlySignal } from '@preact/signals'
import { Filewright, UnauthorizedError } from '@filewright/client/browser'
import type { SignIn } from './sign-in.js'
import { isToken } from './token-store.js'

/** What a user has to know before a link signs them in. */
export interface LinkQuestion {
  /** The first characters of the token, to recognize it. */
  tokenStart: string
  /** The token's name; empty while the service does not answer. */
  tokenName: string
  /** The service does not accept this token. */
  isRefused: boolean
}

export interface TokenLink {
  question: ReadonlySignal<LinkQuestion | null>
  /** Signs in at once only with the local stack's own token while nobody is signed in; otherwise it asks. */
  open: (token: string) => Promise<void>
  accept: () => void
  dismiss: () => void
}

const START_CHARACTERS = 7

/**
 * A link with a token could come from anyone. Without a question it would silently sign the user in to the
 * sender's account, and the sender could read what the user uploads.
 */
export function createTokenLink({
  baseUrl,
  signIn
}: {
  baseUrl: string
  signIn: Pick<SignIn, 'token' | 'signIn' | 'signOut'>
}): TokenLink {
  const question = signal<LinkQuestion | null>(null)
  let newest = ''

  async function ask(token: string): Promise<{ tokenName: string; isLocal: boolean; isRefused: boolean }> {
    const unknown = { tokenName: '', isLocal: false, isRefused: true }
    if (!isToken(token)) return unknown
    try {
      const { token: info } = await new Filewright({ baseUrl, token }).service({ retries: 1 })
      return { tokenName: info.name, isLocal: info.is_local, isRefused: false }
    } catch (error) {
      return { ...unknown, isRefused: error instanceof UnauthorizedError }
    }
  }

  function dismiss(): void {
    newest = ''
    question.value = null
  }

  return {
    question,
    dismiss,
    open: async (token) => {
      dismiss()
      if (token === '' || token === signIn.token()) return
      newest = token
      const { tokenName, isLocal, isRefused } = await ask(token)
      // Another link was opened in the meantime, or this token was used to sign in.
      if (newest !== token || token === signIn.token()) return
      if (isLocal && signIn.token() === null) {
        dismiss()
        await signIn.signIn(token, { keep: false })
        return
      }
      question.value = { tokenStart: token.slice(0, START_CHARACTERS), tokenName, isRefused }
    },
    accept: () => {
      const token = newest
      dismiss()
      if (token === '') return
      // In every tab, as the question says.
      if (signIn.token() !== null) signIn.signOut()
      void signIn.signIn(token, { keep: false })
    }
  }
}
