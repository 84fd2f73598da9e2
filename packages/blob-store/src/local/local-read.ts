import { constants } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { AppError } from '@filewright/runtime'
import { throwIfAborted } from '../abort.js'
import type { ReadOptions } from '../blob-store.js'
import { createPullStream } from '../pull-stream.js'
import { rangeBeyondEnd } from '../range.js'
import { errnoOf, onDisk } from './disk-errors.js'
import type { LocalFileSystem } from './local-file-system.js'

/** Large enough that a 50 MiB download costs 200 reads, small enough for hundreds of slow readers. */
const CHUNK_BYTES = 256 * 1024

export async function readLocal (fs: LocalFileSystem, path: string, { range, signal }: ReadOptions): Promise<Readable> {
  throwIfAborted(signal)
  const handle = await openOrThrow(fs, path)
  try {
    const { size } = await onDisk('read', handle.stat())
    if (range !== undefined && range.start >= size) throw rangeBeyondEnd()
    const reader = createReader(handle, range?.start ?? 0, Math.min(range?.end ?? size - 1, size - 1) + 1)
    let first = await reader.next()
    throwIfAborted(signal)
    // A small blob has been read whole by now: its file need not stay open for as long as its reader takes.
    const whole = reader.isDone()
    if (whole) await onDisk('read', handle.close())
    return createPullStream({
      pull: async () => {
        const chunk = first ?? (whole ? null : await reader.next())
        first = null
        return chunk
      },
      // Closing under a read in progress could let that read hit whatever file gets the number next.
      close: async (idle) => {
        await idle
        if (!whole) await handle.close()
      },
      signal,
      highWaterMark: CHUNK_BYTES
    })
  } catch (error) {
    await handle.close().catch(() => {})
    throw error
  }
}

async function openOrThrow (fs: LocalFileSystem, path: string): Promise<FileHandle> {
  try {
    return await onDisk('open', fs.open(path, constants.O_RDONLY | constants.O_NOFOLLOW))
  } catch (error) {
    if (error instanceof AppError && errnoOf(error.cause) === 'ENOENT') throw new AppError('BLOB_NOT_FOUND', 'no such blob', { cause: error.cause })
    throw error
  }
}

interface Reader {
  next: () => Promise<Uint8Array | null>
  isDone: () => boolean
}

function createReader (handle: FileHandle, start: number, stop: number): Reader {
  let position = start
  return {
    isDone: () => position >= stop,
    next: async () => {
      if (position >= stop) return null
      const buffer = Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, stop - position))
      const { bytesRead } = await onDisk('read', handle.read(buffer, 0, buffer.length, position))
      // Blobs never change: one that became shorter under us is damaged, and ending early would pass it off as whole.
      if (bytesRead === 0) throw new AppError('BLOB_CORRUPT', `the blob ended at ${position} of ${stop} bytes`)
      position += bytesRead
      return bytesRead === buffer.length ? buffer : buffer.subarray(0, bytesRead)
    }
  }
}
