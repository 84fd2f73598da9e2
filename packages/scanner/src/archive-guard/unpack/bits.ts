import { Refusal } from '../guard-result.js'

/** Bits from the highest of each byte down. */
export interface Bits {
  bytes: Buffer
  /** Of the next bit. */
  position: number
}

/** The next bits without moving on, up to 25; behind the end there are zeros. */
export function peekBits ({ bytes, position }: Bits, count: number): number {
  const at = position >>> 3
  const word = ((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)
  return (word << (position & 7)) >>> (32 - count)
}

export function takeBits (bits: Bits, count: number): number {
  const value = peekBits(bits, count)
  bits.position += count
  if (bits.position > bits.bytes.length * 8) throw new Refusal('Bzip2Broken')
  return value
}
