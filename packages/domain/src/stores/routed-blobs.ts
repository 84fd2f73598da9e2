import type { BlobEntry, BlobStore, CallOptions } from '@filewright/blob-store'
import { AppError, isAppError, type Logger } from '@filewright/runtime'
import { copyBlob, type CopiedBlob } from './copy-blob.js'
import type { ConfiguredStore, StoreSet, StoreView } from './store-set.js'

/** Where one upload goes. It does not change when the current store does. */
export interface UploadPlace {
  storeId: string | null
  moveId: string | null
  write: BlobStore['write']
  /** Copies the upload to the other store of the move. False if that failed. Null without a move. */
  mirror: ((blob: CopiedBlob, signal?: AbortSignal) => Promise<boolean>) | null
}

export interface RoutedBlobs extends BlobStore {
  place: () => Promise<UploadPlace>
  /** Asks the database which store is the current one. */
  follow: () => Promise<void>
}

export interface RoutedBlobsOptions {
  /** Adds what every call to a store passes through. Default nothing. */
  wrap?: (blobs: BlobStore) => BlobStore
  logger?: Pick<Logger, 'warn'>
  /** Longest time for a call to the mirror, for which requests wait. Default 30 s: time for 50 MB over a slow line. */
  mirrorMs?: number
  /** A mirror that failed is left alone for this long. Default 30 s. */
  pauseMs?: number
}

/**
 * One store for callers, in front of the current one and, during a move, its mirror. Bytes never change and a key is
 * used once, so a blob may be read from either. Removals reach both.
 */
export function routedBlobs(set: StoreSet, options: RoutedBlobsOptions = {}): RoutedBlobs {
  const { wrap = (blobs) => blobs, logger, mirrorMs = 30_000, pauseMs = 30_000 } = options
  const wrapped = new Map(set.stores.map((store) => [store, wrap(store.blobs)]))
  const blobsOf = (store: ConfiguredStore): BlobStore => wrapped.get(store) ?? store.blobs
  let pausedUntil = 0

  const storesOf = ({ current, mirror }: StoreView): BlobStore[] =>
    [current, mirror].flatMap((store) => (store === null ? [] : [blobsOf(store)]))

  async function onMirror<T>(
    signal: AbortSignal | undefined,
    call: (signal: AbortSignal) => Promise<T>
  ): Promise<T> {
    if (performance.now() < pausedUntil) {
      throw new AppError('STORAGE_UNAVAILABLE', 'the other store of the move failed a moment ago', {
        retryable: true
      })
    }
    const deadline = AbortSignal.timeout(mirrorMs)
    try {
      return await call(signal === undefined ? deadline : AbortSignal.any([signal, deadline]))
    } catch (error) {
      if (signal?.aborted !== true) pausedUntil = performance.now() + pauseMs
      throw error
    }
  }

  function placeOf(view: StoreView): UploadPlace {
    const { current, mirror, storeId, moveId } = view
    const { write } = blobsOf(current)
    if (mirror === null || moveId === null || performance.now() < pausedUntil) {
      return { storeId, moveId: null, write, mirror: null }
    }
    return {
      storeId,
      moveId,
      write,
      mirror: async (blob, signal) => {
        try {
          await onMirror(
            signal,
            async (until) => await copyBlob(blobsOf(current), blobsOf(mirror), blob, { signal: until })
          )
          return true
        } catch (error) {
          logger?.warn(
            { err: error, store: mirror.name },
            'upload not written to the other store of the move'
          )
          return false
        }
      }
    }
  }

  /** A stale view may name a store that never had the blob. */
  async function fromEither<T>(call: (blobs: BlobStore) => Promise<T>): Promise<T> {
    const { current } = await set.view()
    try {
      return await call(blobsOf(current))
    } catch (error) {
      if (!isAppError(error, 'BLOB_NOT_FOUND') || set.stores.length === 1) throw error
      for (const blobs of storesOf(await set.follow())) {
        try {
          return await call(blobs)
        } catch (next) {
          if (!isAppError(next, 'BLOB_NOT_FOUND')) throw next
        }
      }
      throw error
    }
  }

  async function* list(options: CallOptions | undefined): AsyncGenerator<BlobEntry> {
    for (const blobs of storesOf(await set.view())) yield* blobs.list(options)
  }

  const current = async (): Promise<BlobStore> => blobsOf((await set.view()).current)
  return {
    place: async () => placeOf(await set.view()),
    follow: async () => {
      await set.follow()
    },
    write: async (key, source, options) => await blobsOf(set.last().current).write(key, source, options),
    read: async (key, options) => await fromEither(async (blobs) => await blobs.read(key, options)),
    readInto: async (key, buffer, options) =>
      await fromEither(async (blobs) => await blobs.readInto(key, buffer, options)),
    open: async (key, options) => await fromEither(async (blobs) => await blobs.open(key, options)),
    // During a move the file may be in either store: its bytes pass through the gateway.
    address: async (key, options) =>
      set.stores.length === 1 ? await (await current()).address(key, options) : null,
    stat: async (key, options) => {
      const found = await (await current()).stat(key, options)
      if (found !== null || set.stores.length === 1) return found
      for (const blobs of storesOf(await set.follow())) {
        const again = await blobs.stat(key, options)
        if (again !== null) return again
      }
      return null
    },
    remove: async (key, options) => {
      const view = await set.view()
      const { mirror } = view
      const removed = await blobsOf(view.current).remove(key, options)
      if (mirror === null) return removed
      const removedThere = await onMirror(options?.signal, async (signal) => {
        return await blobsOf(mirror).remove(key, { signal })
      })
      return removed || removedThere
    },
    list,
    sweepTemporary: async (options) => {
      let count = 0
      for (const blobs of storesOf(await set.view())) count += await blobs.sweepTemporary(options)
      return count
    },
    probe: async (signal, placement) => await (await current()).probe(signal, placement),
    marker: {
      read: async (options) => await (await current()).marker.read(options),
      create: async (text, options) => await (await current()).marker.create(text, options),
      replace: async (text, options) => await (await current()).marker.replace(text, options)
    },
    secret: {
      read: async (options) => await (await current()).secret.read(options),
      ensure: async (options) => await (await current()).secret.ensure(options),
      replace: async (secret, options) => await (await current()).secret.replace(secret, options)
    },
    close: async () => {
      await Promise.all(set.stores.map(async ({ blobs }) => await blobs.close()))
    }
  }
}
