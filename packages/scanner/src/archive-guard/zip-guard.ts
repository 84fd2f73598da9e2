import { constants, inflateRawSync } from 'node:zlib'
import type { Budget } from './budget.js'
import { createForwardReader, type ForwardReader } from './forward-reader.js'
import { Refusal, type GuardedSource, type Guards } from './guard-result.js'
import { formatOf, HEAD_BYTES, type Format } from './magic.js'
import { hasUnscannableName, unscannableFormat } from './unscannable-formats.js'
import { readZipDirectory, type ZipEntry } from './zip-directory.js'
import { BZIPPED, DEFLATED, openNested, STORED } from './zip-nested.js'

const LOCAL_SIGNATURE = 0x04034b50
const DESCRIPTOR_SIGNATURE = 0x08074b50
const LOCAL_BYTES = 30

const FLAG_DESCRIPTOR = 1 << 3
/** Encryption, strong encryption, and masked header values: any of them hides the content. */
const FLAGS_HIDING = (1 << 0) | (1 << 6) | (1 << 13)
/** Patched data needs the file that it patches. */
const FLAG_PATCH = 1 << 5

/**
 * clamd also unpacks imploded and deflate64 files, but this guard cannot: PKZIP wrote the first until 1993, and Windows writes the other
 * for files over 2 GB. Every further method clamd skips without a word.
 */
const SCANNABLE_METHODS: readonly number[] = [STORED, DEFLATED, BZIPPED]
const ZIP64 = 0xffffffff

/** Enough compressed bytes to get past a deflate block's code tables to the first HEAD_BYTES of the content. */
const PEEK_BYTES = 2048
/** The most that PEEK_BYTES can inflate to, at deflate's 1032 : 1. */
const PEEK_INFLATED_BYTES = PEEK_BYTES * 1100

export interface GuardZipOptions {
  signal?: AbortSignal | undefined
  budget: Budget
  /** For what is nested in the archive. */
  guards: Guards
}

export async function guardZip (source: GuardedSource, { signal, budget, guards }: GuardZipOptions): Promise<void> {
  const reader = createForwardReader({ ...source, signal })
  try {
    const directory = await readZipDirectory(reader, source.sizeBytes)
    for (const entry of directory.entries) {
      checkEntry(entry)
      budget.unpack(entry.sizeBytes)
    }
    const nested: Array<{ entry: ZipEntry, dataOffset: number, isZip: boolean }> = []
    // clamd goes by the local headers, unpackers by the directory: both must tell the same story, and leave no byte between.
    const entries = directory.entries.toSorted((a, b) => a.offset - b.offset)
    let expectedOffset = 0
    for (const [i, entry] of entries.entries()) {
      if (entry.offset < expectedOffset) throw new Refusal('ZipOverlap')
      if (entry.offset > expectedOffset) throw new Refusal('ZipHiddenData')
      const { dataOffset, endOffset } = await checkLocal(reader, entry, entries[i + 1]?.offset ?? directory.offset)
      const format = await nestedFormat(reader, entry, dataOffset)
      // What bzip2 packed shows its head only once it is unpacked.
      if (format !== 'other' || entry.method === BZIPPED) nested.push({ entry, dataOffset, isZip: format === 'zip' })
      expectedOffset = endOffset
    }
    if (expectedOffset !== directory.offset) throw new Refusal('ZipHiddenData')

    for (const found of nested) await openNested({ source, reader, ...found, budget, signal }, guards)
  } finally {
    reader.close()
  }
}

function checkEntry (entry: ZipEntry): void {
  if ((entry.flags & FLAGS_HIDING) !== 0) throw new Refusal('ZipEncrypted')
  if ((entry.flags & FLAG_PATCH) !== 0 || !SCANNABLE_METHODS.includes(entry.method)) throw new Refusal('ZipMethod')
  if (entry.compressedBytes === ZIP64 || entry.sizeBytes === ZIP64 || entry.offset === ZIP64) throw new Refusal('Zip64')
  if (entry.method === STORED && entry.compressedBytes !== entry.sizeBytes) throw new Refusal('ZipMismatch')
  if (hasUnscannableName(entry.name.toString('latin1'))) throw new Refusal('ZipNestedArchive')
}

interface EntryPlace {
  dataOffset: number
  /** Past the data descriptor, if there is one. */
  endOffset: number
}

async function checkLocal (reader: ForwardReader, entry: ZipEntry, nextOffset: number): Promise<EntryPlace> {
  const header = await reader.read(entry.offset, LOCAL_BYTES)
  if (header.length < LOCAL_BYTES || header.readUInt32LE(0) !== LOCAL_SIGNATURE) throw new Refusal('ZipMismatch')
  const flags = header.readUInt16LE(6)
  const nameBytes = header.readUInt16LE(26)
  const name = await reader.read(entry.offset + LOCAL_BYTES, nameBytes)
  const compared = FLAGS_HIDING | FLAG_DESCRIPTOR | FLAG_PATCH
  if ((flags & compared) !== (entry.flags & compared) || header.readUInt16LE(8) !== entry.method || !name.equals(entry.name)) {
    throw new Refusal('ZipMismatch')
  }
  const compressedBytes = header.readUInt32LE(18)
  const unpackedBytes = header.readUInt32LE(22)
  if (compressedBytes === ZIP64 || unpackedBytes === ZIP64) throw new Refusal('Zip64')
  // A writer to a pipe leaves zeros and appends a descriptor, though it may know the unpacked size at once.
  const mayFollow = (flags & FLAG_DESCRIPTOR) !== 0
  const agrees = (local: number, central: number): boolean => local === central || (mayFollow && local === 0)
  if (!agrees(compressedBytes, entry.compressedBytes) || !agrees(unpackedBytes, entry.sizeBytes)) throw new Refusal('ZipMismatch')

  const dataOffset = entry.offset + LOCAL_BYTES + nameBytes + header.readUInt16LE(28)
  const dataEnd = dataOffset + entry.compressedBytes
  if (dataEnd > nextOffset) throw new Refusal('ZipOverlap')
  if (dataEnd !== nextOffset && mayFollow) await checkDescriptor(reader, entry, dataEnd, nextOffset)
  return { dataOffset, endOffset: mayFollow ? nextOffset : dataEnd }
}

/** Looks at the first bytes of the content: refuses what clamd cannot open, and tells what this guard can look into itself. */
async function nestedFormat (reader: ForwardReader, entry: ZipEntry, dataOffset: number): Promise<Format> {
  if (entry.method === BZIPPED) return 'other'
  const peeked = await reader.read(dataOffset, Math.min(entry.compressedBytes, entry.method === STORED ? HEAD_BYTES : PEEK_BYTES))
  const head = entry.method === STORED ? peeked : inflateHead(peeked, entry.sizeBytes)
  if (unscannableFormat(head) !== null) throw new Refusal('ZipNestedArchive')
  return formatOf(head)
}

function inflateHead (compressed: Buffer, sizeBytes: number): Buffer {
  if (compressed.length === 0) return compressed
  let head: Buffer
  try {
    // Not more than it says it unpacks to: all entries together are then within the budget.
    const maxOutputLength = Math.max(1, Math.min(PEEK_INFLATED_BYTES, sizeBytes))
    head = inflateRawSync(compressed, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength }).subarray(0, HEAD_BYTES)
  } catch {
    // clamd would skip a member that does not inflate; a more forgiving unpacker might not.
    throw new Refusal('ZipBroken')
  }
  // Empty blocks before the content would keep it out of sight.
  if (head.length < Math.min(HEAD_BYTES, sizeBytes)) throw new Refusal('ZipMismatch')
  return head
}

/** Sizes that follow the data: with or without a signature, in 32 or 64 bits. */
async function checkDescriptor (reader: ForwardReader, entry: ZipEntry, offset: number, nextOffset: number): Promise<void> {
  const length = nextOffset - offset
  const signed = length === 16 || length === 24
  if (!signed && length !== 12 && length !== 20) throw new Refusal('ZipHiddenData')
  const descriptor = await reader.read(offset, length)
  if (descriptor.length < length) throw new Refusal('ZipMismatch')
  if (signed && descriptor.readUInt32LE(0) !== DESCRIPTOR_SIGNATURE) throw new Refusal('ZipMismatch')
  const fields = descriptor.subarray(signed ? 4 : 0)
  const wide = fields.length === 20
  const same = fields.readUInt32LE(0) === entry.crc &&
    (wide ? fields.readBigUInt64LE(4) : BigInt(fields.readUInt32LE(4))) === BigInt(entry.compressedBytes) &&
    (wide ? fields.readBigUInt64LE(12) : BigInt(fields.readUInt32LE(8))) === BigInt(entry.sizeBytes)
  if (!same) throw new Refusal('ZipMismatch')
}
