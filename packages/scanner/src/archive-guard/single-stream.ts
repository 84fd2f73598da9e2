import { crc32 } from 'node:zlib'
import { yieldToEventLoop } from '../yield-to-event-loop.js'
import { isPlainXz } from './xz-index.js'

/** LZMA2 with its properties byte: a dictionary of 4 GiB. */
const LARGEST_DICTIONARY = Buffer.from('210128', 'hex')
/** The bytes before the first filter: the header's length, flags and two numbers. */
const XZ_FILTER_AT_MOST = 20
/** 50 MB of random bytes contain three matches. A file with this many was made to consume time. */
const MAX_DICTIONARIES = 10_000
/** The start of a stream: the letters and a digit, then the signature of a block or of the end. */
const BZIP2_START = /^BZh[1-9]$/
const BZIP2_START_BYTES = 4
const BZIP2_MARKS = ['314159265359', '177245385090'].map((hex) => Buffer.from(hex, 'hex'))

/**
 * Whether clamd unpacks the whole file by itself: it reads one stream of bzip2, or one of xz without filters
 * for machine code. In doubt the result is false, and the unpacked bytes are scanned again.
 */
export async function isSeenWhole(packed: Buffer, format: string): Promise<boolean> {
  if (format === 'bzip2') return !(await hasSecondBzip2Stream(packed))
  return format === 'xz' && (await isPlainXz(packed))
}

async function hasSecondBzip2Stream(packed: Buffer): Promise<boolean> {
  for (const mark of BZIP2_MARKS) {
    // Searches behind the signature of the first stream.
    for (
      let at = packed.indexOf(mark, BZIP2_START_BYTES + 1);
      at !== -1;
      at = packed.indexOf(mark, at + mark.length)
    ) {
      if (BZIP2_START.test(packed.toString('latin1', at - BZIP2_START_BYTES, at))) return true
      await yieldToEventLoop()
    }
  }
  return false
}

/**
 * Whether a block asks for the largest possible dictionary. The WebAssembly build of 7-Zip reports such a
 * file as damaged. Blocks begin at multiples of 4, and their headers end in a checksum.
 */
export async function hasLargestXzDictionary(packed: Buffer, format: string): Promise<boolean> {
  if (format !== 'xz') return false
  const find = (from: number): number => packed.indexOf(LARGEST_DICTIONARY, from)
  let found = 0
  for (let at = find(0); at !== -1; at = find(at + 1)) {
    if (++found > MAX_DICTIONARIES) return true
    for (let start = at - (at % 4); start >= Math.max(0, at - XZ_FILTER_AT_MOST); start -= 4) {
      const checkOffset = start + (packed[start] ?? 0) * 4
      if (checkOffset <= at || checkOffset + 4 > packed.length) continue
      if (crc32(packed.subarray(start, checkOffset)) === packed.readUInt32LE(checkOffset)) return true
    }
    await yieldToEventLoop()
  }
  return false
}
