import type { Readable } from 'node:stream'
import type { BlobReader } from './blob-store.js'

/** Everything from the reader in one buffer. Closes it. */
export async function readAll(reader: BlobReader): Promise<Buffer> {
  const pieces: Buffer[] = []
  try {
    for (let piece = await reader.next(); piece !== null; piece = await reader.next()) {
      pieces.push(Buffer.from(piece))
    }
  } finally {
    await reader.close()
  }
  return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces)
}

/** A stream, one chunk at a time. */
export function readerOf(stream: Readable): BlobReader {
  const pieces = (stream as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
  // The next read gets the error; a late one must not crash the process.
  stream.on('error', () => {})
  return {
    next: async () => {
      const { done, value } = await pieces.next()
      return done === true ? null : value
    },
    close: async () => {
      stream.destroy()
    }
  }
}
