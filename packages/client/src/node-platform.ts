import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { streamForm } from './form.js'
import { postByHttp } from './node-post.js'
import type { Platform } from './platform.js'
import { streamOf } from './source.js'

const READ_BYTES = 128 * 1024

export const nodePlatform: Platform = {
  openPath: async (path) => {
    const { size, isFile } = await factsOf(path)
    if (!isFile) throw new TypeError(`${path} is not a file`)
    return {
      name: basename(path),
      size,
      repeatable: true,
      open: ({ reuse = false } = {}) => streamOf(reuse ? bytesInOneBuffer(path, size) : bytesOf(path, size))
    }
  },

  sendForm: async ({ url, headers, signal, fetch, ...form }) => {
    // fetch retains its chunks, and the garbage of a file is as large as the file.
    const { contentType, length, body } = streamForm(form, { reuse: fetch === undefined })
    const all = {
      ...headers,
      'content-type': contentType,
      ...(length === undefined ? {} : { 'content-length': String(length) })
    }
    if (fetch === undefined) return await postByHttp({ url, headers: all, body, signal })
    // Node.js requires `duplex` for a stream body; the type definitions lack it.
    return await fetch(url, { method: 'POST', headers: all, body, signal, duplex: 'half' } as RequestInit)
  },

  createHasher: () => {
    const hash = createHash('sha256')
    return {
      update: (bytes) => {
        hash.update(bytes)
      },
      hex: () => hash.digest('hex')
    }
  }
}

async function factsOf(path: string): Promise<{ size: number; isFile: boolean }> {
  const facts = await stat(path)
  return { size: facts.size, isFile: facts.isFile() }
}

/**
 * Opened on first read: an error before that would be unhandled. Reads no more than the announced size, in
 * case the file grows.
 */
async function* bytesOf(path: string, size: number): AsyncGenerator<Uint8Array> {
  if (size > 0) yield* createReadStream(path, { highWaterMark: READ_BYTES, end: size - 1 })
}

async function* bytesInOneBuffer(path: string, size: number): AsyncGenerator<Uint8Array> {
  const file = await open(path)
  try {
    const buffer = new Uint8Array(Math.min(READ_BYTES, size))
    for (let sent = 0; sent < size; ) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.byteLength, size - sent), sent)
      if (bytesRead === 0) throw new Error(`${path} became shorter while it was sent`)
      sent += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}
