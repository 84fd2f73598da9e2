import { crc32 } from 'node:zlib'
import { letOthersRun } from '../let-others-run.js'
import { inflateSome } from './inflate-head.js'
import { Refusal } from './refusals.js'
import { restOf, type SequentialReader } from './sequential-reader.js'
import { isTarHeader } from './tar-guard.js'

/**
 * Enough behind a signature to tell an archive from bytes that happen to look like one: more than a block of
 * gzip that is stored as it is.
 */
const EVIDENCE_BYTES = 96 * 1024
const CHUNK_BYTES = 256 * 1024
/** Where "ustar" stands in a tar's header. */
const TAR_MAGIC_OFFSET = 257

interface Signature {
  bytes: Buffer
  /** How far in front of it the archive begins. */
  offset?: number
  isSound: (archive: Buffer) => boolean | Promise<boolean>
}

const hex = (text: string): Buffer => Buffer.from(text, 'hex')

/**
 * Of what common unpackers look for inside files of other kinds, and clamd does not, or not in every form.
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
 * PNG, GIF, JPEG, RIFF (WebP), BMP, TIFF and BigTIFF of both byte orders, BMP without the header of a file;
 * icons, cursors, Photoshop, DjVu, JPEG 2000 and XL, GIMP, Apple icons, DDS, EXR, QOI, metafiles, RTF and
 * PostScript. HEIC and AVIF have their mark further on.
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

/** Readers look for the mark among the first 1,024 bytes. */
export function isPdf(head: Buffer): boolean {
  return head.subarray(0, 1024).includes(PDF_MARK)
}

/** Whether unpackers would open an archive that this picture carries behind or within it. */
export function mayCarryArchive(head: Buffer): boolean {
  return (
    CARRIERS.some((magic) => magic[0] === head[0] && head.subarray(0, magic.length).equals(magic)) ||
    head.subarray(4, 8).equals(BRAND_MARK)
  )
}

/**
 * In 50 MB of random bytes less than one place looks like the start of a gzip. Trying out thousands would
 * take minutes.
 */
const MAX_CANDIDATES = 500

/** @param isKnown whether the archive that begins at this byte of the file is looked at elsewhere. */
export async function refuseEmbeddedArchive(
  reader: SequentialReader,
  isKnown: (offset: number) => boolean = () => false
): Promise<void> {
  let candidates = 0
  const countCandidate = (): void => {
    if (++candidates > MAX_CANDIDATES) throw new Refusal('ArchiveEmbedded')
  }
  // What came before stays in sight, for signatures and evidence that lie across two chunks.
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
  /** Throws when there are too many. */
  countCandidate: () => void
}

/** Whether a signature between the two places begins an archive. */
async function holdsArchive(
  window: Buffer,
  { from, end, isKnown, countCandidate }: Search
): Promise<boolean> {
  for (const { bytes, offset = 0, isSound } of signatures) {
    for (let at = window.indexOf(bytes, from); at !== -1 && at < end; at = window.indexOf(bytes, at + 1)) {
      // Not at the very start: that would be what the file itself is.
      if (at < offset || isKnown(at - offset)) continue
      countCandidate()
      if (await isSound(window.subarray(at - offset, at - offset + EVIDENCE_BYTES))) return true
    }
    await letOthersRun()
  }
  return false
}

/**
 * Three bytes are too few to go by: the flags must make sense, and what follows must inflate, to a right
 * checksum if the end is in sight. Less than one in 10^10 of all places in random bytes that look like a
 * header passes.
 */
async function startsGzip(archive: Buffer): Promise<boolean> {
  const flags = archive[3] ?? 0xff
  if (flags > 31) return false
  let at = 10
  if ((flags & 4) !== 0) at += 2 + (at + 2 <= archive.length ? archive.readUInt16LE(at) : archive.length)
  for (const flag of [8, 16]) {
    if ((flags & flag) === 0) continue
    const end = archive.indexOf(0, at)
    // A name or comment as long as this is there to hide what follows.
    if (end === -1) return archive.length - at >= LONGEST_NAME_BYTES && isText(archive.subarray(at))
    if (!isText(archive.subarray(at, end))) return false
    at = end + 1
  }
  if ((flags & 2) !== 0) at += 2
  return await inflates(archive.subarray(at))
}

const LONGEST_NAME_BYTES = 1024
/** Two bytes of 65,536 look like the length of a stored block, and all that follows then inflates. */
const LONGEST_STORED_BLOCK_BYTES = 65_535 + 5
/** What inflates to this much was packed. */
const MUCH_BYTES = 1024 * 1024
const isText = (bytes: Buffer): boolean => bytes.every((byte) => byte >= 0x20 && byte !== 0x7f)

async function inflates(bytes: Buffer): Promise<boolean> {
  if (bytes.length === 0) return false
  const inflated = await inflateSome(bytes, MUCH_BYTES)
  if (inflated === 'too-large') return true
  if (inflated === 'broken') return false
  const { content, packedBytes } = inflated
  const trailer = bytes.subarray(packedBytes)
  // Without an end so far: only what was packed goes on inflating for this long.
  if (trailer.length === 0) return content.length > 0 && bytes.length > LONGEST_STORED_BLOCK_BYTES
  return (
    trailer.length >= 8 &&
    trailer.readUInt32LE(0) === crc32(content) &&
    trailer.readUInt32LE(4) === content.length % 2 ** 32
  )
}

/** One with its sizes behind its data: what clamd does not find from the front. */
function startsStreamedZip(archive: Buffer): boolean {
  if (archive.length < 30) return false
  return (
    (archive.readUInt16LE(6) & 8) !== 0 &&
    [0, 8].includes(archive.readUInt16LE(8)) &&
    archive.readUInt32LE(18) === 0 &&
    archive.readUInt16LE(4) < 100
  )
}
