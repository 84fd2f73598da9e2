import type { Readable } from 'node:stream'
import type { BlobReader } from './blob-store.js'

/** A stream, one piece at a time. */
export function readerOf(stream: Readable): BlobReader {
  const pieces = (stream as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
  // The next read gets the error; a late one must not end the process.
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
