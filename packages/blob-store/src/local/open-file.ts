import * as fs from 'node:fs'
import { promisify } from 'node:util'

/** The calls of Node's FileHandle that the driver uses. */
export interface OpenFile {
  read: (buffer: Buffer, offset: number, length: number, position: number) => Promise<{ bytesRead: number }>
  write: (bytes: Uint8Array, offset: number, length: number) => Promise<{ bytesWritten: number }>
  writev: (chunks: readonly Uint8Array[]) => Promise<{ bytesWritten: number }>
  stat: () => Promise<{ size: number }>
  sync: () => Promise<void>
  datasync: () => Promise<void>
  /** After the running calls have ended: until then no other file may get this descriptor. */
  close: () => Promise<void>
}

const calls = {
  open: promisify(fs.open),
  read: promisify(fs.read),
  write: promisify(fs.write),
  writev: promisify(fs.writev),
  fstat: promisify(fs.fstat),
  fsync: promisify(fs.fsync),
  fdatasync: promisify(fs.fdatasync),
  close: promisify(fs.close)
}

/**
 * Like `open` of `node:fs/promises`, with callbacks: a FileHandle costs as much as the system calls for a
 * small file.
 */
export async function openFile(path: string, flags: string | number, mode?: number): Promise<OpenFile> {
  const fd = await calls.open(path, flags, mode)
  let underWay = 0
  let closed: Promise<void> | undefined
  let onIdle = (): void => {}

  async function use<T>(call: () => Promise<T>): Promise<T> {
    if (closed !== undefined) throw new Error('the file is closed')
    underWay++
    try {
      return await call()
    } finally {
      if (--underWay === 0) onIdle()
    }
  }

  async function close(): Promise<void> {
    if (underWay > 0) {
      await new Promise<void>((resolve) => {
        onIdle = resolve
      })
    }
    await calls.close(fd)
  }

  return {
    read: async (buffer, offset, length, position) =>
      await use(async () => await calls.read(fd, buffer, offset, length, position)),
    write: async (bytes, offset, length) =>
      await use(async () => await calls.write(fd, bytes, offset, length)),
    writev: async (chunks) => await use(async () => await calls.writev(fd, chunks)),
    stat: async () => await use(async () => await calls.fstat(fd)),
    sync: async () => await use(async () => await calls.fsync(fd)),
    datasync: async () => await use(async () => await calls.fdatasync(fd)),
    close: async () => {
      await (closed ??= close())
    }
  }
}

/** Appends to what has been written. */
export async function writeAll(file: OpenFile, chunks: Uint8Array[]): Promise<void> {
  let { bytesWritten } = await file.writev(chunks)
  for (const chunk of chunks) {
    // A disk may write less than requested.
    for (; bytesWritten < chunk.length; ) {
      bytesWritten += (await file.write(chunk, bytesWritten, chunk.length - bytesWritten)).bytesWritten
    }
    bytesWritten -= chunk.length
  }
}
