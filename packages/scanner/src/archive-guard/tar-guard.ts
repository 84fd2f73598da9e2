import type { Budget } from './budget.js'
import type { Guards } from './guard-result.js'
import { readPaxRecords, type PaxSparse } from './pax.js'
import { Refusal } from './refusals.js'
import { hasOnlyZerosLeft, isZero, memberOf, type SequentialReader } from './sequential-reader.js'
import { expandSparse, readGnuSparseMap } from './tar-sparse.js'

const BLOCK_BYTES = 512
const NAME_BYTES = 100
/** Far above real extended headers (long names, ACLs). */
const MAX_EXTENSION_BYTES = 1024 * 1024

/** The largest size that fits into eleven octal digits. */
const LARGEST_OCTAL = 8 ** 11 - 1

const GNU_SPARSE = 'S'
/** Headers with the name or attributes of the next file. */
const EXTENSIONS = ['x', 'g', 'L', 'K', 'X']
/**
 * Links, devices and folders have no data. Some readers skip the size in such a header, others read a header
 * directly behind it.
 */
const WITHOUT_DATA = ['1', '2', '3', '4', '5', '6']
/** Regular files in the old and new form, and contiguous files. clamd scans only these. */
const SEEN_FILES = ['0', '\0', '7']

/**
 * The signatures of a ZIP entry and of the end of a ZIP. A ZIP in bytes that no member owns is there to hide.
 */
const ZIP_MARKS = ['504b0304', '504b0506'].map((hex) => Buffer.from(hex, 'hex'))

export interface TarGuardDeps {
  budget: Budget
  guards: Pick<Guards, 'member'>
}

export function isTarHeader(block: Buffer): boolean {
  return block.length >= BLOCK_BYTES && checksumMatches(block)
}

/**
 * clamd and unpackers must agree on where each member begins; otherwise a member could hide inside another.
 * Some archives confuse clamd but not unpackers: files with holes, sizes above 8 GiB, blocks that are not a
 * header, concatenated archives. Their members are scanned one by one.
 */
export async function guardTar(reader: SequentialReader, { budget, guards }: TarGuardDeps): Promise<void> {
  let paxSize: number | null = null
  let paxSparse: PaxSparse | null = null
  let unseen = false
  for (;;) {
    const header = await reader.read(BLOCK_BYTES)
    if (header.length < BLOCK_BYTES || isZero(header) || !checksumMatches(header)) {
      // Most unpackers stop at a block of zeros; others continue and find files that clamd has not scanned.
      if (ZIP_MARKS.some((mark) => header.includes(mark))) throw new Refusal('TarHiddenData')
      if (header.length < BLOCK_BYTES) return
      unseen = true
      continue
    }
    const type = header.toString('latin1', 156, 157)
    const size = parseSize(header)
    if (size.isWide) unseen = true
    const isWithoutData = WITHOUT_DATA.includes(type) || isOldFolder(header, type)
    if (size.bytes > 0 && isWithoutData) throw new Refusal('TarHiddenData')
    if (EXTENSIONS.includes(type)) {
      const extension = await readExtension(reader, size.bytes)
      if (type === 'x' || type === 'g') {
        const facts = readPaxRecords(extension)
        // A global size or list of pieces, or two of them for one file: no program writes these, and readers
        // differ.
        if (facts.size !== null && (type === 'g' || paxSize !== null)) throw new Refusal('TarMismatch')
        if (facts.sparse !== null && (type === 'g' || paxSparse !== null)) throw new Refusal('TarMismatch')
        paxSize ??= facts.size
        paxSparse ??= facts.sparse
      }
    } else {
      if (paxSize !== null && paxSize !== size.bytes) throw await refusalOfSizes(paxSize, size.bytes, reader)
      budget.countEntry()
      const sparse = type === GNU_SPARSE ? await readGnuSparseMap(header, reader) : (paxSparse?.map ?? null)
      if (sparse !== null || !(SEEN_FILES.includes(type) || WITHOUT_DATA.includes(type))) unseen = true
      const member = memberOf(reader, size.bytes)
      const content =
        sparse === null ? member : memberOf(expandSparse(member, sparse, budget.unpack), Infinity)
      await guards.member(content, { unseen })
      await member.finish()
      paxSize = null
      paxSparse = null
    }
    await reader.skip((BLOCK_BYTES - (size.bytes % BLOCK_BYTES)) % BLOCK_BYTES)
  }
}

/** Old tars stored a folder as an empty file with a trailing slash. Python still recognizes them. */
function isOldFolder(header: Buffer, type: string): boolean {
  return type === '\0' && /^[^\0]*\/(?:\0|$)/.test(header.toString('latin1', 0, NAME_BYTES))
}

/**
 * The header field cannot hold more than 8 GiB, and readers that ignore the extensions find no data. If only
 * zeros follow, no reader finds data: the archive is truncated.
 */
async function refusalOfSizes(
  paxSize: number,
  headerSize: number,
  reader: SequentialReader
): Promise<Refusal> {
  const isTooLargeForHeader = paxSize > LARGEST_OCTAL && headerSize === 0
  return new Refusal(isTooLargeForHeader && (await hasOnlyZerosLeft(reader)) ? 'TarCutOff' : 'TarMismatch')
}

async function readExtension(reader: SequentialReader, sizeBytes: number): Promise<Buffer> {
  if (sizeBytes > MAX_EXTENSION_BYTES) throw new Refusal('TarMismatch')
  return await reader.read(sizeBytes)
}

function parseSize(header: Buffer): { bytes: number; isWide: boolean } {
  const field = header.subarray(124, 136)
  // A leading high bit means base 256, meant for files over 8 GiB; clamd reads it as zero.
  if (((field[0] ?? 0) & 0x80) !== 0) {
    const value = field.subarray(4).readBigUInt64BE()
    const isPossible = field.readUInt32BE() === 0x80000000 && value <= BigInt(Number.MAX_SAFE_INTEGER)
    if (!isPossible) throw new Refusal('TarMismatch')
    return { bytes: Number(value), isWide: true }
  }
  const text = field
    .toString('latin1')
    .replace(/[\0 ]+$/, '')
    .trimStart()
  if (!/^[0-7]*$/.test(text)) throw new Refusal('TarMismatch')
  return { bytes: text === '' ? 0 : Number.parseInt(text, 8), isWide: false }
}

/** The sum of the header's bytes with the checksum itself as spaces; old tars summed signed bytes. */
function checksumMatches(header: Buffer): boolean {
  const text = header
    .toString('latin1', 148, 156)
    .replace(/[\0 ]+$/, '')
    .trimStart()
  if (!/^[0-7]+$/.test(text)) return false
  let unsigned = 0
  let signed = 0
  for (let i = 0; i < BLOCK_BYTES; i++) {
    const byte = i >= 148 && i < 156 ? 0x20 : (header[i] ?? 0)
    unsigned += byte
    signed += byte > 127 ? byte - 256 : byte
  }
  const sum = Number.parseInt(text, 8)
  return sum === unsigned || sum === signed
}
