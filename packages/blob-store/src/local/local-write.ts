import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { AppError, failpoint } from '@filewright/runtime'
import { throwIfAborted } from '../abort.js'
import type { KeyParts } from '../blob-key.js'
import type { WriteOptions } from '../blob-store.js'
import { errnoOf, onDisk, storageError } from './disk-errors.js'
import type { Folders } from './folders.js'
import type { LocalFileSystem } from './local-file-system.js'
import { writeAll, type OpenFile } from './open-file.js'

export const TEMPORARY = 'tmp'

/** Each write is a system call in a thread, whatever its size. */
const LOT_BYTES = 256 * 1024

export interface LocalWriteDeps {
  fs: LocalFileSystem
  folders: Folders
}

/**
 * Temporary file, fdatasync, link to the key, fsync of the key's folder: after that neither kill -9 nor a
 * system crash loses it. `link` instead of `rename`, because rename overwrites silently and link fails when
 * the name exists.
 */
export async function writeLocal(
  { fs, folders }: LocalWriteDeps,
  { folder, name }: KeyParts,
  chunks: AsyncIterable<Uint8Array>,
  { signal, onWritten }: Pick<WriteOptions, 'signal' | 'onWritten'>
): Promise<{ sizeBytes: number }> {
  const { handle, path: temporary } = await openTemporary({ fs, folders }, name)
  try {
    const sizeBytes = await writeBehind(handle, chunks, onWritten)
    await onDisk('fsync', makeDurable(handle))
    throwIfAborted(signal)
    const target = await linkExclusively({ fs, folders }, temporary, { folder, name })
    try {
      // The temporary name is no longer needed, so it is removed during the fsync.
      await Promise.all([onDisk('fsync of folder', folders.sync(folder)), discard(fs, handle, temporary)])
    } catch (error) {
      await fs.unlink(target).catch(() => {})
      throw error
    }
    return { sizeBytes }
  } catch (error) {
    await discard(fs, handle, temporary)
    throw error
  }
}

/** A temporary file that cannot be removed now is swept later; the caller's result does not depend on it. */
async function discard(fs: LocalFileSystem, handle: OpenFile, temporary: string): Promise<void> {
  await Promise.all([handle.close().catch(() => {}), fs.unlink(temporary).catch(() => {})])
}

async function openTemporary(
  { fs, folders }: LocalWriteDeps,
  name: string
): Promise<{ handle: OpenFile; path: string }> {
  return await onDisk(
    'open',
    againWithoutFolders(folders, async () => {
      const path = join(await folders.ensure(TEMPORARY), `${name}-${randomUUID()}`)
      FAILPOINT: failpoint('blob.open')
      return { handle: await fs.open(path, 'wx', 0o600), path }
    })
  )
}

async function linkExclusively(
  { fs, folders }: LocalWriteDeps,
  temporary: string,
  { folder, name }: KeyParts
): Promise<string> {
  const link = async (): Promise<string> => {
    const target = join(await folders.ensure(folder), name)
    FAILPOINT: failpoint('blob.link')
    await fs.link(temporary, target)
    FAILPOINT: failpoint('blob.linked')
    return target
  }
  try {
    return await againWithoutFolders(folders, link)
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') throw new AppError('BLOB_EXISTS', 'the key is taken', { cause: error })
    throw storageError(error, 'link')
  }
}

/**
 * Retries once when a known folder is gone: removed while we ran, or its disk was unmounted and came back.
 */
async function againWithoutFolders<T>(folders: Folders, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error
    await folders.forget()
    return await work()
  }
}

async function makeDurable(handle: OpenFile): Promise<void> {
  FAILPOINT: failpoint('blob.sync')
  await handle.datasync()
  FAILPOINT: failpoint('blob.synced')
}

async function writeLot(handle: OpenFile, lot: Uint8Array[]): Promise<void> {
  FAILPOINT: failpoint('blob.write')
  await writeAll(handle, lot)
}

/**
 * While the disk writes one batch, the next chunks are collected and written together. At most two batches
 * are held, and a disk failure is reported at once.
 */
async function writeBehind(
  handle: OpenFile,
  chunks: AsyncIterable<Uint8Array>,
  onWritten: WriteOptions['onWritten']
): Promise<number> {
  let sizeBytes = 0
  let waiting: Uint8Array[] = []
  let waitingBytes = 0
  let writing = Promise.resolve()
  let isWriting = false
  let failure: { error: unknown } | undefined
  let giveUp = (): void => {}

  const write = async (): Promise<void> => {
    isWriting = true
    while (waiting.length > 0) {
      // Chunks that have already arrived are written together.
      if (waitingBytes < LOT_BYTES) await nextTurn()
      const lot = waiting
      // A failure of the source discards what waits.
      if (lot.length === 0) break
      waiting = []
      waitingBytes = 0
      await onDisk('write', writeLot(handle, lot))
      if (onWritten !== undefined) lot.forEach(onWritten)
    }
    isWriting = false
  }

  const iterator = chunks[Symbol.asyncIterator]()
  // Not a race with one failure promise: that would retain every chunk for as long as the promise lives.
  const nextOrFailure = async (): Promise<IteratorResult<Uint8Array>> =>
    await new Promise((resolve, reject) => {
      giveUp = () => {
        if (failure !== undefined) reject(failure.error)
      }
      giveUp()
      iterator.next().then(resolve, reject)
    })
  try {
    for (;;) {
      const next = await nextOrFailure()
      if (next.done === true) break
      waiting.push(next.value)
      waitingBytes += next.value.length
      sizeBytes += next.value.length
      if (!isWriting) {
        writing = write()
        writing.catch((error: unknown) => {
          failure = { error }
          giveUp()
        })
      } else if (waitingBytes >= LOT_BYTES) await writing
    }
    await writing
    return sizeBytes
  } catch (error) {
    // The file must not be closed during a write, but needs no further one.
    waiting = []
    await writing.catch(() => {})
    throw error
  }
}
