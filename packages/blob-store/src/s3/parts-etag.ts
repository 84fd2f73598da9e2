import { createHash } from 'node:crypto'
import type { Checksum } from '../remote/checksum.js'

/** The ETag of a multipart object where the ETag of a part is its MD5: an MD5 of MD5s, and their number. */
export function etagOfParts(md5s: readonly Buffer[]): string {
  return `"${createHash('md5').update(Buffer.concat(md5s)).digest('hex')}-${md5s.length}"`
}

export function md5Of(bytes: Uint8Array): Buffer {
  return createHash('md5').update(bytes).digest()
}

/** @param partSizeBytes of every part but the last */
export function partsChecksum(etag: string, partSizeBytes: number): Checksum {
  const md5s: Buffer[] = []
  let current = createHash('md5')
  let filled = 0
  return {
    update: (bytes) => {
      for (let taken = 0; taken < bytes.length; ) {
        if (filled === partSizeBytes) {
          md5s.push(current.digest())
          current = createHash('md5')
          filled = 0
        }
        const step = Math.min(bytes.length - taken, partSizeBytes - filled)
        current.update(bytes.subarray(taken, taken + step))
        filled += step
        taken += step
      }
    },
    matches: () => etagOfParts([...md5s, current.copy().digest()]) === etag
  }
}
