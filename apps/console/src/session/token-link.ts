import { signal, type ReadonlySignal } from '@preact/signals'
import { Filewright, UnauthorizedError } from '@filewright/client/browser'
import type { SignIn } from './sign-in.js'
import { isToken } from './token-store.js'

/** What a person has to know before a link signs them in. */
export interface LinkQuestion {
  /** How the token begins; enough to recognize it. */
  tokenStart: string
  /** As its operator named it; empty while the service cannot say. */
  tokenName: string
  /** The service does not know this token. */
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
 * A link that carries a token could come from anybody. Without a question it would move its reader to the
 * sender's account unseen, and what the reader uploads then would be the sender's to read.
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
      // Another link was opened meanwhile, or somebody has signed in with this token.
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
