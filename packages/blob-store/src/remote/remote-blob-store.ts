import { throwIfAborted } from '../abort.js'
import { isKey, parseKey } from '../blob-key.js'
import type { AddressOptions, BlobEntry, BlobStore, StoreNote } from '../blob-store.js'
import type { Placement } from '../placement.js'
import { probeStore } from '../probe.js'
import { checkRange } from '../range.js'
import { readerOf, readInto } from '../reader.js'
import { withSource } from '../source.js'
import { createStoreSecret, MARKER, SECRET } from '../store-notes.js'
import { download, type DownloadDeps } from './download.js'
import { asAppErrors, toAppError } from './storage-failure.js'

export interface RemoteObject {
  key: string
  sizeBytes: number
  updatedAt: Date
}

export interface UploadOptions {
  signal: AbortSignal | undefined
  placement?: Placement | undefined
}

/** The part of a remote driver that differs between services. Its failures are StorageFailures. */
export interface RemoteDriver {
  objects: {
    find: (key: string, signal?: AbortSignal) => Promise<Omit<RemoteObject, 'key'> | null>
    list: (signal?: AbortSignal) => AsyncIterable<RemoteObject>
  }
  /** False when it did not exist. */
  remove: (key: string, signal: AbortSignal | undefined) => Promise<boolean>
  downloads: DownloadDeps
  upload: (
    key: string,
    chunks: AsyncIterable<Uint8Array>,
    options: UploadOptions
  ) => Promise<{ sizeBytes: number }>
  address: (key: string, options: AddressOptions) => Promise<string>
  sweepUploads: (olderThan: Date) => Promise<number>
  createNote: (name: string) => StoreNote
  close: () => Promise<void>
}

export function createRemoteBlobStore(driver: RemoteDriver): BlobStore {
  const { objects, downloads } = driver

  async function* list(signal: AbortSignal | undefined): AsyncGenerator<BlobEntry> {
    try {
      for await (const { key, sizeBytes, updatedAt } of objects.list(signal)) {
        throwIfAborted(signal)
        // A bucket may contain other objects; they are not reported and never swept.
        if (isKey(key)) yield { key, sizeBytes, modifiedAt: updatedAt }
      }
    } catch (error) {
      throw toAppError(error)
    }
  }

  const store: BlobStore = {
    write: async (key, source, options = {}) =>
      await withSource(source, options, async (chunks) => {
        parseKey(key)
        return await driver.upload(key, chunks, { signal: options.signal, placement: options.placement })
      }),
    read: async (key, options = {}) => {
      parseKey(key)
      checkRange(options.range)
      return await download(downloads, key, options)
    },
    readInto: async (key, buffer, options) => await readInto(buffer, await store.open(key, options)),
    open: async (key, options) => readerOf(await store.read(key, options)),
    address: async (key, options) => {
      parseKey(key)
      return await asAppErrors(driver.address(key, options))
    },
    stat: async (key, { signal } = {}) => {
      parseKey(key)
      const found = await asAppErrors(objects.find(key, signal))
      return found === null ? null : { sizeBytes: found.sizeBytes, modifiedAt: found.updatedAt }
    },
    remove: async (key, { signal } = {}) => {
      parseKey(key)
      return await asAppErrors(driver.remove(key, signal))
    },
    list: ({ signal } = {}) => list(signal),
    sweepTemporary: async ({ olderThan }) => await asAppErrors(driver.sweepUploads(olderThan)),
    probe: async (signal, placement) => await probeStore(store, signal, placement),
    marker: driver.createNote(MARKER),
    secret: createStoreSecret(driver.createNote(SECRET)),
    close: driver.close
  }
  return store
}
