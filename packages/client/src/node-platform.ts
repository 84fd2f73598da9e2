import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { streamForm } from './form.js'
import type { Platform } from './platform.js'
import { streamOf } from './source.js'

const READ_BYTES = 64 * 1024

export const nodePlatform: Platform = {
  openPath: async (path) => {
    const facts = await stat(path)
    if (!facts.isFile()) throw new TypeError(`${path} is not a file`)
    return {
      name: basename(path),
      size: facts.size,
      repeatable: true,
      // Not beyond the size that was announced, should the file grow meanwhile.
      open: () => streamOf(bytesOf(path, facts.size))
    }
  },

  sendForm: async ({ url, headers, signal, fetch, ...form }) => {
    const { contentType, length, body } = streamForm(form)
    return await fetch(url, {
      method: 'POST',
      headers: {
        ...headers, 'content-type': contentType, ...(length === undefined ? {} : { 'content-length': String(length) })
      },
      body,
      signal,
      // Node.js asks for it with a body that is a stream; the types do not know it.
      duplex: 'half'
    } as RequestInit)
  },

  createHasher: () => {
    const hash = createHash('sha256')
    return { update: (bytes) => { hash.update(bytes) }, hex: () => hash.digest('hex') }
  }
}

/** Opened when it is read: an error of a file that nobody reads yet would have no one to catch it. */
async function * bytesOf (path: string, size: number): AsyncGenerator<Uint8Array> {
  if (size > 0) yield * createReadStream(path, { highWaterMark: READ_BYTES, end: size - 1 })
}
