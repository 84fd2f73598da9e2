import { Refusal } from './refusals.js'
import type { SequentialReader } from './sequential-reader.js'

const HEADER_BYTES = 10
const MAGIC_AND_METHOD = Buffer.from('1f8b08', 'hex')
const RESERVED_FLAGS = 0xe0
const HAS_EXTRA = 0x04
const HAS_NAME = 0x08
const HAS_COMMENT = 0x10
const HAS_CHECKSUM = 0x02
const PIECE_BYTES = 4096

/** A reader to which surplus bytes can be returned. */
export interface UnreadableReader extends SequentialReader {
  unread: (bytes: Buffer) => void
  peek: (length: number) => Promise<Buffer>
}

export function unreadable(reader: SequentialReader): UnreadableReader {
  let pending: Buffer = Buffer.alloc(0)

  async function read(length: number): Promise<Buffer> {
    const start = pending.subarray(0, length)
    pending = pending.subarray(start.length)
    if (start.length === length) return start
    const rest = await reader.read(length - start.length)
    return start.length === 0 ? rest : Buffer.concat([start, rest])
  }

  function unread(bytes: Buffer): void {
    pending = pending.length === 0 ? bytes : Buffer.concat([bytes, pending])
  }

  return {
    read,
    unread,
    peek: async (length) => {
      const bytes = await read(length)
      unread(bytes)
      return bytes
    },
    skip: async (length) => {
      const skipped = Math.min(length, pending.length)
      pending = pending.subarray(skipped)
      await reader.skip(length - skipped)
    }
  }
}

/**
 * Skips the header of a member. Some programs check a header checksum and others skip it, and common programs
 * do not write one.
 */
export async function skipGzipHeader(reader: UnreadableReader): Promise<void> {
  const header = await reader.read(HEADER_BYTES)
  const flags = header[3] ?? 0
  const isKnown = header.length === HEADER_BYTES && header.subarray(0, 3).equals(MAGIC_AND_METHOD)
  if (!isKnown) throw new Refusal('GzipBroken')
  if ((flags & (RESERVED_FLAGS | HAS_CHECKSUM)) !== 0) throw new Refusal('GzipHeader')
  if ((flags & HAS_EXTRA) !== 0) {
    const length = await reader.read(2)
    await reader.skip(length.length === 2 ? length.readUInt16LE() : 0)
  }
  if ((flags & HAS_NAME) !== 0) await skipText(reader)
  if ((flags & HAS_COMMENT) !== 0) await skipText(reader)
}

/** Skips a string and its final NUL. */
async function skipText(reader: UnreadableReader): Promise<void> {
  for (;;) {
    const piece = await reader.read(PIECE_BYTES)
    const end = piece.indexOf(0)
    if (end !== -1) return reader.unread(piece.subarray(end + 1))
    if (piece.length === 0) throw new Refusal('GzipBroken')
  }
}
