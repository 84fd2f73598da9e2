import { createHash } from 'node:crypto'
import { createCrc32c } from './crc32c.js'

/** Of an object's bytes, in their order. */
export interface Checksum {
  update: (bytes: Uint8Array) => void
  /** Whether the bytes so far are the object's. */
  matches: () => boolean
}

export function crc32cChecksum(expected: string): Checksum {
  const crc32c = createCrc32c()
  return { update: crc32c.update, matches: () => crc32c.toString() === expected }
}

/** @param expected in base64 */
export function md5Checksum(expected: string): Checksum {
  const hash = createHash('md5')
  return {
    update: (bytes) => {
      hash.update(bytes)
    },
    matches: () => hash.copy().digest('base64') === expected
  }
}
