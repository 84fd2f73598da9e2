import { signal, type Signal } from '@preact/signals'

/** The fields of the form as typed. */
export interface TokenDraft {
  name: string
  isForAll: boolean
  /** Separated by commas. */
  projects: string
  /** Empty for a token that does not expire. */
  days: string
  /** Empty without a quota of its own. */
  maxFiles: string
  maxMegabytes: string
}

/** What would be lost with a view: a form that is not sent, and a secret that nobody has saved. */
export interface TokenWork {
  isFormOpen: Signal<boolean>
  /** Kept while the form is closed, so that closing it loses nothing. */
  draft: Signal<TokenDraft>
  secret: Signal<{ name: string; secret: string } | null>
  /** Counts changes, so that the list loads again. */
  changes: Signal<number>
}

export const newTokenDraft: TokenDraft = {
  name: '',
  isForAll: false,
  projects: '',
  days: '90',
  maxFiles: '',
  maxMegabytes: ''
}

export function createTokenWork(ended: AbortSignal): TokenWork {
  const work: TokenWork = {
    isFormOpen: signal(false),
    draft: signal(newTokenDraft),
    secret: signal<{ name: string; secret: string } | null>(null),
    changes: signal(0)
  }
  ended.addEventListener(
    'abort',
    () => {
      work.isFormOpen.value = false
      work.draft.value = newTokenDraft
      work.secret.value = null
    },
    { once: true }
  )
  return work
}
