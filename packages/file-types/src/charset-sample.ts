import { isAscii } from 'node:buffer'

/** Enough for a reliable result; detection takes a few milliseconds on this many bytes. */
const SAMPLE_BYTES = 4096
/** The words around a non-ASCII letter show its language. */
const AROUND_BYTES = 32
const BLOCK_BYTES = 4096

export interface CharsetSampler {
  update: (chunk: Buffer) => void
  /** The non-ASCII bytes with their context, from the first ones on; empty for ASCII. */
  finish: () => Buffer
}

export function createCharsetSampler(): CharsetSampler {
  const pieces: Buffer[] = []
  let size = 0
  // Bytes of the last chunk that may precede a non-ASCII letter.
  let before: Buffer = Buffer.alloc(0)
  let wanted = 0

  function keep(bytes: Buffer): void {
    const kept = Buffer.from(bytes.subarray(0, SAMPLE_BYTES - size))
    pieces.push(kept)
    size += kept.length
  }

  /** Position of the next non-ASCII byte, or the end. */
  function nextHigh(chunk: Buffer, from: number): number {
    let at = from
    while (at < chunk.length && isAscii(chunk.subarray(at, at + BLOCK_BYTES))) at += BLOCK_BYTES
    while (at < chunk.length && (chunk[at] as number) < 0x80) at++
    return Math.min(at, chunk.length)
  }

  return {
    update(chunk) {
      if (wanted === 0 && chunk.length >= AROUND_BYTES && isAscii(chunk)) {
        // A copy: the chunk's memory may be reused.
        before = Buffer.from(chunk.subarray(chunk.length - AROUND_BYTES))
        return
      }
      let at = 0
      while (at < chunk.length && size < SAMPLE_BYTES) {
        const high = nextHigh(chunk, at)
        const end = Math.min(high, at + wanted)
        keep(chunk.subarray(at, end))
        wanted -= end - at
        // Nothing is kept twice: the context starts after what was kept.
        before = end > at ? Buffer.alloc(0) : before
        const since = Math.max(end, high - AROUND_BYTES)
        const earlier = before.subarray(Math.max(0, before.length - (AROUND_BYTES - (high - since))))
        if (high === chunk.length) {
          before = Buffer.concat([since === end ? earlier : Buffer.alloc(0), chunk.subarray(since)])
          return
        }
        if (since === end) keep(earlier)
        keep(chunk.subarray(since, high + 1))
        before = Buffer.alloc(0)
        wanted = AROUND_BYTES
        at = high + 1
      }
    },
    finish: () => Buffer.concat(pieces)
  }
}
