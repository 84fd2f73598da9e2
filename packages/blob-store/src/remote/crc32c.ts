const POLYNOMIAL = 0x82f63b78

/**
 * Eight tables, eight bytes per step: half the time of the client library's bytewise version. This runs on
 * the event loop for every byte.
 */
const TABLES = makeTables()

function makeTables(): Int32Array {
  const tables = new Int32Array(8 * 256)
  for (let byte = 0; byte < 256; byte++) {
    let value = byte
    for (let bit = 0; bit < 8; bit++) value = (value & 1) === 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1
    tables[byte] = value
  }
  for (let byte = 0; byte < 256; byte++) {
    for (let table = 1; table < 8; table++) {
      const previous = tables[(table - 1) * 256 + byte]!
      tables[table * 256 + byte] = (previous >>> 8) ^ tables[previous & 255]!
    }
  }
  return tables
}

export interface Crc32c {
  update: (bytes: Uint8Array) => void
  /** In Google's format: big-endian, base64. */
  toString: () => string
}

export function createCrc32c(): Crc32c {
  let crc = 0
  return {
    update: (bytes) => {
      crc = updated(crc, bytes)
    },
    toString: () => {
      const digest = Buffer.alloc(4)
      digest.writeInt32BE(crc)
      return digest.toString('base64')
    }
  }
}

function updated(crc: number, bytes: Uint8Array): number {
  const table = TABLES
  const lastStep = bytes.length - 7
  let value = ~crc
  let at = 0
  for (; at < lastStep; at += 8) {
    value ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)
    value =
      table[1792 + (value & 255)]! ^
      table[1536 + ((value >>> 8) & 255)]! ^
      table[1280 + ((value >>> 16) & 255)]! ^
      table[1024 + (value >>> 24)]! ^
      table[768 + bytes[at + 4]!]! ^
      table[512 + bytes[at + 5]!]! ^
      table[256 + bytes[at + 6]!]! ^
      table[bytes[at + 7]!]!
  }
  for (; at < bytes.length; at++) value = (value >>> 8) ^ table[(value ^ bytes[at]!) & 255]!
  return ~value
}
