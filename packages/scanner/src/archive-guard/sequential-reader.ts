import type { ForwardReader } from './forward-reader.js'

/** Reads on from where the last read ended; fewer bytes than asked for only at the end. */
export interface SequentialReader {
  read: (length: number) => Promise<Buffer>
  skip: (length: number) => Promise<void>
}

export function sequential (reader: ForwardReader): SequentialReader {
  let position = 0
  return {
    read: async (length) => {
      const bytes = await reader.read(position, length)
      position += bytes.length
      return bytes
    },
    skip: async (length) => { position += length }
  }
}

export interface MemberReader extends SequentialReader {
  sizeBytes: number
  /** The first bytes, which the next read returns again. Only before all other reads. */
  peek: (length: number) => Promise<Buffer>
  /** Moves the outer reader to the member's end. */
  finish: () => Promise<void>
}

/** The next bytes of a reader as a file of their own. */
export function memberOf (outer: SequentialReader, sizeBytes: number): MemberReader {
  let leftBytes = sizeBytes
  let peeked: Buffer = Buffer.alloc(0)

  async function take (length: number): Promise<Buffer> {
    const bytes = await outer.read(Math.min(length, leftBytes))
    leftBytes -= bytes.length
    return bytes
  }

  async function skip (length: number): Promise<void> {
    const skipped = Math.min(length, leftBytes)
    leftBytes -= skipped
    await outer.skip(skipped)
  }

  function takePeeked (length: number): Buffer {
    const bytes = peeked.subarray(0, length)
    peeked = peeked.subarray(bytes.length)
    return bytes
  }

  return {
    sizeBytes,
    peek: async (length) => {
      peeked = await take(length)
      return peeked
    },
    read: async (length) => {
      const start = takePeeked(length)
      return start.length === length ? start : Buffer.concat([start, await take(length - start.length)])
    },
    skip: async (length) => { await skip(length - takePeeked(length).length) },
    finish: async () => { await skip(leftBytes) }
  }
}
