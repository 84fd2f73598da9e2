/** A stored token, with the state when it was stored. */
export interface KeptToken {
  token: string
  /** The session's id. It is random and survives a reload. */
  id: string
  /** The newest sign-out in this browser when the token was stored. A later one ends the session. */
  lastSignOut: string
  isOnDevice: boolean
}

/** What another tab did to a stored token. */
export type TokenChange = 'none' | 'signed-out' | 'removed' | 'replaced'

export interface TokenStore {
  read: () => KeptToken | null
  keep: (token: string, options: { onDevice: boolean }) => KeptToken
  /** Removes the token from this tab, and from the device if it is the same one. */
  remove: (token: string) => void
  /** Removes the tokens of all tabs, including closed ones that may be restored. */
  signOut: () => void
  lastSignOut: () => string
  changeOf: (kept: KeptToken) => TokenChange
}

export interface TokenStoreDeps {
  /** Of this tab: browsers restore it with a closed tab. */
  tab: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  /** Of this browser, for all tabs. */
  device: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
}

/** Characters allowed in a header; anything else is not a token. */
export const isToken = (text: string): boolean => /^[\x21-\x7e]{1,512}$/.test(text)

const KEY = 'filewright-token'
const LAST_SIGN_OUT = 'filewright-last-sign-out'

/** `crypto.randomUUID` exists only on https and localhost. */
export function randomId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}

function parse(text: string | null): Omit<KeptToken, 'isOnDevice'> | null {
  try {
    const { token, id, lastSignOut } = JSON.parse(text ?? 'null') as Record<string, unknown>
    if (typeof token !== 'string' || typeof id !== 'string' || typeof lastSignOut !== 'string') return null
    return { token, id, lastSignOut }
  } catch {
    return null
  }
}

/**
 * Stores a token for the tab or on the device. A script cannot access another tab's session storage. So a
 * sign-out is recorded on the device, and tokens stored before it are ignored.
 */
export function createTokenStore({ tab, device }: TokenStoreDeps): TokenStore {
  const lastSignOut = (): string => device.getItem(LAST_SIGN_OUT) ?? ''

  function readFrom(store: TokenStoreDeps['tab']): KeptToken | null {
    const kept = parse(store.getItem(KEY))
    if (kept?.lastSignOut === lastSignOut()) return { ...kept, isOnDevice: store === device }
    store.removeItem(KEY)
    return null
  }

  return {
    lastSignOut,
    read: () => readFrom(tab) ?? readFrom(device),
    keep: (token, { onDevice }) => {
      const kept = { token, id: randomId(), lastSignOut: lastSignOut() }
      const store = onDevice ? device : tab
      // After a reload, the tab's token comes first.
      tab.removeItem(KEY)
      store.setItem(KEY, JSON.stringify(kept))
      return { ...kept, isOnDevice: onDevice }
    },
    remove: (token) => {
      for (const store of [tab, device]) if (readFrom(store)?.token === token) store.removeItem(KEY)
    },
    signOut: () => {
      device.setItem(LAST_SIGN_OUT, randomId())
      for (const store of [tab, device]) store.removeItem(KEY)
    },
    changeOf: ({ token, lastSignOut: known, isOnDevice }) => {
      if (known !== lastSignOut()) return 'signed-out'
      if (!isOnDevice) return 'none'
      const kept = readFrom(device)
      if (kept === null) return 'removed'
      return kept.token === token ? 'none' : 'replaced'
    }
  }
}
