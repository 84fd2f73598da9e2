import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'

export interface Check {
  update: (bytes: Buffer) => void
  /** As it stands behind a block. */
  digest: () => Buffer
}

/** By its number in the stream's header, or null for one that xz does not write. */
export function createCheck (kind: number): Check | null {
  if (kind === 0) return { update: () => {}, digest: () => Buffer.alloc(0) }
  if (kind === 1) return createCrc32()
  if (kind === 4) return createCrc64()
  if (kind !== 10) return null
  const hash = createHash('sha256')
  return { update: (bytes) => { hash.update(bytes) }, digest: () => hash.digest() }
}

function createCrc32 (): Check {
  let crc = 0
  return {
    update: (bytes) => { crc = crc32(bytes, crc) },
    digest: () => {
      const digest = Buffer.alloc(4)
      digest.writeUInt32LE(crc)
      return digest
    }
  }
}

/** The polynomial of ECMA-182, reflected. */
const POLYNOMIAL = 0xc96c5795d7870f42n
const crc64Table = Array.from({ length: 256 }, (_, byte) => {
  let crc = BigInt(byte)
  for (let bit = 0; bit < 8; bit++) crc = (crc >> 1n) ^ ((crc & 1n) === 1n ? POLYNOMIAL : 0n)
  return crc
})
/** In halves: numbers of 64 bits would take most of the time that unpacking takes. */
const lowHalves = Int32Array.from(crc64Table, (crc) => Number(crc & 0xffffffffn))
const highHalves = Int32Array.from(crc64Table, (crc) => Number(crc >> 32n))

function createCrc64 (): Check {
  let low = -1
  let high = -1
  return {
    update: (bytes) => {
      let [nextLow, nextHigh] = [low, high]
      for (let i = 0; i < bytes.length; i++) {
        const index = (nextLow ^ (bytes[i] ?? 0)) & 0xff
        nextLow = ((nextLow >>> 8) | (nextHigh << 24)) ^ (lowHalves[index] ?? 0)
        nextHigh = (nextHigh >>> 8) ^ (highHalves[index] ?? 0)
      }
      low = nextLow
      high = nextHigh
    },
    digest: () => {
      const digest = Buffer.alloc(8)
      digest.writeUInt32LE(~low >>> 0)
      digest.writeUInt32LE(~high >>> 0, 4)
      return digest
    }
  }
}
