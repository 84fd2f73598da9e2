import type { Dir } from 'node:fs'
import { join, resolve } from 'node:path'
import { throwIfAborted } from '../abort.js'
import { isKey, parseKey } from '../blob-key.js'
import type { BlobEntry, BlobStat, BlobStore } from '../blob-store.js'
import { probeStore } from '../probe.js'
import { checkRange } from '../range.js'
import { withSource } from '../source.js'
import { createStoreSecret, SECRET } from '../store-notes.js'
import { errnoOf, storageError } from './disk-errors.js'
import { createFolders } from './folders.js'
import { createLocalMarker } from './local-marker.js'
import { createLocalNote } from './local-note.js'
import { nodeFileSystem, type LocalFileSystem } from './local-file-system.js'
import { createBufferPool, openLocal, readLocal, readLocalInto } from './local-read.js'
import { TEMPORARY, writeLocal } from './local-write.js'

export interface LocalBlobStoreOptions {
  /**
   * Created, with its parents, by the first write. Must be one file system, because temporary files are
   * linked into place.
   */
  root: string
  fs?: LocalFileSystem
}

export function createLocalBlobStore({
  root: givenRoot,
  fs = nodeFileSystem
}: LocalBlobStoreOptions): BlobStore {
  const root = resolve(givenRoot)
  const marker = createLocalMarker(fs, root)
  const secret = createLocalNote(fs, root, SECRET)
  const folders = createFolders(fs, root, marker.assertKept)
  const buffers = createBufferPool()

  function pathOf(key: string): string {
    const { folder, name } = parseKey(key)
    return join(root, folder, name)
  }

  async function statPath(path: string): Promise<BlobStat | null> {
    const found = await absentAsNull('stat', fs.lstat(path))
    return found === null || !found.isFile() ? null : { sizeBytes: found.size, modifiedAt: found.mtime }
  }

  async function* namesIn(folder: string): AsyncGenerator<string> {
    const opened: Dir | null = await absentAsNull('list', fs.opendir(folder))
    if (opened === null) return
    try {
      for await (const entry of opened) yield entry.name
    } catch (error) {
      throw storageError(error, 'list')
    }
  }

  async function* list(signal: AbortSignal | undefined): AsyncGenerator<BlobEntry> {
    for await (const folder of namesIn(root)) {
      if (folder.length !== 1) continue
      for await (const name of namesIn(join(root, folder))) {
        throwIfAborted(signal)
        const key = `${folder}/${name}`
        const found = isKey(key) ? await statPath(join(root, key)) : null
        if (found !== null) yield { key, ...found }
      }
    }
  }

  const store: BlobStore = {
    write: async (key, source, options = {}) =>
      await withSource(source, options, async (chunks) => {
        return await writeLocal({ fs, folders }, parseKey(key), chunks, options)
      }),
    read: async (key, options = {}) => {
      const path = pathOf(key)
      checkRange(options.range)
      return await readLocal(fs, path, options)
    },
    readInto: async (key, buffer, options = {}) => {
      const path = pathOf(key)
      checkRange(options.range)
      return await readLocalInto(fs, path, buffer, options)
    },
    open: async (key, options = {}) => {
      const path = pathOf(key)
      checkRange(options.range)
      return await openLocal(fs, path, options, buffers)
    },
    address: async (key) => {
      parseKey(key)
      return null
    },
    stat: async (key, { signal } = {}) => {
      const path = pathOf(key)
      throwIfAborted(signal)
      return await statPath(path)
    },
    // Not synced: a blob that reappears after a crash has no row, and the sweeper removes it.
    remove: async (key, { signal } = {}) => {
      const path = pathOf(key)
      throwIfAborted(signal)
      return (await absentAsNull('remove', fs.unlink(path))) !== null
    },
    list: ({ signal } = {}) => list(signal),
    sweepTemporary: async ({ olderThan }) => {
      let swept = 0
      for await (const name of namesIn(join(root, TEMPORARY))) {
        const path = join(root, TEMPORARY, name)
        const found = await statPath(path)
        if (
          found !== null &&
          found.modifiedAt < olderThan &&
          (await absentAsNull('remove', fs.unlink(path))) !== null
        ) {
          swept++
        }
      }
      return swept
    },
    probe: async (signal, placement) => await probeStore(store, signal, placement),
    marker: marker.note,
    secret: createStoreSecret({
      read: secret.read,
      create: async (text, options) => {
        await marker.assertKept()
        return await secret.create(text, options)
      },
      replace: async (text, options) => {
        await marker.assertKept()
        await secret.replace(text, options)
      }
    }),
    close: async () => await folders.forget()
  }
  return store
}

async function absentAsNull<T>(doing: string, work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null
    throw storageError(error, doing)
  }
}
