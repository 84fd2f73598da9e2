import type { ForwardReader } from './forward-reader.js'
import { Refusal } from './guard-result.js'

export interface ZipEntry {
  name: Buffer
  flags: number
  method: number
  crc: number
  compressedBytes: number
  sizeBytes: number
  offset: number
}

export interface ZipDirectory {
  entries: ZipEntry[]
  /** Where the entries end and the directory begins. */
  offset: number
}

const END_SIGNATURE = 0x06054b50
const ENTRY_SIGNATURE = 0x02014b50
const ZIP64_LOCATOR_SIGNATURE = 0x07064b50
const END_BYTES = 22
const ENTRY_BYTES = 46
const ZIP64_LOCATOR_BYTES = 20
const COMMENT_BYTES = 65_535
/** Also clamd's MaxFiles: it would not look at the rest. */
const MAX_ENTRIES = 10_000
const MAX_END_RECORDS = 100
const MAX_DIRECTORY_BYTES = 16 * 1024 * 1024

interface End {
  position: number
  entries: number
  directoryBytes: number
  directoryOffset: number
  disks: number
}

/** The last end record in the tail, provided that nothing but padding follows: writers to a pipe fill up their last block with zeros. */
function findEnd (tail: Buffer, tailOffset: number): End | null {
  for (let at = tail.length - END_BYTES; at >= 0; at--) {
    if (tail[at] !== 0x50 || tail.readUInt32LE(at) !== END_SIGNATURE) continue
    const end = at + END_BYTES + tail.readUInt16LE(at + 20)
    if (end > tail.length || tail.subarray(end).some((byte) => byte !== 0)) throw new Refusal('ZipTrailingData')
    return {
      position: tailOffset + at,
      disks: tail.readUInt16LE(at + 4) + tail.readUInt16LE(at + 6) + Math.abs(tail.readUInt16LE(at + 8) - tail.readUInt16LE(at + 10)),
      entries: tail.readUInt16LE(at + 10),
      directoryBytes: tail.readUInt32LE(at + 12),
      directoryOffset: tail.readUInt32LE(at + 16)
    }
  }
  return null
}

async function readTail (reader: ForwardReader, sizeBytes: number): Promise<{ tail: Buffer, offset: number }> {
  const offset = Math.max(0, sizeBytes - END_BYTES - COMMENT_BYTES)
  return { tail: await reader.read(offset, sizeBytes - offset), offset }
}

/**
 * The one directory that every reader of this file must arrive at. Where readers could disagree (a second end record, a gap, ZIP64
 * numbers, several disks) clamd may see other files than the user's tool does, so the archive is refused.
 */
export async function readZipDirectory (reader: ForwardReader, sizeBytes: number): Promise<ZipDirectory> {
  const { tail, offset: tailOffset } = await readTail(reader, sizeBytes)
  const end = findEnd(tail, tailOffset)
  if (end === null) throw new Refusal('ZipNoDirectory')
  if (end.disks !== 0) throw new Refusal('ZipSpanned')
  const locator = end.position - tailOffset - ZIP64_LOCATOR_BYTES
  if (locator >= 0 && tail.readUInt32LE(locator) === ZIP64_LOCATOR_SIGNATURE) throw new Refusal('Zip64')
  if (end.entries === 0xffff || end.directoryBytes === 0xffffffff || end.directoryOffset === 0xffffffff) throw new Refusal('Zip64')
  if (end.directoryOffset + end.directoryBytes !== end.position) throw new Refusal('ZipDirectoryMisplaced')
  if (end.entries > MAX_ENTRIES) throw new Refusal('ZipTooManyEntries')
  if (end.directoryBytes > MAX_DIRECTORY_BYTES) throw new Refusal('ZipDirectoryTooLarge')

  const directory = await reader.read(end.directoryOffset, end.directoryBytes)
  const entries: ZipEntry[] = []
  let at = 0
  for (let i = 0; i < end.entries; i++) {
    if (at + ENTRY_BYTES > directory.length || directory.readUInt32LE(at) !== ENTRY_SIGNATURE) throw new Refusal('ZipDirectoryBroken')
    const nameBytes = directory.readUInt16LE(at + 28)
    const name = directory.subarray(at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes)
    if (directory.readUInt16LE(at + 34) !== 0) throw new Refusal('ZipSpanned')
    entries.push({
      name,
      flags: directory.readUInt16LE(at + 8),
      method: directory.readUInt16LE(at + 10),
      crc: directory.readUInt32LE(at + 16),
      compressedBytes: directory.readUInt32LE(at + 20),
      sizeBytes: directory.readUInt32LE(at + 24),
      offset: directory.readUInt32LE(at + 42)
    })
    at += ENTRY_BYTES + nameBytes + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32)
  }
  if (at !== directory.length) throw new Refusal('ZipDirectoryBroken')
  return { entries, offset: end.directoryOffset }
}

/**
 * Whether a file of another kind has a ZIP archive at its end: most unpackers would find it and clamd would not.
 * @param toTheByte nothing may follow, for kinds of files that hold others as they are.
 */
/** Where an end record may begin, from the last back. Found by the engine's own search: nearly all files have none, and every file is looked at. */
function * endRecordsIn (tail: Buffer): Generator<number> {
  const signature = Buffer.alloc(4)
  signature.writeUInt32LE(END_SIGNATURE)
  for (let from = tail.length - END_BYTES; from >= 0; from--) {
    from = tail.lastIndexOf(signature, from)
    if (from < 0) return
    yield from
  }
}

export async function endsInZip (reader: ForwardReader, sizeBytes: number, { toTheByte }: { toTheByte: boolean }): Promise<boolean> {
  const { tail, offset } = await readTail(reader, sizeBytes)
  let records = 0
  for (const at of endRecordsIn(tail)) {
    if (toTheByte && at + END_BYTES + tail.readUInt16LE(at + 20) !== tail.length) continue
    // Each costs a request or two to the store, and so many are there for no other reason.
    if (++records > MAX_END_RECORDS) return true
    // Some count from the end record back, some from the start of the file.
    for (const directory of [offset + at - tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)]) {
      if (directory < 0) continue
      const start = await reader.read(directory, 4)
      if (start.length === 4 && start.readUInt32LE(0) === ENTRY_SIGNATURE) return true
    }
  }
  return false
}
