import { constants } from 'node:fs'
import type { Readable } from 'node:stream'
import { AppError } from '@filewright/runtime'
import { throwIfAborted } from '../abort.js'
import type { BlobReader, ReadOptions } from '../blob-store.js'
import { createPullStream } from '../pull-stream.js'
import { rangeBeyondEnd } from '../range.js'
import { errnoOf, onDisk } from './disk-errors.js'
import type { LocalFileSystem } from './local-file-system.js'
import type { OpenFile } from './open-file.js'

/** Large enough that a 50 MiB download takes 200 reads, small enough for hundreds of slow readers. */
const CHUNK_BYTES = 256 * 1024

/** The last bytes of a stream are returned in one chunk, so a small blob need not be joined. */
const WHOLE_BYTES = 1024 * 1024

/** Buffers of closed readers, for reuse: new ones for every download keep the garbage collector busy. */
export interface BufferPool {
  take: () => Buffer
  giveBack: (buffer: Buffer) => void
}

/** At most 16 MiB are kept. */
const KEPT_BUFFERS = 64

export function createBufferPool(): BufferPool {
  const free: Buffer[] = []
  return {
    take: () => free.pop() ?? Buffer.allocUnsafeSlow(CHUNK_BYTES),
    giveBack: (buffer) => {
      if (free.length < KEPT_BUFFERS) free.push(buffer)
    }
  }
}

export async function readLocal(fs: LocalFileSystem, path: string, options: ReadOptions): Promise<Readable> {
  const { handle, reader, first, whole } = await begin(fs, path, options, (left) =>
    Buffer.allocUnsafeSlow(left <= WHOLE_BYTES ? left : CHUNK_BYTES)
  )
  let unread: Uint8Array | null = first
  return createPullStream({
    pull: async () => {
      const chunk = unread ?? (whole ? null : await reader.next())
      unread = null
      return chunk
    },
    // Closing during a read could make that read hit another file that gets the same descriptor.
    close: async (idle) => {
      await idle
      if (!whole) await handle.close()
    },
    signal: options.signal,
    highWaterMark: CHUNK_BYTES
  })
}

export async function openLocal(
  fs: LocalFileSystem,
  path: string,
  options: ReadOptions,
  buffers: BufferPool
): Promise<BlobReader> {
  const buffer = buffers.take()
  try {
    const { handle, reader, first, whole } = await begin(fs, path, options, (left) =>
      buffer.subarray(0, left)
    )
    let unread: Uint8Array | null = first
    return {
      next: async () => {
        throwIfAborted(options.signal)
        const piece = unread ?? (whole ? null : await reader.next())
        unread = null
        return piece
      },
      close: async () => {
        buffers.giveBack(buffer)
        if (!whole) await handle.close()
      }
    }
  } catch (error) {
    buffers.giveBack(buffer)
    throw error
  }
}

/** Straight into the caller's memory: fewer calls than reading in chunks, and nothing is copied. */
export async function readLocalInto(
  fs: LocalFileSystem,
  path: string,
  buffer: Buffer,
  { range, signal }: ReadOptions
): Promise<number> {
  throwIfAborted(signal)
  const handle = await openOrThrow(fs, path)
  try {
    const { size } = await onDisk('read', handle.stat())
    const start = range?.start ?? 0
    if (range !== undefined && start >= size) throw rangeBeyondEnd()
    const length = Math.min(range?.end ?? size - 1, size - 1) + 1 - start
    if (length > buffer.length) throw new RangeError(`${length} bytes do not fit into ${buffer.length}`)
    const reader = createReader(handle, start, start + length, (left) =>
      buffer.subarray(length - left, length)
    )
    while ((await reader.next()) !== null) throwIfAborted(signal)
    return length
  } finally {
    await handle.close()
  }
}

interface Begun {
  handle: OpenFile
  reader: Reader
  first: Uint8Array | null
  /**
   * The blob has been read completely and its file is closed, so it does not stay open while a slow client
   * reads.
   */
  whole: boolean
}

async function begin(
  fs: LocalFileSystem,
  path: string,
  { range, signal }: ReadOptions,
  bufferOf: (left: number) => Buffer
): Promise<Begun> {
  throwIfAborted(signal)
  const handle = await openOrThrow(fs, path)
  try {
    const { size } = await onDisk('read', handle.stat())
    if (range !== undefined && range.start >= size) throw rangeBeyondEnd()
    const reader = createReader(
      handle,
      range?.start ?? 0,
      Math.min(range?.end ?? size - 1, size - 1) + 1,
      bufferOf
    )
    const first = await reader.next()
    throwIfAborted(signal)
    const whole = reader.isDone()
    if (whole) await onDisk('read', handle.close())
    return { handle, reader, first, whole }
  } catch (error) {
    await handle.close().catch(() => {})
    throw error
  }
}

async function openOrThrow(fs: LocalFileSystem, path: string): Promise<OpenFile> {
  try {
    return await onDisk('open', fs.open(path, constants.O_RDONLY | constants.O_NOFOLLOW))
  } catch (error) {
    if (error instanceof AppError && errnoOf(error.cause) === 'ENOENT') {
      throw new AppError('BLOB_NOT_FOUND', 'no such blob', { cause: error.cause })
    }
    throw error
  }
}

interface Reader {
  next: () => Promise<Uint8Array | null>
  isDone: () => boolean
}

function createReader(
  handle: OpenFile,
  start: number,
  stop: number,
  bufferOf: (left: number) => Buffer
): Reader {
  let position = start
  return {
    isDone: () => position >= stop,
    next: async () => {
      if (position >= stop) return null
      const buffer = bufferOf(stop - position)
      const { bytesRead } = await onDisk('read', handle.read(buffer, 0, buffer.length, position))
      // Blobs never change: one that became shorter is corrupt, and ending early would make it look complete.
      if (bytesRead === 0) {
        throw new AppError('BLOB_CORRUPT', `the blob ended at ${position} of ${stop} bytes`)
      }
      position += bytesRead
      return bytesRead === buffer.length ? buffer : buffer.subarray(0, bytesRead)
    }
  }
}
