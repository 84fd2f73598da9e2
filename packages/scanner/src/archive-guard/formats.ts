import { isBareLzma } from '@filewright/file-types'
import { isCpio } from './cpio-guard.js'
import { isPdf, mayCarryArchive } from './embedded-archive.js'
import { isTarHeader } from './tar-guard.js'

/**
 * Enough bytes to recognize a tar by its first header, and a PDF with up to this many bytes before its
 * header.
 */
export const HEAD_BYTES = 1024

/** Formats that the guard reads by itself, and formats that may contain an archive. */
export type GuardedFormat = 'zip' | 'spanned-zip' | 'tar' | 'gzip' | 'zlib' | 'cpio' | 'pdf' | 'picture'

export type Format =
  | { kind: GuardedFormat }
  /** A format that 7-Zip opens; `format` is 7-Zip's name for it. */
  | { kind: 'packed'; format: string }
  | { kind: 'other' }

interface Magic {
  format: string
  offset?: number
  /** Hexadecimal; `.` matches any digit. */
  magic: string
}

/** Formats that clamd does not open, or only in some of their forms. */
const packed: readonly Magic[] = [
  { format: '7z', magic: '377abcaf271c' },
  { format: 'rar', magic: '526172211a0700' },
  { format: 'rar5', magic: '526172211a070100' },
  { format: 'xz', magic: 'fd377a585a00' },
  { format: 'bzip2', magic: '425a683.314159265359' },
  { format: 'bzip2', magic: '425a683.177245385090' },
  { format: 'zstd', magic: '28b52ffd' },
  { format: 'zstd', magic: '5.2a4d18' },
  { format: 'lzma', magic: '5d0000....ffffffffffffffff00' },
  { format: 'lzma', magic: '5d0000............0000000000' },
  { format: 'z', magic: '1f9d' },
  { format: 'ar', magic: '213c617263683e0a' },
  { format: 'cpio', magic: 'c771' },
  { format: 'cpio', magic: '71c7' },
  { format: 'cab', magic: '4d53434600000000' },
  { format: 'lzip', magic: '4c5a49500[01]' },
  { format: 'rpm', magic: 'edabeedb' },
  { format: 'squashfs', magic: '68737173' },
  { format: 'wim', magic: '4d5357494d000000' },
  { format: 'xar', magic: '7861722100' },
  { format: 'chm', magic: '49545346030000006.000000' },
  { format: 'lzh', offset: 2, magic: '2d6c68..2d' },
  { format: 'arj', magic: '60ea....1e' },
  { format: 'arj', magic: '60ea....22' }
]

const patterns = packed.map(({ format, offset = 0, magic }) => ({
  format,
  pattern: new RegExp(`^${'..'.repeat(offset)}${magic}`)
}))
const LONGEST_MAGIC_BYTES = 20

function packedFormat(head: Buffer): string | null {
  const start = head.toString('hex', 0, LONGEST_MAGIC_BYTES)
  return patterns.find(({ pattern }) => pattern.test(start))?.format ?? (isBareLzma(head) ? 'lzma' : null)
}

/** Deflate with a window of at most 32 KiB, no dictionary, and a checksum over these two bytes. */
function isZlib(head: Buffer): boolean {
  const [first = 0] = head
  return (
    (first & 0x0f) === 8 &&
    first <= 0x78 &&
    head.length > 8 &&
    head.readUInt16BE(0) % 31 === 0 &&
    ((head[1] ?? 0) & 0x20) === 0
  )
}

function guardedFormat(head: Buffer): GuardedFormat | null {
  const start = head.toString('hex', 0, 4)
  if (start === '504b0304' || start === '504b0506') return 'zip'
  // "PK\7\8" and "PK00" begin one part of a multi-part archive.
  if (start === '504b0708' || start === '504b3030') return 'spanned-zip'
  if (start.startsWith('1f8b')) return 'gzip'
  if (isZlib(head)) return 'zlib'
  if (isCpio(head)) return 'cpio'
  if (isTarHeader(head)) return 'tar'
  if (isPdf(head)) return 'pdf'
  return mayCarryArchive(head) ? 'picture' : null
}

export function formatOf(head: Buffer): Format {
  const format = packedFormat(head)
  if (format !== null) return { kind: 'packed', format }
  return { kind: guardedFormat(head) ?? 'other' }
}

/** gzip and OLE. */
const HOLDING_FILES_AS_THEY_ARE = ['1f8b', 'd0cf11e0']

/**
 * Whether a valid ZIP may be stored byte for byte in this file: a small one at the end of a cpio, an
 * incompressible one in a gzip.
 */
export function mayHoldZip(head: Buffer): boolean {
  const start = head.toString('hex', 0, 4)
  return HOLDING_FILES_AS_THEY_ARE.some((hex) => start.startsWith(hex)) || isCpio(head) || isTarHeader(head)
}
