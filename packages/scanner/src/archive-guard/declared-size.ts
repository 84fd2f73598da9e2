import type { Budget } from './budget.js'
import { createForwardReader } from './forward-reader.js'
import type { GuardedSource } from './guard-result.js'
import { xzIndexBytes } from './xz-index.js'

const ZSTD_MAGIC = '28b52ffd'
const ZSTD_SINGLE_SEGMENT = 0x20
const ZSTD_DICTIONARY_ID_BYTES = [0, 1, 2, 4]
const LZMA_SIZE_OFFSET = 5
const LZMA_UNKNOWN_SIZE = 0xffff_ffff_ffff_ffffn
/** A file with other properties may have another format; only unpacking it can tell. */
const USUAL_LZMA = '5d0000'
const LZIP_SIZE_FROM_END = 16
const LZIP_TRAILER_BYTES = 20

/**
 * The unpacked size that an archive declares. 0 if it declares none, as bzip2, or declares it only inside the
 * packed data, as 7z. A false size does not get around a limit: the unpacked bytes are counted as well.
 */
export async function declaredBytes(packed: Buffer, format: string): Promise<number> {
  if (format === 'xz') return await xzIndexBytes(packed)
  if (format === 'zstd') return zstdBytes(packed)
  if (format === 'lzma') return lzmaBytes(packed)
  if (format === 'lzip') return lzipBytes(packed)
  return 0
}

/** For a file with one member and nothing behind it. In other files these bytes may be anything. */
function lzipBytes(packed: Buffer): number {
  if (
    packed.length < LZIP_TRAILER_BYTES ||
    packed.readBigUInt64LE(packed.length - 8) !== BigInt(packed.length)
  ) {
    return 0
  }
  return Number(packed.readBigUInt64LE(packed.length - LZIP_SIZE_FROM_END))
}

/** The size in the first frame. Most files have only one. */
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

/** Deflate cannot exceed this compression ratio. */
const DEFLATE_RATIO = 1032
const GZIP_SIZE_BYTES = 4
const MAX_DECLARED_BYTES = 1024 * 1024 * 1024

interface ExpectGzipDeps {
  budget: Budget
  signal: AbortSignal | undefined
}

/**
 * gzip stores the size of its last member at the end. In a truncated file, these bytes may be anything. If
 * the size is impossible, or exceeds any ratio, the guard decides while it unpacks.
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
