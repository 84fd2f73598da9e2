import { createHash, randomBytes } from 'node:crypto'

export const BLOCK_BYTES = 64 * 1024
/** Makes every file unique: clamd may cache the hashes of clean ones. */
const STAMP_BYTES = 32

/**
 * Lines of hexadecimal digits, the same on both sides and in every run: clamd takes longer for some texts
 * than for others.
 */
function textOf(sizeBytes: number): Buffer {
  const digits = Array.from({ length: Math.ceil(sizeBytes / 64) }, (_, i) =>
    createHash('sha256').update(String(i)).digest('hex')
  ).join('')
  return Buffer.from(digits.replace(/(.{79})./g, '$1\n').slice(0, sizeBytes))
}

function stamp(): Buffer {
  return Buffer.from(randomBytes(STAMP_BYTES / 2).toString('hex'))
}

/** Unique texts of the given size. */
export function createTexts(sizeBytes: number): () => Buffer {
  const rest = textOf(sizeBytes - STAMP_BYTES)
  return () => Buffer.concat([stamp(), rest])
}

/** A large one in blocks, which all texts share except the first. */
export function createBlockedTexts(sizeBytes: number): () => Buffer[] {
  const block = textOf(BLOCK_BYTES)
  const blocks = Array.from({ length: Math.ceil(sizeBytes / BLOCK_BYTES) }, (_, i) =>
    block.subarray(0, Math.min(BLOCK_BYTES, sizeBytes - i * BLOCK_BYTES))
  )
  return () => [Buffer.concat([stamp(), block.subarray(STAMP_BYTES)]), ...blocks.slice(1)]
}
