import { inflateHead } from './inflate-head.js'
import type { Budget } from './budget.js'
import { createForwardReader, type ForwardReader } from './forward-reader.js'
import { formatOf, HEAD_BYTES, type Format } from './formats.js'
import type { GuardedSource, Guards } from './guard-result.js'
import { Refusal } from './refusals.js'
import { readZipDirectory, type ZipDirectory, type ZipEntry } from './zip-directory.js'
import { refuseHiddenEntries } from './zip-gaps.js'
import { DEFLATED, openNested, STORED } from './zip-nested.js'
import { IN_EXTRA, resolveWideNumbers } from './zip64.js'

const LOCAL_SIGNATURE = 0x04034b50
const DESCRIPTOR_SIGNATURE = 0x08074b50
const LOCAL_BYTES = 30
const LONGEST_DESCRIPTOR_BYTES = 24

const FLAG_DESCRIPTOR = 1 << 3
/** Encryption, strong encryption, and masked header values. Each of them hides the content. */
const FLAGS_HIDING = (1 << 0) | (1 << 6) | (1 << 13)
/** Patched data needs the file that it patches. */
const FLAG_PATCH = 1 << 5

/** 7-Zip unpacks files with any other method: clamd skips most of those methods silently. */
const GUARDED_METHODS: readonly number[] = [STORED, DEFLATED]

/**
 * Enough compressed bytes to pass a deflate block's code tables and reach the first HEAD_BYTES of the
 * content.
 */
const PEEK_BYTES = 2048

export interface GuardZipOptions {
  signal?: AbortSignal | undefined
  budget: Budget
  /** The guards for nested archives. */
  guards: Guards
}

export async function guardZip(
  source: GuardedSource,
  { signal, budget, guards }: GuardZipOptions
): Promise<void> {
  const reader = createForwardReader({ ...source, signal })
  try {
    const directory = await readZipDirectory(reader, source.sizeBytes)
    directory.entries.forEach(checkEntry)
    const places = await checkPlaces(reader, directory)
    budget.expect(directory.entries.reduce((total, { sizeBytes }) => total + sizeBytes, 0))
    const isZip64 = directory.isZip64 || places.some(({ isWide }) => isWide)
    if (isZip64 || directory.entries.some(({ method }) => !GUARDED_METHODS.includes(method))) {
      return await budget.hold(
        source.bytes === undefined ? source.sizeBytes : 0,
        async () => await guards.unpack(await reader.read(0, source.sizeBytes), 'zip')
      )
    }
    for (const { sizeBytes } of directory.entries) {
      budget.countEntry()
      budget.unpack(sizeBytes)
    }
    const nested: Array<{ entry: ZipEntry; dataOffset: number; isZip: boolean }> = []
    for (const { entry, dataOffset } of places) {
      const { kind } = await nestedFormat(reader, entry, dataOffset)
      if (kind !== 'other') nested.push({ entry, dataOffset, isZip: kind === 'zip' })
    }
    for (const found of nested) await openNested({ source, reader, ...found, budget, signal }, guards)
  } finally {
    reader.close()
  }
}

/**
 * clamd uses the local headers, unpackers use the directory: both must agree, and nothing may hide between
 * the files.
 */
async function checkPlaces(
  reader: ForwardReader,
  directory: ZipDirectory
): Promise<Array<EntryPlace & { entry: ZipEntry }>> {
  const entries = directory.entries.toSorted((a, b) => a.offset - b.offset)
  const places: Array<EntryPlace & { entry: ZipEntry }> = []
  let expectedOffset = 0
  for (const [i, entry] of entries.entries()) {
    if (entry.offset < expectedOffset) throw new Refusal('ZipOverlap')
    await refuseHiddenEntries(reader, expectedOffset, entry.offset)
    const place = await checkLocal(reader, entry, entries[i + 1]?.offset ?? directory.offset)
    places.push({ entry, ...place })
    expectedOffset = place.endOffset
  }
  await refuseHiddenEntries(reader, expectedOffset, directory.offset)
  return places
}

function checkEntry(entry: ZipEntry): void {
  if ((entry.flags & FLAGS_HIDING) !== 0) throw new Refusal('ZipEncrypted')
  if ((entry.flags & FLAG_PATCH) !== 0) throw new Refusal('ZipMismatch')
  if (entry.method === STORED && entry.compressedBytes !== entry.sizeBytes) throw new Refusal('ZipMismatch')
}

interface EntryPlace {
  dataOffset: number
  /** Behind the data descriptor, if there is one. */
  endOffset: number
  /** Whether the local header has 64-bit sizes. */
  isWide: boolean
}

async function checkLocal(reader: ForwardReader, entry: ZipEntry, nextOffset: number): Promise<EntryPlace> {
  const header = await reader.read(entry.offset, LOCAL_BYTES)
  if (header.length < LOCAL_BYTES || header.readUInt32LE(0) !== LOCAL_SIGNATURE) {
    throw new Refusal('ZipMismatch')
  }
  const flags = header.readUInt16LE(6)
  const nameBytes = header.readUInt16LE(26)
  const extraBytes = header.readUInt16LE(28)
  const names = await reader.read(entry.offset + LOCAL_BYTES, nameBytes + extraBytes)
  const compared = FLAGS_HIDING | FLAG_DESCRIPTOR | FLAG_PATCH
  if (
    (flags & compared) !== (entry.flags & compared) ||
    header.readUInt16LE(8) !== entry.method ||
    !names.subarray(0, nameBytes).equals(entry.name)
  ) {
    throw new Refusal('ZipMismatch')
  }
  const narrow = { compressedBytes: header.readUInt32LE(18), sizeBytes: header.readUInt32LE(22), offset: 0 }
  const local = resolveWideNumbers(narrow, names.subarray(nameBytes))
  const isWide = narrow.compressedBytes === IN_EXTRA || narrow.sizeBytes === IN_EXTRA
  // A writer to a pipe writes zeros and appends a descriptor, although it may know the unpacked size in
  // advance.
  const mayFollow = (flags & FLAG_DESCRIPTOR) !== 0
  const agrees = (said: number, central: number): boolean => said === central || (mayFollow && said === 0)
  if (!agrees(local.compressedBytes, entry.compressedBytes) || !agrees(local.sizeBytes, entry.sizeBytes)) {
    throw new Refusal('ZipMismatch')
  }

  const dataOffset = entry.offset + LOCAL_BYTES + nameBytes + extraBytes
  const dataEnd = dataOffset + entry.compressedBytes
  if (dataEnd > nextOffset) throw new Refusal('ZipOverlap')
  if (!mayFollow) return { dataOffset, endOffset: dataEnd, isWide }
  const endOffset = dataEnd + (await descriptorBytes(reader, entry, dataEnd, nextOffset))
  return { dataOffset, endOffset, isWide }
}

/** Detects the format from the first bytes of the content. */
async function nestedFormat(reader: ForwardReader, entry: ZipEntry, dataOffset: number): Promise<Format> {
  const peeked = await reader.read(
    dataOffset,
    Math.min(entry.compressedBytes, entry.method === STORED ? HEAD_BYTES : PEEK_BYTES)
  )
  const head = entry.method === STORED ? peeked : await headOf(peeked, entry.sizeBytes)
  return formatOf(head)
}

async function headOf(compressed: Buffer, sizeBytes: number): Promise<Buffer> {
  if (compressed.length === 0) return compressed
  // Never more than the declared size, so all entries together stay within the budget.
  const head = await inflateHead(compressed, { headBytes: HEAD_BYTES, sizeBytes })
  // clamd would skip a member that does not inflate; a lenient unpacker might not.
  if (head === null) throw new Refusal('ZipBroken')
  // Empty blocks before the content could hide it.
  if (head.length < Math.min(HEAD_BYTES, sizeBytes)) throw new Refusal('ZipMismatch')
  return head
}

/**
 * The length of the sizes behind the data: with or without a signature, 32 or 64 bits, or 0 if the header
 * also has them.
 */
async function descriptorBytes(
  reader: ForwardReader,
  entry: ZipEntry,
  offset: number,
  nextOffset: number
): Promise<number> {
  const found = await reader.read(offset, Math.min(nextOffset - offset, LONGEST_DESCRIPTOR_BYTES))
  const isSigned = found.length >= 4 && found.readUInt32LE(0) === DESCRIPTOR_SIGNATURE
  const fields = found.subarray(isSigned ? 4 : 0)
  const before = isSigned ? 4 : 0
  if (fields.length >= 12 && fields.readUInt32LE(0) === entry.crc) {
    if (fields.readUInt32LE(4) === entry.compressedBytes && fields.readUInt32LE(8) === entry.sizeBytes) {
      return before + 12
    }
    const isWide =
      fields.length >= 20 &&
      fields.readBigUInt64LE(4) === BigInt(entry.compressedBytes) &&
      fields.readBigUInt64LE(12) === BigInt(entry.sizeBytes)
    if (isWide) return before + 20
  }
  if (isSigned || nextOffset !== offset) throw new Refusal('ZipMismatch')
  return 0
}
