import type { Budget } from './budget.js'
import { createForwardReader } from './forward-reader.js'
import type { GuardedSource } from './guard-result.js'
import { xzIndexBytes } from './xz-index.js'

const ZSTD_MAGIC = '28b52ffd'
const ZSTD_SINGLE_SEGMENT = 0x20
const ZSTD_DICTIONARY_ID_BYTES = [0, 1, 2, 4]
const LZMA_SIZE_OFFSET = 5
const LZMA_UNKNOWN_SIZE = 0xffff_ffff_ffff_ffffn
/** A file without it may be something else, which only unpacking tells. */
const USUAL_LZMA = '5d0000'
const LZIP_SIZE_FROM_END = 16
const LZIP_TRAILER_BYTES = 20

/**
 * What an archive says it unpacks to; 0 where it says nothing, as bzip2 does, or says it only inside of what
 * is packed, as 7z does. A wrong number is no way around a limit: what comes out is counted as well.
 */
export async function declaredBytes(packed: Buffer, format: string): Promise<number> {
  if (format === 'xz') return await xzIndexBytes(packed)
  if (format === 'zstd') return zstdBytes(packed)
  if (format === 'lzma') return lzmaBytes(packed)
  if (format === 'lzip') return lzipBytes(packed)
  return 0
}

/** Of a file with one member and nothing behind it. Elsewhere any bytes may stand there. */
function lzipBytes(packed: Buffer): number {
  if (
    packed.length < LZIP_TRAILER_BYTES ||
    packed.readBigUInt64LE(packed.length - 8) !== BigInt(packed.length)
  ) {
    return 0
  }
  return Number(packed.readBigUInt64LE(packed.length - LZIP_SIZE_FROM_END))
}

/** Of the first frame. Most files have one. */
function zstdBytes(packed: Buffer): number {
  const flags = packed[4] ?? 0
  const isSingleSegment = (flags & ZSTD_SINGLE_SEGMENT) !== 0
  const dictionaryBytes = ZSTD_DICTIONARY_ID_BYTES[flags & 3] ?? 0
  const at = 5 + (isSingleSegment ? 0 : 1) + dictionaryBytes
  if (packed.toString('hex', 0, 4) !== ZSTD_MAGIC || packed.length < at + 8) return 0
  switch (flags >> 6) {
    case 0:
      return isSingleSegment ? packed.readUInt8(at) : 0
    case 1:
      return packed.readUInt16LE(at) + 256
    case 2:
      return packed.readUInt32LE(at)
    default:
      return Number(packed.readBigUInt64LE(at))
  }
}

function lzmaBytes(packed: Buffer): number {
  if (packed.toString('hex', 0, 3) !== USUAL_LZMA || packed.length < LZMA_SIZE_OFFSET + 8) return 0
  const sizeBytes = packed.readBigUInt64LE(LZMA_SIZE_OFFSET)
  return sizeBytes === LZMA_UNKNOWN_SIZE ? 0 : Number(sizeBytes)
}

/** Deflate packs to no less. */
const DEFLATE_RATIO = 1032
const GZIP_SIZE_BYTES = 4
const MAX_DECLARED_BYTES = 1024 * 1024 * 1024

interface ExpectGzipDeps {
  budget: Budget
  signal: AbortSignal | undefined
}

/**
 * gzip has its size, of the last member only, at its end. In a file that was cut off any bytes stand there: a
 * size that cannot be, or is too large whatever the ratio, is left for the unpacking to judge.
 */
export async function expectGzip(source: GuardedSource, { budget, signal }: ExpectGzipDeps): Promise<void> {
  const { sizeBytes, open, bytes } = source
  const reader = createForwardReader({ sizeBytes, open, bytes, signal })
  try {
    const end = await reader.read(Math.max(0, sizeBytes - GZIP_SIZE_BYTES), GZIP_SIZE_BYTES)
    const declared = end.length === GZIP_SIZE_BYTES ? end.readUInt32LE() : 0
    if (declared <= Math.min(sizeBytes * DEFLATE_RATIO, MAX_DECLARED_BYTES)) budget.expect(declared)
  } finally {
    reader.close()
  }
}
