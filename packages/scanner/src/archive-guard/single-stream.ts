import { crc32 } from 'node:zlib'

const XZ_HEADER_BYTES = 12
const XZ_FOOTER_BYTES = 12
const XZ_LZMA2 = 0x21
const XZ_SIZES_PRESENT = 0xc0
/** LZMA2 with its one byte of properties: a dictionary of 4 GiB. */
const LARGEST_DICTIONARY = Buffer.from('210128', 'hex')
/** Before the first filter: the header's length, flags and two numbers. */
const XZ_FILTER_AT_MOST = 20
/** What begins a stream: the letters, and the marks of a block or of an end without any. */
const BZIP2_LETTERS = Buffer.from('BZh')
const BZIP2_MARKS = ['314159265359', '177245385090']

/**
 * Whether clamd unpacks all of it by itself: it reads one stream of bzip2, and one of xz without filters for machine code. Where this is not
 * sure, the answer is no, and what was unpacked is scanned once more.
 */
export function isSeenWhole (packed: Buffer, format: string): boolean {
  if (format === 'bzip2') return !hasSecondBzip2Stream(packed)
  return format === 'xz' && isPlainXz(packed)
}

function hasSecondBzip2Stream (packed: Buffer): boolean {
  for (let at = packed.indexOf(BZIP2_LETTERS, 1); at !== -1; at = packed.indexOf(BZIP2_LETTERS, at + 1)) {
    if (BZIP2_MARKS.includes(packed.toString('hex', at + 4, at + 10))) return true
  }
  return false
}

/** The index at the end tells where each block is: they must fill the file, and each must be packed with LZMA2 alone. */
function isPlainXz (packed: Buffer): boolean {
  if (packed.length < XZ_HEADER_BYTES + XZ_FOOTER_BYTES || packed.toString('latin1', packed.length - 2) !== 'YZ') return false
  const indexBytes = (packed.readUInt32LE(packed.length - 8) + 1) * 4
  const indexOffset = packed.length - XZ_FOOTER_BYTES - indexBytes
  if (indexOffset < XZ_HEADER_BYTES || packed[indexOffset] !== 0) return false
  const numbers = readNumbers(packed.subarray(indexOffset + 1, packed.length - XZ_FOOTER_BYTES))
  let offset = XZ_HEADER_BYTES
  for (let left = numbers.next(); left > 0; left--) {
    const unpaddedBytes = numbers.next()
    numbers.next()
    if (offset >= indexOffset || !isLzma2Block(packed, offset)) return false
    offset += Math.ceil(unpaddedBytes / 4) * 4
  }
  return offset === indexOffset
}

/** After the header's length: flags, which have the number of filters, sizes if the flags say so, and the first filter. */
function isLzma2Block (packed: Buffer, offset: number): boolean {
  const flags = packed[offset + 1] ?? 0xff
  if ((flags & ~XZ_SIZES_PRESENT) !== 0) return false
  const numbers = readNumbers(packed.subarray(offset + 2, offset + 64))
  if ((flags & 0x40) !== 0) numbers.next()
  if ((flags & 0x80) !== 0) numbers.next()
  return numbers.next() === XZ_LZMA2
}

/**
 * Whether some block says that it needs the largest dictionary there is. 7-Zip, as it is built for
 * WebAssembly, calls such a file damaged. Blocks begin at multiples of 4, and their headers end in a
 * checksum.
 */
export function hasLargestXzDictionary (packed: Buffer, format: string): boolean {
  if (format !== 'xz') return false
  const find = (from: number): number => packed.indexOf(LARGEST_DICTIONARY, from)
  for (let at = find(0); at !== -1; at = find(at + 1)) {
    for (let start = at - at % 4; start >= Math.max(0, at - XZ_FILTER_AT_MOST); start -= 4) {
      const checkOffset = start + (packed[start] ?? 0) * 4
      if (checkOffset <= at || checkOffset + 4 > packed.length) continue
      if (crc32(packed.subarray(start, checkOffset)) === packed.readUInt32LE(checkOffset)) return true
    }
  }
  return false
}

/** Numbers of 7 bits a byte, the lowest first; NaN where there are no more. */
function readNumbers (bytes: Buffer): { next: () => number } {
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
