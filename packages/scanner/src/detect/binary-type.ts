import { fileTypeFromBuffer } from 'file-type'
import { isOle, oleType } from './ole-type.js'
import type { Sample } from './sample.js'
import { asSupportedBinary, type DetectedType } from './supported-types.js'
import { isCpio, verifiers } from './verifiers.js'
import { isExecutableZip, isZip, officeTypeByEntries, zipListing } from './zip-entries.js'

function startsWith (bytes: Buffer, hex: string, at = 0): boolean {
  return bytes.length >= at + hex.length / 2 && bytes.toString('hex', at, at + hex.length / 2) === hex
}

/** Signatures long enough to stand alone, for files that file-type gives up on: a TIFF with its directory at the end, a PNG cut short. */
const signatures: ReadonlyArray<readonly [hex: string, type: string]> = [
  ['89504e470d0a1a0a', 'image/png'],
  ['49492a00', 'image/tiff'],
  ['4d4d002a', 'image/tiff'],
  [Buffer.from('AT&TFORM').toString('hex'), 'image/vnd.djvu']
]

const ISO_9660_AT = 32_769
const TRAILER_BYTES = 512

/** Disk images show themselves far from their first byte, where a signature of something else may stand. */
function isDiskImage ({ head, tail }: Sample): boolean {
  if (head.toString('latin1', ISO_9660_AT, ISO_9660_AT + 5) === 'CD001') return true
  if (tail.length < TRAILER_BYTES) return false
  const trailer = tail.toString('latin1', tail.length - TRAILER_BYTES, tail.length - TRAILER_BYTES + 8)
  return trailer === 'koly\0\0\0\x04' || trailer === 'conectix'
}

/** Formats that are text with or without binary parts. The only ones that may follow a byte order mark. */
export function typeOfPage (head: Buffer): string | null {
  const bytes = startsWith(head, 'efbbbf') ? head.subarray(3, 32) : head.subarray(0, 32)
  const start = bytes.toString('latin1')
  if (/^%PDF-\d\.\d/.test(start)) return 'application/pdf'
  if (/^\{\\rtf\d?[\\{}\s]/.test(start)) return 'application/rtf'
  // The second is EPS with a preview picture for DOS.
  return /^(?:%!PS-Adobe-|\xc5\xd0\xd3\xc6)/.test(start) ? 'application/postscript' : null
}

async function askFileType (head: Buffer): Promise<string | null> {
  try {
    const found = await fileTypeFromBuffer(head)
    return found?.mime.split(';', 1)[0]?.trim().toLowerCase() ?? null
  } catch {
    // It throws on some broken archives and images; what it cannot read is not identified.
    return null
  }
}

async function typeByMagic (sample: Sample, name: string): Promise<string | null> {
  const { head } = sample
  // Not asked about: it would unpack a gzip to look for a tar, and it takes what follows a byte order mark or an MP3's tag for the file.
  if (startsWith(head, '1f8b08')) return 'application/gzip'
  if (startsWith(head, 'efbbbf') || startsWith(head, '494433')) return null
  const type = await askFileType(head)
  if (type !== null) return verifiers.get(type)?.(sample, name) === false ? null : type
  // file-type knows the two older forms of cpio, not the one that tools write today.
  if (isCpio(sample)) return 'application/x-cpio'
  return signatures.find(([hex]) => startsWith(head, hex))?.[1] ?? null
}

async function typeOfZip (head: Buffer, names: readonly string[]): Promise<string> {
  const type = await askFileType(head)
  const isDocument = type !== null && asSupportedBinary(type)?.kind === 'document'
  return isDocument ? type : officeTypeByEntries(names) ?? 'application/zip'
}

/** The type of bytes that are no text, or null when they are nothing we accept. */
export async function binaryType (sample: Sample, name: string): Promise<DetectedType | null> {
  const { head, tail, oleDirectory } = sample
  if (isDiskImage(sample)) return null
  const listing = zipListing(head, tail)
  if (isZip(head)) {
    return isExecutableZip(listing) ? null : asSupportedBinary(await typeOfZip(head, listing.names))
  }
  const type = isOle(head) ? oleType(oleDirectory) : typeOfPage(head) ?? await typeByMagic(sample, name)
  const detected = type === null ? null : asSupportedBinary(type)
  // A jar behind an image still runs. Behind a tar it is simply the last file in it, and the scanner's business.
  if (detected !== null && detected.kind !== 'archive' && isExecutableZip(listing)) return null
  return detected
}
