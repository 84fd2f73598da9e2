import { extname } from 'node:path/posix'
import { fileTypeFromBuffer } from 'file-type'
import { isBareLzma } from './lzma-header.js'
import { documentType } from './document-signatures.js'
import { imageType } from './image-headers.js'
import { isOle } from './ole-reader.js'
import { oleType } from './ole-type.js'
import {
  diskImageRefused,
  executableRefused,
  refusalOf,
  unidentified,
  type RefusedType
} from './rejections.js'
import type { Sample } from './sample.js'
import { asSupportedBinary, type Detection } from './supported-types.js'
import { isCpio, verifiers } from './verifiers.js'
import { officeTypeByEntries, typeInFirstEntry } from './zip-documents.js'
import { isExecutableZip, isZip, zipListing } from './zip-entries.js'

function startsWith(bytes: Buffer, hex: string, at = 0): boolean {
  return bytes.length >= at + hex.length / 2 && bytes.toString('hex', at, at + hex.length / 2) === hex
}

/**
 * Signatures long enough to be sufficient alone, for files that file-type gives up on: a TIFF with its
 * directory at the end, a truncated PNG.
 */
const signatures: ReadonlyArray<readonly [hex: string, type: string]> = [
  ['89504e470d0a1a0a', 'image/png'],
  ['49492a00', 'image/tiff'],
  ['4d4d002a', 'image/tiff'],
  [Buffer.from('AT&TFORM').toString('hex'), 'image/vnd.djvu']
]

const ISO_9660_AT = 32_769
const TRAILER_BYTES = 512

/** Disk images are recognizable only far from their first byte, where another signature may come first. */
function isDiskImage({ head, tail }: Sample): boolean {
  if (head.toString('latin1', ISO_9660_AT, ISO_9660_AT + 5) === 'CD001') return true
  if (tail.length < TRAILER_BYTES) return false
  const trailer = tail.toString('latin1', tail.length - TRAILER_BYTES, tail.length - TRAILER_BYTES + 8)
  return trailer === 'koly\0\0\0\x04' || trailer === 'conectix'
}

/** Text formats with or without binary parts. Only these may follow a byte order mark. */
export function typeOfPage(head: Buffer): string | null {
  const bytes = startsWith(head, 'efbbbf') ? head.subarray(3, 32) : head.subarray(0, 32)
  const start = bytes.toString('latin1')
  if (/^%PDF-\d\.\d/.test(start)) return 'application/pdf'
  if (/^\{\\rtf\d?[\\{}\s]/.test(start)) return 'application/rtf'
  // The second is EPS with a DOS preview image.
  return /^(?:%!PS-Adobe-|\xc5\xd0\xd3\xc6)/.test(start) ? 'application/postscript' : null
}

/** Readers look for the header of a PDF in this many bytes. */
const PDF_HEADER_WITHIN = 1024

/**
 * A PDF after some bytes of a mail or a web server. It must also end like one, because any text may mention
 * the header.
 */
export function isPdfBehindJunk({ head, tail }: Sample): boolean {
  const start = head.toString('latin1', 0, PDF_HEADER_WITHIN)
  return (
    /%PDF-\d\.\d/.test(start) &&
    !start.startsWith('#!') &&
    /startxref\s+\d+\s+%%EOF/.test(tail.toString('latin1', tail.length - 2048))
  )
}

async function askFileType(head: Buffer): Promise<string | null> {
  try {
    const found = await fileTypeFromBuffer(head)
    return found?.mime.split(';', 1)[0]?.trim().toLowerCase() ?? null
  } catch {
    // It throws on some broken archives and images; they count as not identified.
    return null
  }
}

async function typeByMagic(sample: Sample, name: string): Promise<string | null> {
  const { head } = sample
  // Skipped: it would unpack a gzip to look for a tar, and mistakes what follows a byte order mark or an MP3
  // tag for the file.
  if (startsWith(head, '1f8b08')) return 'application/gzip'
  if (startsWith(head, 'efbbbf')) return null
  if (startsWith(head, '494433')) return 'audio/mpeg'
  const type = await askFileType(head)
  if (type !== null && verifiers.get(type)?.(sample, name) !== false) return type
  // file-type knows the two older forms of cpio, not the current one.
  if (isCpio(sample)) return 'application/x-cpio'
  if (isZstdFrame(head)) return 'application/zstd'
  if (isLzma(head, name)) return 'application/x-lzma'
  return (
    signatures.find(([hex]) => startsWith(head, hex))?.[1] ?? documentType(sample) ?? imageType(sample, name)
  )
}

/** Skippable frames, with which parallel compressors start; a frame with data must follow. */
function isZstdFrame(head: Buffer): boolean {
  if (head.length < 12 || head.readUInt32LE(0) >>> 4 !== 0x184d2a5) return false
  return startsWith(head, '28b52ffd', 8 + head.readUInt32LE(4))
}

/** Raw LZMA has no signature: its header and the file name must agree. */
function isLzma(head: Buffer, name: string): boolean {
  if (!/\.(lzma|tlz)$/i.test(name)) return false
  return isBareLzma(head) || (startsWith(head, '5d0000') && head[13] === 0)
}

async function typeOfZip(head: Buffer, names: readonly string[], name: string): Promise<string> {
  const extension = extname(name).slice(1).toLowerCase()
  const stored = typeInFirstEntry(head) ?? officeTypeByEntries(names, extension)
  // file-type reads the list of content types, which includes templates and slide shows.
  const type = await askFileType(head)
  const isDocument = type !== null && asSupportedBinary(type)?.kind === 'document'
  return isDocument && !isFinerThan(stored, type) ? type : (stored ?? 'application/zip')
}

/** Families that file-type reports under one name. */
function isFinerThan(stored: string | null, type: string): boolean {
  return (
    stored !== null &&
    (type === 'application/vnd.visio' || stored.includes('.binary.') || stored === 'application/x-ibooks+zip')
  )
}

async function typeOf(sample: Sample, name: string): Promise<string | RefusedType> {
  const { head, oleDirectory } = sample
  if (isOle(head)) return oleDirectory === null ? unidentified : oleType(oleDirectory)
  const type = typeOfPage(head) ?? (await typeByMagic(sample, name))
  return type ?? (isPdfBehindJunk(sample) ? 'application/pdf' : unidentified)
}

/** The type of binary content, or why it is not accepted. */
export async function binaryType(sample: Sample, name: string): Promise<Detection> {
  const { head, tail } = sample
  if (isDiskImage(sample)) return diskImageRefused
  const listing = zipListing(head, tail)
  if (isZip(head)) {
    if (isExecutableZip(listing)) return executableRefused
    const type = await typeOfZip(head, listing.names, name)
    return asSupportedBinary(type) ?? refusalOf(type)
  }
  const type = await typeOf(sample, name)
  if (typeof type !== 'string') return type
  const detected = asSupportedBinary(type)
  // A jar appended to an image still runs. Appended to a tar it is simply the last file, which the scanner
  // handles.
  if (detected !== null && detected.kind !== 'archive' && isExecutableZip(listing)) return executableRefused
  return detected ?? refusalOf(type)
}

/** Whether the first bytes have a known binary signature. */
export async function isKnownBinary(sample: Sample, name: string): Promise<boolean> {
  return isZip(sample.head) || (await typeByMagic(sample, name)) !== null
}
