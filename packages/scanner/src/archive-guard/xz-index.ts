import { yieldToEventLoop } from '../yield-to-event-loop.js'

const HEADER_BYTES = 12
const FOOTER_BYTES = 12
const LZMA2 = 0x21
const SIZES_PRESENT = 0xc0
/** Allows a block of 100 bytes each in the largest upload. Real archives have far fewer. */
const MAX_BLOCKS = 500_000

interface XzBlock {
  offset: number
  unpackedBytes: number
}

/**
 * The blocks of a file with one stream, from the index at its end. Null if the blocks do not fill the file.
 */
async function readIndex(packed: Buffer): Promise<XzBlock[] | null> {
  if (packed.length < HEADER_BYTES + FOOTER_BYTES) return null
  if (packed.toString('latin1', packed.length - 2) !== 'YZ') return null
  const indexBytes = (packed.readUInt32LE(packed.length - 8) + 1) * 4
  const indexOffset = packed.length - FOOTER_BYTES - indexBytes
  if (indexOffset < HEADER_BYTES || packed[indexOffset] !== 0) return null
  const numbers = readNumbers(packed.subarray(indexOffset + 1, packed.length - FOOTER_BYTES))
  const count = numbers.next()
  if (!(count <= MAX_BLOCKS)) return null
  const blocks: XzBlock[] = []
  let offset = HEADER_BYTES
  while (blocks.length < count) {
    const unpaddedBytes = numbers.next()
    const unpackedBytes = numbers.next()
    if (!(unpaddedBytes > 0 && unpackedBytes >= 0) || offset >= indexOffset) return null
    blocks.push({ offset, unpackedBytes })
    offset += Math.ceil(unpaddedBytes / 4) * 4
    await yieldToEventLoop()
  }
  return offset === indexOffset ? blocks : null
}

/** The unpacked size according to the index; 0 if there is no usable index. */
export async function xzIndexBytes(packed: Buffer): Promise<number> {
  const blocks = await readIndex(packed)
  return blocks?.reduce((total, { unpackedBytes }) => total + unpackedBytes, 0) ?? 0
}

/** Whether it is one stream with every block packed by LZMA2 only. */
export async function isPlainXz(packed: Buffer): Promise<boolean> {
  const blocks = await readIndex(packed)
  return blocks?.every(({ offset }) => isLzma2Block(packed, offset)) ?? false
}

/** Behind the header's length: flags with the number of filters, optional sizes, the first filter. */
function isLzma2Block(packed: Buffer, offset: number): boolean {
  const flags = packed[offset + 1] ?? 0xff
  if ((flags & ~SIZES_PRESENT) !== 0) return false
  const numbers = readNumbers(packed.subarray(offset + 2, offset + 64))
  if ((flags & 0x40) !== 0) numbers.next()
  if ((flags & 0x80) !== 0) numbers.next()
  return numbers.next() === LZMA2
}

/** Reads numbers of 7 bits per byte, the lowest first; NaN at the end of the input. */
function readNumbers(bytes: Buffer): { next: () => number } {
  let at = 0
  return {
    next: () => {
      let value = 0
      for (let factor = 1; factor < 2 ** 49; factor *= 128) {
        const byte = bytes[at++]
        if (byte === undefined) return NaN
        value += (byte & 0x7f) * factor
        if (byte < 0x80) return value
      }
      return NaN
    }
  }
}
