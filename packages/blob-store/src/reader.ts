import type { Readable } from 'node:stream'
import type { BlobReader } from './blob-store.js'

/**
 * Copies everything from the reader to the start of the buffer and returns the number of bytes. Closes the reader.
 * @throws RangeError when the buffer is too small.
 */
export async function readInto(buffer: Buffer, reader: BlobReader): Promise<number> {
  let length = 0
  try {
    for (let piece = await reader.next(); piece !== null; piece = await reader.next()) {
      buffer.set(piece, length)
      length += piece.length
    }
  } finally {
    await reader.close()
  }
  return length
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
