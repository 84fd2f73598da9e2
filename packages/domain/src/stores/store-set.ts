import type { BlobStore } from '@filewright/blob-store'
import type { Database, InstallationRecord } from '@filewright/db'
import { AppError, linkSignals, type Logger } from '@filewright/runtime'
import { parseMarker, type Identity } from '../identity/identity.js'

/** A store that the settings name. */
export interface ConfiguredStore {
  blobs: BlobStore
  /** How an operator recognizes it. */
  name: string
}

export interface StoreView {
  current: ConfiguredStore
  /** From the marker of `current`; null while it has none. */
  storeId: string | null
  /** The other store of the move that is under way, if the settings name it and its marker says so. */
  mirror: ConfiguredStore | null
  /** Null without a mirror. */
  moveId: string | null
  /** Why there is no mirror although a move is under way. */
  mirrorProblem: string | null
}

/**
 * The one or two stores of the settings, and which of them the database says is the current one. What it says can
 * change at any time, so a view may be stale: nothing may depend on it except where to look first.
 */
export interface StoreSet {
  readonly stores: readonly ConfiguredStore[]
  /** The last known view, without asking anybody. */
  last: () => StoreView
  /** The last known view; asks the database and the stores the first time. */
  view: () => Promise<StoreView>
  /** Asks the database and the stores. */
  follow: (signal?: AbortSignal) => Promise<StoreView>
}

export interface StoreSetDeps {
  /** In the order of the settings; the first is the store of a new installation. */
  stores: readonly [ConfiguredStore, ...ConfiguredStore[]]
  installation: Pick<Database['installation'], 'find'>
  logger?: Pick<Logger, 'info' | 'warn'>
  /** Once the current store has answered, the other one gets this long. Default 3 s: a health check waits for it. */
  otherStoreMs?: number
}

interface Marked {
  store: ConfiguredStore
  marker: Identity | null
  error?: unknown
}

const isCurrent = ({ marker }: Marked, record: InstallationRecord | null): boolean =>
  marker !== null && marker.installation === record?.id && marker.store === record.storeId

export function createStoreSet({
  stores,
  installation,
  logger,
  otherStoreMs = 3_000
}: StoreSetDeps): StoreSet {
  let last: StoreView = {
    current: stores[0],
    storeId: null,
    mirror: null,
    moveId: null,
    mirrorProblem: null
  }
  let isKnown = false
  let noted: string | undefined

  async function markerOf(store: ConfiguredStore, signal: AbortSignal | undefined): Promise<Marked> {
    try {
      const text = await store.blobs.marker.read({ signal })
      return { store, marker: text === null ? null : parseMarker(text) }
    } catch (error) {
      return { store, marker: null, error }
    }
  }

  /** What the database and the stores say. A store that is late counts as silent. */
  async function ask(
    signal: AbortSignal | undefined
  ): Promise<{ record: InstallationRecord | null; found: Marked[] }> {
    const ending = linkSignals(signal)
    const found = stores.map((store): Marked => {
      const message = `${store.name} does not answer`
      return { store, marker: null, error: new AppError('STORAGE_UNAVAILABLE', message, { retryable: true }) }
    })
    const reads = stores.map(async (store, i) => {
      const marked = await markerOf(store, ending.signal)
      found[i] = marked
      return marked
    })
    let timer: NodeJS.Timeout | undefined
    try {
      const record = await installation.find()
      const enough = new Promise<void>((resolve) => {
        for (const read of reads) {
          void read.then((marked) => {
            if (isCurrent(marked, record)) timer ??= setTimeout(resolve, otherStoreMs)
          })
        }
      })
      await Promise.race([Promise.all(reads), enough])
      return { record, found: [...found] }
    } finally {
      clearTimeout(timer)
      ending.abort()
    }
  }

  /** A store that does not answer keeps its place in the view: it may be back before the next look. */
  function mirrorOf(record: InstallationRecord, found: readonly Marked[]): ConfiguredStore | null {
    const { id, mirrorId, moveId } = record
    if (mirrorId === null) return null
    const match = found.find(({ marker }) => marker?.installation === id && marker.store === mirrorId)
    if (match !== undefined) return match.store
    const isSilent = found.some(({ store, error }) => store === last.mirror && error !== undefined)
    return isSilent && last.moveId === moveId ? last.mirror : null
  }

  function problemOfMirror(
    { current, mirror }: Pick<StoreView, 'current' | 'mirror'>,
    found: readonly Marked[]
  ): string | null {
    if (mirror !== null) return null
    const other = found.find(({ store }) => store !== current)
    if (other === undefined) return 'no setting SECOND_… names it'
    const { store, error } = other
    if (error === undefined) {
      return `the settings name ${store.name}, which is not the other store of this move`
    }
    return `${store.name}: ${error instanceof Error ? error.message : String(error)}`
  }

  /** Once per change. */
  function note({ storeId, moveId }: InstallationRecord, next: StoreView): void {
    const state = JSON.stringify([storeId, moveId, next.mirror === null])
    const isFirst = noted === undefined
    if (state === noted) return
    noted = state
    const stores = { store: next.current.name, mirror: next.mirror?.name, problem: next.mirrorProblem }
    if (next.mirrorProblem !== null) {
      logger?.warn(stores, 'a move to another store is under way, and this process cannot use both')
    } else if (moveId !== null || !isFirst) logger?.info(stores, 'current blob store')
  }

  async function follow(signal?: AbortSignal): Promise<StoreView> {
    const { record, found } = await ask(signal)
    const match = found.find((marked) => isCurrent(marked, record))
    if (record !== null && match !== undefined) {
      const mirror = mirrorOf(record, found)
      const moveId = mirror === null ? null : record.moveId
      const current = match.store
      const mirrorProblem = record.moveId === null ? null : problemOfMirror({ current, mirror }, found)
      const next = { current, storeId: record.storeId, mirror, moveId, mirrorProblem }
      note(record, next)
      last = next
      isKnown = true
      return last
    }
    // Any of the silent ones may be the current store.
    const silent = found.find(({ error }) => error !== undefined)
    if (silent !== undefined && stores.length > 1) throw silent.error
    // The guard finds out why none fits, and closes the store that was the current one.
    return last
  }

  return {
    stores,
    last: () => last,
    // A single store is the current one or none is; which of the two, the guard finds out.
    view: async () => (isKnown || stores.length === 1 ? last : await follow()),
    follow
  }
}
