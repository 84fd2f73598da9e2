import { isAscii } from 'node:buffer'
import type { TextCheck } from './text-verdict.js'

/** NUL and stray control characters, and unassigned code points. */
// eslint-disable-next-line no-control-regex
const NOT_IN_TEXT = /[\0-\x06\x0e-\x19\x1c-\x1f\ufffe\uffff]/
/** Without a byte order mark the characters are the only proof: all must be assigned. */
const NOT_A_CHARACTER = /[\x7f-\x9f\p{Cn}\p{Co}]/u

export interface Utf16Options {
  /** Without a byte order mark, the text needs other evidence. */
  marked: boolean
}

export function createUtf16Check(encoding: 'utf-16le' | 'utf-16be', { marked }: Utf16Options): TextCheck {
  const decoder = new TextDecoder(encoding, { fatal: true })
  let valid = true

  function check(decode: () => string): void {
    try {
      const text = decode()
      valid &&= !NOT_IN_TEXT.test(text) && (marked || !NOT_A_CHARACTER.test(text))
    } catch {
      valid = false
    }
  }

  return {
    update(chunk) {
      if (valid) check(() => decoder.decode(chunk, { stream: true }))
    },
    finish() {
      if (valid) check(() => decoder.decode())
      return valid ? { encoding, charset: marked ? 'utf-16' : encoding } : null
    }
  }
}

const SAMPLE_PAIRS = 256
const MIN_BYTES = 8

/**
 * The order of UTF-16 without a mark, by the first bytes: half of each pair is the block of 256 characters.
 * It is 0 for spaces, digits and line ends, and usually one other value for the letters of a script. The
 * other half is never 0. Chinese, Japanese and Korean use about half of all blocks, so their texts must be
 * longer to be recognized.
 */
export function guessUtf16(bytes: Buffer): 'utf-16le' | 'utf-16be' | null {
  if (bytes.length < MIN_BYTES) return null
  const pairs = Math.min(SAMPLE_PAIRS, bytes.length >> 1)
  // Both guesses need some of these, and most texts have none.
  const sample = bytes.subarray(0, 2 * pairs)
  if (isAscii(sample) && !sample.includes(0)) return null
  for (const [encoding, blockAt] of [
    ['utf-16le', 1],
    ['utf-16be', 0]
  ] as const) {
    const blocks = new Uint16Array(256)
    let nuls = 0
    let beyondAscii = 0
    for (let pair = 0; pair < pairs; pair++) {
      const block = bytes[2 * pair + blockAt] as number
      blocks[block] = (blocks[block] as number) + 1
      const place = bytes[2 * pair + 1 - blockAt] as number
      if (place === 0) nuls++
      if (block !== 0 && place >= 0x80) beyondAscii++
    }
    const inBlock0 = blocks[0] as number
    const inScript = Math.max(...blocks.subarray(1))
    if (nuls === 0 && inBlock0 >= pairs * 0.1 && inBlock0 + inScript >= pairs * 0.9) return encoding
    // Pairs of ASCII look like kana and Han: "00" is one, "NN" another.
    if (isEastAsian(blocks, pairs) && beyondAscii >= pairs * 0.2) return encoding
  }
  return null
}

const MIN_EAST_ASIAN_PAIRS = 48
/** General punctuation, kana with their own punctuation, and full-width forms. */
const EAST_ASIAN_BLOCKS = new Set([0x20, 0x30, 0xff])
const isHan = (block: number): boolean => block >= 0x4e && block <= 0x9f
const isHangul = (block: number): boolean => block >= 0xac && block <= 0xd7

/**
 * Nearly all characters are of these scripts or ASCII, and some are spaces, line ends, kana or punctuation.
 */
function isEastAsian(blocks: Uint16Array, pairs: number): boolean {
  if (pairs < MIN_EAST_ASIAN_PAIRS) return false
  let fitting = blocks[0] as number
  blocks.forEach((count, block) => {
    if (EAST_ASIAN_BLOCKS.has(block) || isHan(block) || isHangul(block)) fitting += count
  })
  return fitting >= pairs * 0.98 && (blocks[0] as number) + (blocks[0x30] as number) >= pairs * 0.02
}

const isControl = (point: number): boolean =>
  point < 0x20 && !(point >= 0x07 && point <= 0x0d) && point !== 0x1a && point !== 0x1b

/** UTF-32 with its mark, which is four bytes long: proof enough with code points that exist. */
export function createUtf32Check(encoding: 'utf-32le' | 'utf-32be'): TextCheck {
  let valid = true
  let rest: Buffer = Buffer.alloc(0)

  return {
    update(chunk) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      const end = bytes.length & ~3
      for (let at = 0; at < end && valid; at += 4) {
        const point = encoding === 'utf-32le' ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at)
        valid = point <= 0x10ffff && (point & 0xf800) !== 0xd800 && !isControl(point)
      }
      // A copy, because the stream may reuse the chunk's memory.
      rest = Buffer.from(bytes.subarray(end))
    },
    finish: () => (valid && rest.length === 0 ? { encoding, charset: 'utf-32' } : null)
  }
}

export function decodeUtf32(bytes: Buffer, encoding: 'utf-32le' | 'utf-32be'): string {
  let text = ''
  for (let at = 4; at + 4 <= bytes.length; at += 4) {
    text += String.fromCodePoint(encoding === 'utf-32le' ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at))
  }
  return text
}
