import type { KeptToken } from './token-store.js'
import type { Unfinished } from './unfinished.js'

export interface Draft extends Unfinished {
  savedAt: number
}

/** A draft whose tab has crashed or was closed. */
export interface LostDraft extends Draft {
  key: string
}

type Owner = Pick<KeptToken, 'id' | 'lastSignOut' | 'isOnDevice'>

export interface DraftStore {
  /** The draft of this tab, from before the page was reloaded. */
  read: (owner: Owner) => Draft | null
  /** @param draft null when nothing is unsaved */
  write: (owner: Owner, draft: Draft | null) => void
  /** Removes this tab's draft; those of closed tabs with it, if the token was on the device. */
  remove: (owner: Owner) => void
  /** Every draft of every user: somebody has signed out. */
  clear: () => void
  lost: (owner: Owner) => Promise<LostDraft[]>
  /** Removes a lost draft. */
  forget: (key: string) => void
}

export interface DraftStoreDeps {
  tab: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  device: Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>
  /** Exists only on https and localhost. Without it no draft of another tab is offered. */
  locks: Pick<LockManager, 'request' | 'query'> | undefined
  /** Of this page. */
  pageId: string
}

type Record = Draft & { session: string; lastSignOut: string; pageId: string }

const KEY = 'filewright-draft'
const keyOf = (pageId: string): string => `${KEY}-${pageId}`

function parse(text: string | null): Record | null {
  try {
    const value = JSON.parse(text ?? 'null') as Record | null
    return typeof value?.text === 'string' && typeof value.session === 'string' ? value : null
  } catch {
    return null
  }
}

/**
 * A draft is kept where the token is kept: in the tab, and on the device only if the user stays signed in
 * there. It counts for the same session only. A page holds a lock, so that its draft is not taken for lost.
 */
export function createDraftStore({ tab, device, locks, pageId }: DraftStoreDeps): DraftStore {
  // Never resolves: the browser releases the lock when the page is gone, however it went.
  void locks?.request(keyOf(pageId), async () => await new Promise(() => {}))

  const isOf = (record: Record | null, { id, lastSignOut }: Owner): record is Record =>
    record?.session === id && record.lastSignOut === lastSignOut

  const deviceKeys = (): string[] =>
    Array.from({ length: device.length }, (_, i) => device.key(i) ?? '').filter((key) =>
      key.startsWith(`${KEY}-`)
    )

  function removeOwn(): void {
    tab.removeItem(KEY)
    device.removeItem(keyOf(pageId))
  }

  return {
    read: (owner) => {
      const record = parse(tab.getItem(KEY))
      if (record === null) return null
      tab.removeItem(KEY)
      // A copied tab has the record of a page that may still be open; that one writes its key again.
      device.removeItem(keyOf(record.pageId))
      return isOf(record, owner) ? record : null
    },
    write: (owner, draft) => {
      if (draft === null) {
        removeOwn()
        return
      }
      const { id: session, lastSignOut, isOnDevice } = owner
      const textOf = (kept: Draft): string =>
        JSON.stringify({ ...kept, session, lastSignOut, pageId } satisfies Record)
      // Another tab offers lost code, not a lost prompt or form.
      const { forms: _forms, webhook: _webhook, replaced: _replaced, ...code } = draft
      try {
        tab.setItem(KEY, textOf(draft))
        if (isOnDevice && draft.text !== '') device.setItem(keyOf(pageId), textOf(code))
        else device.removeItem(keyOf(pageId))
      } catch {
        // The storage is full. Leaving the page still asks.
      }
    },
    remove: ({ id, isOnDevice }) => {
      removeOwn()
      if (!isOnDevice) return
      for (const key of deviceKeys()) if (parse(device.getItem(key))?.session === id) device.removeItem(key)
    },
    clear: () => {
      removeOwn()
      for (const key of deviceKeys()) device.removeItem(key)
    },
    lost: async (owner) => {
      if (locks === undefined || !owner.isOnDevice) return []
      const { held = [] } = await locks.query()
      const open = new Set(held.map(({ name }) => name))
      return deviceKeys()
        .filter((key) => !open.has(key) && key !== keyOf(pageId))
        .flatMap((key) => {
          const record = parse(device.getItem(key))
          if (isOf(record, owner)) return [{ ...record, key }]
          // Nobody can get it back: the device has another token by now.
          device.removeItem(key)
          return []
        })
        .sort((one, other) => other.savedAt - one.savedAt)
    },
    forget: (key) => {
      device.removeItem(key)
    }
  }
}
