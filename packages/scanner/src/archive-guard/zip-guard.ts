import { constants, inflateRawSync } from 'node:zlib'
import { createForwardReader, type ForwardReader } from './forward-reader.js'
import { Refusal, type GuardedSource } from './guard-result.js'
import { hasUnscannableName, MAGIC_BYTES, unscannableFormat } from './unscannable-formats.js'
import { readZipDirectory, type ZipEntry } from './zip-directory.js'
import { createZipBudget, DEFLATED, openNested, STORED, type ZipBudget } from './zip-nested.js'

const LOCAL_SIGNATURE = 0x04034b50
const DESCRIPTOR_SIGNATURE = 0x08074b50
const LOCAL_BYTES = 30

const FLAG_DESCRIPTOR = 1 << 3
/** Encryption, strong encryption, and masked header values: any of them hides the content. */
const FLAGS_HIDING = (1 << 0) | (1 << 6) | (1 << 13)
/** Patched data needs the file that it patches. */
const FLAG_PATCH = 1 << 5

/** Stored, imploded, deflated, deflate64, bzip2: what clamd unpacks. It skips every other method without a word. */
const SCANNABLE_METHODS: readonly number[] = [STORED, 6, DEFLATED, 9, 12]
const ZIP64 = 0xffffffff

/** Enough compressed bytes to get past a deflate block's code tables to the first bytes of the content. */
const PEEK_BYTES = 512
/** The most that PEEK_BYTES can inflate to, at deflate's 1032 : 1. */
const PEEK_INFLATED_BYTES = PEEK_BYTES * 1100

export interface GuardZipOptions {
  signal?: AbortSignal | undefined
  /** Shared by an archive and all that are nested in it. */
  budget?: ZipBudget
}

export async function guardZip (source: GuardedSource, { signal, budget = createZipBudget() }: GuardZipOptions = {}): Promise<void> {
  const reader = createForwardReader({ ...source, signal })
  try {
    const directory = await readZipDirectory(reader, source.sizeBytes)
    for (const entry of directory.entries) {
      checkEntry(entry)
      budget.unpack(entry.sizeBytes)
    }
    const nested: Array<{ entry: ZipEntry, dataOffset: number }> = []
    // clamd goes by the local headers, unpackers by the directory: both must tell the same story, and leave no byte between.
    const entries = directory.entries.toSorted((a, b) => a.offset - b.offset)
    let expectedOffset = 0
    for (const [i, entry] of entries.entries()) {
      if (entry.offset < expectedOffset) throw new Refusal('ZipOverlap')
      if (entry.offset > expectedOffset) throw new Refusal('ZipHiddenData')
      const { dataOffset, endOffset } = await checkLocal(reader, entry, entries[i + 1]?.offset ?? directory.offset)
      if (await isNestedZip(reader, entry, dataOffset)) nested.push({ entry, dataOffset })
      expectedOffset = endOffset
    }
    if (expectedOffset !== directory.offset) throw new Refusal('ZipHiddenData')

    for (const { entry, dataOffset } of nested) {
      await openNested({ source, entry, dataOffset, budget, signal }, async (inner) => { await guardZip(inner, { signal, budget }) })
    }
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
async function isNestedZip (reader: ForwardReader, entry: ZipEntry, dataOffset: number): Promise<boolean> {
  if (entry.method !== STORED && entry.method !== DEFLATED) return false
  const peeked = await reader.read(dataOffset, Math.min(entry.compressedBytes, entry.method === STORED ? MAGIC_BYTES : PEEK_BYTES))
  const head = entry.method === STORED ? peeked : inflateHead(peeked)
  if (unscannableFormat(head) !== null) throw new Refusal('ZipNestedArchive')
  return head.length >= 4 && head.readUInt32LE(0) === LOCAL_SIGNATURE
}

function inflateHead (compressed: Buffer): Buffer {
  if (compressed.length === 0) return compressed
  try {
    return inflateRawSync(compressed, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: PEEK_INFLATED_BYTES }).subarray(0, MAGIC_BYTES)
  } catch {
    // clamd would skip a member that does not inflate; a more forgiving unpacker might not.
    throw new Refusal('ZipBroken')
  }
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
