import { crc32 } from 'node:zlib'
import { yieldToEventLoop } from '../yield-to-event-loop.js'
import { inflateSome } from './inflate-head.js'
import { Refusal } from './refusals.js'
import { restOf, type SequentialReader } from './sequential-reader.js'
import { isTarHeader } from './tar-guard.js'

/**
 * Enough bytes behind a signature to distinguish an archive from bytes that look like one by chance. More
 * than a stored block of gzip.
 */
const EVIDENCE_BYTES = 96 * 1024
const CHUNK_BYTES = 256 * 1024
/** The offset of "ustar" in a tar header. */
const TAR_MAGIC_OFFSET = 257

interface Signature {
  bytes: Buffer
  /** How many bytes before the signature the archive begins. */
  offset?: number
  isSound: (archive: Buffer) => boolean | Promise<boolean>
}

const hex = (text: string): Buffer => Buffer.from(text, 'hex')

/**
 * Signatures that common unpackers search for inside other files, and that clamd does not find in every form.
 */
const signatures: readonly Signature[] = [
  {
    bytes: hex('377abcaf271c'),
    isSound: (archive) => archive.length >= 32 && crc32(archive.subarray(12, 32)) === archive.readUInt32LE(8)
  },
  {
    bytes: hex('526172211a07'),
    isSound: (archive) => archive[6] === 0 || (archive[6] === 1 && archive[7] === 0)
  },
  {
    bytes: hex('fd377a585a00'),
    isSound: (archive) => archive.length >= 12 && crc32(archive.subarray(6, 8)) === archive.readUInt32LE(8)
  },
  {
    bytes: hex('314159265359'),
    offset: 4,
    isSound: (archive) => /^BZh[1-9]/.test(archive.toString('latin1', 0, 4))
  },
  { bytes: hex('1f8b08'), isSound: startsGzip },
  {
    bytes: hex('4d53434600000000'),
    isSound: (archive) =>
      archive.length >= 36 && archive.readUInt32LE(12) === 0 && archive.readUInt16LE(24) === 0x0103
  },
  {
    bytes: Buffer.from('ustar'),
    offset: TAR_MAGIC_OFFSET,
    isSound: (archive) => isTarHeader(archive.subarray(0, 512))
  },
  {
    bytes: hex('68737173'),
    isSound: (archive) =>
      archive.length >= 96 && archive.readUInt32LE(28) === 4 && archive.readUInt32LE(40) <= 0x7fffffff
  },
  { bytes: hex('504b0304'), isSound: startsStreamedZip }
]
const LONGEST_OFFSET = TAR_MAGIC_OFFSET

/**
 * PNG, GIF, JPEG, RIFF (WebP), BMP (also without a file header), TIFF and BigTIFF of both byte orders; icons,
 * cursors, Photoshop, DjVu, JPEG 2000 and XL, GIMP, Apple icons, DDS, EXR, QOI, metafiles, RTF and
 * PostScript. The signature of HEIC and AVIF has another offset.
 */
const CARRIERS = [
  '89504e470d0a1a0a',
  '474946383761',
  '474946383961',
  'ffd8ff',
  '52494646',
  '424d',
  '49492a00',
  '4d4d002a',
  '49492b00',
  '4d4d002b',
  '28000000',
  '00000100',
  '00000200',
  '38425053',
  '41542654',
  '0000000c6a50',
  '0000000c4a584c',
  'ff0a',
  '67696d7020786366',
  '69636e73',
  '44445320',
  '762f3101',
  '716f6966',
  'd7cdc69a',
  '7b5c727466',
  '25215053'
].map(hex)
const BRAND_MARK = Buffer.from('ftyp')
const PDF_MARK = Buffer.from('%PDF-')

/** PDF readers search for the signature in the first 1,024 bytes. */
export function isPdf(head: Buffer): boolean {
  return head.subarray(0, 1024).includes(PDF_MARK)
}

/** Whether unpackers would open an archive behind or inside a file of this format. */
export function mayCarryArchive(head: Buffer): boolean {
  return (
    CARRIERS.some((magic) => magic[0] === head[0] && head.subarray(0, magic.length).equals(magic)) ||
    head.subarray(4, 8).equals(BRAND_MARK)
  )
}

/**
 * 50 MB of random bytes contain less than one candidate for a gzip header. Testing thousands would take
 * minutes.
 */
const MAX_CANDIDATES = 500

/** @param isKnown whether another guard handles the archive that begins at this offset */
export async function refuseEmbeddedArchive(
  reader: SequentialReader,
  isKnown: (offset: number) => boolean = () => false
): Promise<void> {
  let candidates = 0
  const countCandidate = (): void => {
    if (++candidates > MAX_CANDIDATES) throw new Refusal('ArchiveEmbedded')
  }
  // Keeps the previous bytes, for signatures and evidence that span two chunks.
  let window: Buffer = Buffer.alloc(0)
  let searchedBytes = 0
  let windowStart = 0
  const search = async (end: number): Promise<void> => {
    const isKnownHere = (at: number): boolean => isKnown(windowStart + at)
    if (await holdsArchive(window, { from: searchedBytes, end, isKnown: isKnownHere, countCandidate })) {
      throw new Refusal('ArchiveEmbedded')
    }
  }
  for await (const chunk of restOf(reader, CHUNK_BYTES)) {
    window = Buffer.concat([window, chunk])
    const end = Math.max(searchedBytes, window.length - EVIDENCE_BYTES)
    await search(end)
    const kept = Math.max(0, end - LONGEST_OFFSET)
    window = window.subarray(kept)
    windowStart += kept
    searchedBytes = end - kept
  }
  await search(window.length)
}

interface Search {
  from: number
  end: number
  isKnown: (at: number) => boolean
  /** Throws if there are too many candidates. */
  countCandidate: () => void
}

/** Whether an archive begins at a signature between the two offsets. */
async function holdsArchive(
  window: Buffer,
  { from, end, isKnown, countCandidate }: Search
): Promise<boolean> {
  for (const { bytes, offset = 0, isSound } of signatures) {
    for (let at = window.indexOf(bytes, from); at !== -1 && at < end; at = window.indexOf(bytes, at + 1)) {
      // Offset 0 is the format of the file itself.
      if (at < offset || isKnown(at - offset)) continue
      countCandidate()
      if (await isSound(window.subarray(at - offset, at - offset + EVIDENCE_BYTES))) return true
    }
    await yieldToEventLoop()
  }
  return false
}

/**
 * Three bytes are a weak signature, so the flags must be valid and the data must inflate, with a correct
 * checksum if the end is visible. Of random places with these three bytes, fewer than one in 10^10 pass.
 */
async function startsGzip(archive: Buffer): Promise<boolean> {
  const flags = archive[3] ?? 0xff
  if (flags > 31) return false
  let at = 10
  if ((flags & 4) !== 0) at += 2 + (at + 2 <= archive.length ? archive.readUInt16LE(at) : archive.length)
  for (const flag of [8, 16]) {
    if ((flags & flag) === 0) continue
    const end = archive.indexOf(0, at)
    // A name or comment of this length is there to hide what follows.
    if (end === -1) return archive.length - at >= LONGEST_NAME_BYTES && isText(archive.subarray(at))
    if (!isText(archive.subarray(at, end))) return false
    at = end + 1
  }
  if ((flags & 2) !== 0) at += 2
  return await inflates(archive.subarray(at))
}

const LONGEST_NAME_BYTES = 1024
/** Two random bytes may look like the length of a stored block, and all bytes that follow then inflate. */
const LONGEST_STORED_BLOCK_BYTES = 65_535 + 5
/** Data that inflates to this size was compressed, not random. */
const COMPRESSED_EVIDENCE_BYTES = 1024 * 1024
const isText = (bytes: Buffer): boolean => bytes.every((byte) => byte >= 0x20 && byte !== 0x7f)

async function inflates(bytes: Buffer): Promise<boolean> {
  if (bytes.length === 0) return false
  const inflated = await inflateSome(bytes, COMPRESSED_EVIDENCE_BYTES)
  if (inflated === 'too-large') return true
  if (inflated === 'broken') return false
  const { content, packedBytes } = inflated
  const trailer = bytes.subarray(packedBytes)
  // The end is not visible. Only compressed data keeps inflating for this long.
  if (trailer.length === 0) return content.length > 0 && bytes.length > LONGEST_STORED_BLOCK_BYTES
  return (
    trailer.length >= 8 &&
    trailer.readUInt32LE(0) === crc32(content) &&
    trailer.readUInt32LE(4) === content.length % 2 ** 32
  )
}

/** A ZIP with the sizes behind the data. clamd does not find such a ZIP from the front. */
function startsStreamedZip(archive: Buffer): boolean {
  if (archive.length < 30) return false
  return (
    (archive.readUInt16LE(6) & 8) !== 0 &&
    [0, 8].includes(archive.readUInt16LE(8)) &&
    archive.readUInt32LE(18) === 0 &&
    archive.readUInt16LE(4) < 100
  )
}
