import { Refusal } from './guard-result.js'
import type { SequentialReader } from './sequential-reader.js'

const CHUNK_BYTES = 256 * 1024
/** The start of a block: the digits of pi, right after "BZh" and the block size. */
const BLOCK_MAGIC = Buffer.from('314159265359', 'hex')
const STREAM_MAGIC = Buffer.from('BZh')
const STREAM_HEADER_BYTES = 4

/** clamd unpacks the first stream only; bunzip2 unpacks all of them, and parallel compressors write many. */
export async function guardBzip2 (reader: SequentialReader): Promise<void> {
  // Past the first stream's own header: every further one is one too many.
  await reader.skip(STREAM_HEADER_BYTES)
  let window = Buffer.alloc(0)
  for (let chunk = await reader.read(CHUNK_BYTES); chunk.length > 0; chunk = await reader.read(CHUNK_BYTES)) {
    // The overlap catches a header that lies across two chunks.
    window = Buffer.concat([window.subarray(-(STREAM_HEADER_BYTES + BLOCK_MAGIC.length - 1)), chunk])
    for (let at = window.indexOf(STREAM_MAGIC); at !== -1; at = window.indexOf(STREAM_MAGIC, at + 1)) {
      const block = window.subarray(at + STREAM_HEADER_BYTES, at + STREAM_HEADER_BYTES + BLOCK_MAGIC.length)
      if (block.equals(BLOCK_MAGIC)) throw new Refusal('Bzip2Streams')
    }
  }
}
