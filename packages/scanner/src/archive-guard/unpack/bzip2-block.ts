import { Refusal } from '../guard-result.js'
import { peekBits, takeBits, type Bits } from './bits.js'

const MAX_CODE_BITS = 20
/** Symbols that follow one another before the next code is chosen. */
const GROUP_SYMBOLS = 50
const RUN_B = 1

export interface Block {
  /** In the lower 8 bits a byte, in the others where the next one stands. */
  links: Uint32Array
  length: number
  /** Where the first one stands. */
  start: number
}

/** A canonical Huffman code. */
interface Code {
  shortest: number
  /** By length: the first of all longer codes, at 20 bits. */
  limits: Uint32Array
  /** By length: what to add to a code to get its place among the symbols. */
  offsets: Int32Array
  symbols: Uint16Array
}

export function readBlock (bits: Bits, maxBytes: number): Block {
  // Blocks that are shuffled against bad cases have not been written since 1997.
  if (takeBits(bits, 1) !== 0) throw new Refusal('Bzip2Broken')
  const origin = takeBits(bits, 24)
  const links = new Uint32Array(maxBytes)
  const length = readSorted(bits, links)
  if (origin >= length) throw new Refusal('Bzip2Broken')

  const places = new Uint32Array(256)
  for (let i = 0; i < length; i++) {
    const byte = links[i] ?? 0
    places[byte] = (places[byte] ?? 0) + 1
  }
  for (let byte = 0, sum = 0; byte < 256; byte++) {
    const count = places[byte] ?? 0
    places[byte] = sum
    sum += count
  }
  for (let i = 0; i < length; i++) {
    const byte = (links[i] ?? 0) & 0xff
    const place = places[byte] ?? 0
    places[byte] = place + 1
    links[place] = (links[place] ?? 0) | (i << 8)
  }
  return { links, length, start: (links[origin] ?? 0) >>> 8 }
}

/** The last column of the sorted rotations. @returns how many bytes it has. */
function readSorted (bits: Bits, sorted: Uint32Array): number {
  const recent = readUsedBytes(bits)
  const endSymbol = recent.length + 1
  const codeCount = takeBits(bits, 3)
  const selectors = readSelectors(bits, codeCount)
  const codes = Array.from({ length: codeCount }, () => readCode(bits, recent.length + 2))

  let length = 0
  let runBytes = 0
  let runDigit = 1
  for (const selector of selectors) {
    const code = codes[selector]
    if (code === undefined) throw new Refusal('Bzip2Broken')
    for (let i = 0; i < GROUP_SYMBOLS; i++) {
      const symbol = readSymbol(bits, code)
      if (symbol <= RUN_B) {
        runBytes += runDigit << symbol
        runDigit *= 2
        if (runBytes > sorted.length) throw new Refusal('Bzip2Broken')
        continue
      }
      if (length + runBytes + (symbol === endSymbol ? 0 : 1) > sorted.length) throw new Refusal('Bzip2Broken')
      sorted.fill(recent[0] ?? 0, length, length + runBytes)
      length += runBytes
      runBytes = 0
      runDigit = 1
      if (symbol === endSymbol) return length
      const byte = recent[symbol - 1] ?? 0
      for (let place = symbol - 1; place > 0; place--) recent[place] = recent[place - 1] ?? 0
      recent[0] = byte
      sorted[length++] = byte
    }
  }
  throw new Refusal('Bzip2Broken')
}

function readUsedBytes (bits: Bits): Uint8Array {
  const used: number[] = []
  const rows = takeBits(bits, 16)
  for (let row = 0; row < 16; row++) {
    const columns = (rows & (0x8000 >> row)) === 0 ? 0 : takeBits(bits, 16)
    for (let column = 0; column < 16; column++) {
      if ((columns & (0x8000 >> column)) !== 0) used.push(row * 16 + column)
    }
  }
  if (used.length === 0) throw new Refusal('Bzip2Broken')
  return Uint8Array.from(used)
}

function readSelectors (bits: Bits, codeCount: number): number[] {
  const count = takeBits(bits, 15)
  if (codeCount < 2 || codeCount > 6 || count === 0) throw new Refusal('Bzip2Broken')
  const recent = [0, 1, 2, 3, 4, 5]
  return Array.from({ length: count }, () => {
    let place = 0
    while (takeBits(bits, 1) === 1) {
      if (++place >= codeCount) throw new Refusal('Bzip2Broken')
    }
    recent.unshift(...recent.splice(place, 1))
    return recent[0] ?? 0
  })
}

function readCode (bits: Bits, symbolCount: number): Code {
  let length = takeBits(bits, 5)
  const lengths = Array.from({ length: symbolCount }, () => {
    for (;;) {
      if (length < 1 || length > MAX_CODE_BITS) throw new Refusal('Bzip2Broken')
      if (takeBits(bits, 1) === 0) return length
      length += takeBits(bits, 1) === 0 ? 1 : -1
    }
  })
  const limits = new Uint32Array(MAX_CODE_BITS + 1)
  const offsets = new Int32Array(MAX_CODE_BITS + 1)
  const symbols: number[] = []
  let next = 0
  for (let bitsLong = 1; bitsLong <= MAX_CODE_BITS; bitsLong++) {
    offsets[bitsLong] = symbols.length - next
    for (const [symbol, own] of lengths.entries()) {
      if (own === bitsLong) symbols.push(symbol)
    }
    next = symbols.length - (offsets[bitsLong] ?? 0)
    // More codes than there is room for: decoders differ in what they make of it.
    if (next > 1 << bitsLong) throw new Refusal('Bzip2Broken')
    limits[bitsLong] = next << (MAX_CODE_BITS - bitsLong)
    next *= 2
  }
  return { shortest: Math.min(...lengths), limits, offsets, symbols: Uint16Array.from(symbols) }
}

function readSymbol (bits: Bits, { shortest, limits, offsets, symbols }: Code): number {
  const code = peekBits(bits, MAX_CODE_BITS)
  let length = shortest
  while (length <= MAX_CODE_BITS && code >= (limits[length] ?? 0)) length++
  if (length > MAX_CODE_BITS) throw new Refusal('Bzip2Broken')
  bits.position += length
  if (bits.position > bits.bytes.length * 8) throw new Refusal('Bzip2Broken')
  return symbols[(code >>> (MAX_CODE_BITS - length)) + (offsets[length] ?? 0)] ?? 0
}
