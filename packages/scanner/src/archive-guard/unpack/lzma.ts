import { Refusal } from '../guard-result.js'

const STATES = 12
const LITERAL_PROBS = 0x300
const LENGTH_PROBS = 2 + 16 * 8 * 2 + 256
const HALF = 1024

/** Where each table begins in the one array of probabilities; the literals come last, since their number depends on the properties. */
const IS_MATCH = 0
const IS_REP = IS_MATCH + STATES * 16
const IS_REP0 = IS_REP + STATES
const IS_REP1 = IS_REP0 + STATES
const IS_REP2 = IS_REP1 + STATES
const IS_REP0_LONG = IS_REP2 + STATES
const SLOT = IS_REP0_LONG + STATES * 16
const SPECIAL = SLOT + 4 * 64
const ALIGN = SPECIAL + 128
const MATCH_LENGTH = ALIGN + 16
const REP_LENGTH = MATCH_LENGTH + LENGTH_PROBS
const LITERAL = REP_LENGTH + LENGTH_PROBS

const broken = (): Refusal => new Refusal('XzBroken')

/** The last bytes that were unpacked, to which matches refer back. */
export interface Dictionary {
  bytes: Buffer
  /** Where the next one goes. */
  at: number
  /** How far back one may refer. */
  filledBytes: number
}

/** Decodes the LZMA chunks of one LZMA2 stream. */
export function createLzma (dictionary: Dictionary) {
  let probs = new Uint16Array(LITERAL)
  let [lc, lpMask, pbMask] = [0, 0, 0]
  let state = 0
  let [rep0, rep1, rep2, rep3] = [0, 0, 0, 0]
  let position = 0
  let input: Buffer = Buffer.alloc(0)
  let at = 0
  let range = 0
  let code = 0

  function normalize (): void {
    if (range >= 0x1000000) return
    range = (range << 8) >>> 0
    code = ((code << 8) | (input[at++] ?? 0)) >>> 0
  }

  function bit (index: number): number {
    normalize()
    const prob = probs[index] ?? 0
    const bound = (range >>> 11) * prob
    if (code < bound) {
      range = bound
      probs[index] = prob + ((2048 - prob) >>> 5)
      return 0
    }
    range -= bound
    code -= bound
    probs[index] = prob - (prob >>> 5)
    return 1
  }

  function tree (base: number, bits: number): number {
    let node = 1
    for (let i = 0; i < bits; i++) node = (node << 1) | bit(base + node)
    return node - (1 << bits)
  }

  function reverseTree (base: number, bits: number): number {
    let node = 1
    let value = 0
    for (let i = 0; i < bits; i++) {
      const next = bit(base + node)
      node = (node << 1) | next
      value |= next << i
    }
    return value
  }

  function direct (bits: number): number {
    let value = 0
    for (let i = 0; i < bits; i++) {
      normalize()
      range >>>= 1
      const next = code >= range ? 1 : 0
      if (next === 1) code -= range
      value = (value << 1) | next
    }
    return value
  }

  function back (distance: number): number {
    const from = dictionary.at - distance - 1
    return dictionary.bytes[from < 0 ? from + dictionary.bytes.length : from] ?? 0
  }

  function put (byte: number): void {
    dictionary.bytes[dictionary.at++] = byte
    if (dictionary.at === dictionary.bytes.length) dictionary.at = 0
    if (dictionary.filledBytes < dictionary.bytes.length) dictionary.filledBytes++
    position++
  }

  /** Byte by byte, since a match may reach into itself. */
  function repeat (matchLength: number, out: Buffer, outAt: number): void {
    const { bytes } = dictionary
    let to = dictionary.at
    let from = to - rep0 - 1
    if (from < 0) from += bytes.length
    for (let i = 0; i < matchLength; i++) {
      const byte = bytes[from] ?? 0
      bytes[to] = byte
      out[outAt + i] = byte
      if (++from === bytes.length) from = 0
      if (++to === bytes.length) to = 0
    }
    dictionary.at = to
    dictionary.filledBytes = Math.min(bytes.length, dictionary.filledBytes + matchLength)
    position += matchLength
  }

  function literal (): number {
    const previous = dictionary.filledBytes === 0 ? 0 : back(0)
    const base = LITERAL + LITERAL_PROBS * (((position & lpMask) << lc) + (previous >> (8 - lc)))
    let symbol = 1
    if (state >= 7) {
      let matched = back(rep0)
      while (symbol < 0x100) {
        const matchBit = (matched >> 7) & 1
        matched <<= 1
        const next = bit(base + ((1 + matchBit) << 8) + symbol)
        symbol = (symbol << 1) | next
        if (matchBit !== next) break
      }
    }
    while (symbol < 0x100) symbol = (symbol << 1) | bit(base + symbol)
    state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6
    return symbol & 0xff
  }

  function length (base: number, posState: number): number {
    if (bit(base) === 0) return 2 + tree(base + 2 + posState * 8, 3)
    if (bit(base + 1) === 0) return 10 + tree(base + 2 + 128 + posState * 8, 3)
    return 18 + tree(base + 2 + 256, 8)
  }

  function matchDistance (matchLength: number): number {
    const slot = tree(SLOT + Math.min(matchLength - 2, 3) * 64, 6)
    if (slot < 4) return slot
    const bits = (slot >> 1) - 1
    const start = ((2 | (slot & 1)) << bits) >>> 0
    if (slot < 14) return start + reverseTree(SPECIAL + start - slot, bits)
    return start + ((direct(bits - 4) << 4) >>> 0) + reverseTree(ALIGN, 4)
  }

  /** @returns how long the match at rep0 is. */
  function match (posState: number): number {
    if (bit(IS_REP + state) === 0) {
      rep3 = rep2
      rep2 = rep1
      rep1 = rep0
      const matchLength = length(MATCH_LENGTH, posState)
      state = state < 7 ? 7 : 10
      rep0 = matchDistance(matchLength)
      return matchLength
    }
    if (bit(IS_REP0 + state) === 0) {
      if (bit(IS_REP0_LONG + state * 16 + posState) === 0) {
        state = state < 7 ? 9 : 11
        return 1
      }
    } else if (bit(IS_REP1 + state) === 0) {
      [rep1, rep0] = [rep0, rep1]
    } else if (bit(IS_REP2 + state) === 0) {
      [rep2, rep1, rep0] = [rep1, rep0, rep2]
    } else {
      [rep3, rep2, rep1, rep0] = [rep2, rep1, rep0, rep3]
    }
    state = state < 7 ? 8 : 11
    return length(REP_LENGTH, posState)
  }

  return {
    /** @throws Refusal for what LZMA2 does not allow. */
    setProperties (properties: number): void {
      const [pb, lp] = [Math.floor(properties / 45), Math.floor(properties / 9) % 5]
      lc = properties % 9
      if (pb > 4 || lc + lp > 4) throw broken()
      pbMask = (1 << pb) - 1
      lpMask = (1 << lp) - 1
      probs = new Uint16Array(LITERAL + (LITERAL_PROBS << (lc + lp)))
    },
    resetState (): void {
      probs.fill(HALF)
      state = 0
      rep0 = rep1 = rep2 = rep3 = 0
    },
    /** Literals depend on where they stand since the dictionary was emptied. */
    resetPosition (): void { position = 0 },
    store (bytes: Buffer): void {
      for (let i = 0; i < bytes.length; i++) put(bytes[i] ?? 0)
    },
    /** Unpacks a chunk to the last byte of either side. */
    decode (packed: Buffer, out: Buffer): void {
      if (packed.length < 5 || packed[0] !== 0) throw broken()
      input = packed
      code = packed.readUInt32BE(1)
      range = 0xffffffff
      at = 5
      for (let filled = 0; filled < out.length;) {
        const posState = position & pbMask
        if (bit(IS_MATCH + state * 16 + posState) === 0) {
          const byte = literal()
          put(byte)
          out[filled++] = byte
          continue
        }
        const matchLength = match(posState)
        if (rep0 >= dictionary.filledBytes || filled + matchLength > out.length) throw broken()
        repeat(matchLength, out, filled)
        filled += matchLength
      }
      normalize()
      if (at !== packed.length || code !== 0) throw broken()
    }
  }
}
