import { Refusal } from './refusals.js'

const HEADER_BYTES = 6
const TRAILER_BYTES = 20
/** The properties that lzip always uses, where LZMA leaves a choice. */
const PROPERTIES = 0x5d
/** As a power of two. */
const SMALLEST_DICTIONARY = 12

/**
 * The same data as a bare LZMA file, which 7-Zip opens and lzip's own form it does not. Of one member only: what follows a first member belongs
 * to the same content, and cannot be told from it afterwards.
 */
export function lzipAsLzma (lzip: Buffer): Buffer {
  if (lzip.length < HEADER_BYTES + TRAILER_BYTES || lzip.readBigUInt64LE(lzip.length - 8) !== BigInt(lzip.length)) {
    throw new Refusal('LzipMembers')
  }
  // The size of the dictionary may be a part of this power of two, which 7-Zip does not take. A larger one does no harm.
  const dictionaryBytes = 2 ** Math.max(SMALLEST_DICTIONARY, (lzip[5] ?? 0) & 0x1f)
  const header = Buffer.alloc(13, 0xff)
  header[0] = PROPERTIES
  header.writeUInt32LE(dictionaryBytes, 1)
  return Buffer.concat([header, lzip.subarray(HEADER_BYTES, -TRAILER_BYTES)])
}
