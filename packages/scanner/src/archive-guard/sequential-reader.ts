import { yieldToEventLoop } from '../yield-to-event-loop.js'
import type { ForwardReader } from './forward-reader.js'

const CHUNK_BYTES = 64 * 1024
/** Reads from this size on fill one buffer: joining chunks would need twice the memory. */
const LARGE_BYTES = 1024 * 1024

/** Continues where the last read ended. Returns fewer bytes than requested only at the end. */
export interface SequentialReader {
  read: (length: number) => Promise<Buffer>
  skip: (length: number) => Promise<void>
}

export function sequential(reader: ForwardReader, start = 0): SequentialReader {
  let position = start
  return {
    read: async (length) => {
      const bytes = await reader.read(position, length)
      position += bytes.length
      return bytes
    },
    skip: async (length) => {
      position += length
    }
  }
}

/** @param onRead is called for each chunk that arrives; may throw */
export function readerOf(chunks: AsyncIterator<Buffer>, onRead: (bytes: number) => void): SequentialReader {
  let pending: Buffer = Buffer.alloc(0)

  /** Returns the bytes that are available without waiting, up to that many. Empty only at the end. */
  async function take(length: number): Promise<Buffer> {
    while (pending.length === 0) {
      const next = await chunks.next()
      if (next.done === true) return pending
      pending = next.value
      onRead(pending.length)
      await yieldToEventLoop()
    }
    const taken = pending.subarray(0, length)
    pending = pending.subarray(taken.length)
    return taken
  }

  return {
    read: async (length) => await gather(take, length),
    skip: async (length) => await takeEach(take, length, () => {})
  }
}

/** Returns some of the next bytes, up to that many. Empty only at the end. */
type Take = (length: number) => Promise<Buffer>

async function takeEach(take: Take, length: number, onPart: (part: Buffer) => void): Promise<void> {
  for (let left = length; left > 0; ) {
    const part = await take(left)
    if (part.length === 0) return
    left -= part.length
    onPart(part)
  }
}

async function gather(take: Take, length: number): Promise<Buffer> {
  const parts: Buffer[] = []
  await takeEach(take, Math.min(length, LARGE_BYTES), (part) => {
    parts.push(part)
  })
  const start = parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts)
  if (start.length < LARGE_BYTES || start.length === length) return start
  // The operating system allocates only the pages that are written.
  const whole = Buffer.allocUnsafeSlow(length)
  let filled = start.copy(whole)
  await takeEach(take, length - filled, (part) => {
    filled += part.copy(whole, filled)
  })
  return whole.subarray(0, filled)
}

/** All remaining bytes, in chunks. */
export async function* restOf(
  reader: SequentialReader,
  chunkBytes = CHUNK_BYTES
): AsyncGenerator<Buffer, void, undefined> {
  for (let chunk = await reader.read(chunkBytes); chunk.length > 0; chunk = await reader.read(chunkBytes)) {
    yield chunk
  }
}

export async function hasOnlyZerosLeft(reader: SequentialReader): Promise<boolean> {
  for await (const chunk of restOf(reader)) {
    if (!isZero(chunk)) return false
  }
  return true
}

export function isZero(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0)
}

export interface MemberReader extends SequentialReader {
  /** Infinity if the size is known only at the end. */
  sizeBytes: number
  /** The first bytes, which the next read returns again. Must precede all other reads. */
  peek: (length: number) => Promise<Buffer>
  /** Moves the outer reader to the end of the member. */
  finish: () => Promise<void>
}

/** Reads the next bytes of a reader as a separate file. */
export function memberOf(outer: SequentialReader, sizeBytes: number): MemberReader {
  let leftBytes = sizeBytes
  let peeked: Buffer = Buffer.alloc(0)

  async function take(length: number): Promise<Buffer> {
    const bytes = await outer.read(Math.min(length, leftBytes))
    leftBytes -= bytes.length
    return bytes
  }

  async function skip(length: number): Promise<void> {
    const skipped = Math.min(length, leftBytes)
    leftBytes -= skipped
    await outer.skip(skipped)
  }

  function takePeeked(length: number): Buffer {
    const bytes = peeked.subarray(0, length)
    peeked = peeked.subarray(bytes.length)
    return bytes
  }

  return {
    sizeBytes,
    peek: async (length) => {
      if (peeked.length < length) peeked = Buffer.concat([peeked, await take(length - peeked.length)])
      return peeked.subarray(0, length)
    },
    read: async (length) =>
      await gather(async (left) => {
        // In chunks: the outer reader would collect a large read in memory as well.
        return peeked.length > 0 ? takePeeked(left) : await take(Math.min(left, CHUNK_BYTES))
      }, length),
    skip: async (length) => await skip(length - takePeeked(length).length),
    finish: async () => await skip(leftBytes)
  }
}
