import { yieldToEventLoop } from '../yield-to-event-loop.js'
import type { ForwardReader } from './forward-reader.js'
import { Refusal } from './refusals.js'
import { readZip64End, resolveWideNumbers, type Zip64End } from './zip64.js'

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
  /** The offset at which the entries end and the directory begins. */
  offset: number
  /** Whether it has 64-bit numbers, which clamd does not read. */
  isZip64: boolean
}

const END_SIGNATURE = Buffer.from('PK\x05\x06')
const ENTRY_SIGNATURE = 0x02014b50
const END_BYTES = 22
const ENTRY_BYTES = 46
const COMMENT_BYTES = 65_535
const MAX_ENTRIES = 100_000
const MAX_END_RECORDS = 100
const MAX_DIRECTORY_BYTES = 32 * 1024 * 1024

interface End {
  position: number
  entries: number
  directoryBytes: number
  directoryOffset: number
  disks: number
}

/**
 * The last end record in the tail. Bytes may follow it: writers to a pipe pad the last block with zeros, and
 * some office editors append a few bytes. Programs that require the record at the very end then search
 * further up, and must not find another one.
 */
function findEnd(tail: Buffer, tailOffset: number): End | null {
  let found: End | null = null
  for (const at of endRecordsIn(tail)) {
    const endsFile = at + END_BYTES + tail.readUInt16LE(at + 20) === tail.length
    if (found !== null) {
      if (endsFile) throw new Refusal('ZipTrailingData')
      continue
    }
    found = {
      position: tailOffset + at,
      disks:
        tail.readUInt16LE(at + 4) +
        tail.readUInt16LE(at + 6) +
        Math.abs(tail.readUInt16LE(at + 8) - tail.readUInt16LE(at + 10)),
      entries: tail.readUInt16LE(at + 10),
      directoryBytes: tail.readUInt32LE(at + 12),
      directoryOffset: tail.readUInt32LE(at + 16)
    }
    if (endsFile) return found
  }
  return found
}

async function readTail(reader: ForwardReader, sizeBytes: number): Promise<{ tail: Buffer; offset: number }> {
  const offset = Math.max(0, sizeBytes - END_BYTES - COMMENT_BYTES)
  return { tail: await reader.read(offset, sizeBytes - offset), offset }
}

/**
 * The only directory that every reader of this file must find. If readers could disagree (a second end
 * record, a gap, several disks), clamd may see other files than the user's program. The archive is then
 * refused.
 */
export async function readZipDirectory(reader: ForwardReader, sizeBytes: number): Promise<ZipDirectory> {
  const { tail, offset: tailOffset } = await readTail(reader, sizeBytes)
  const end = findEnd(tail, tailOffset)
  if (end === null) throw new Refusal('ZipNoDirectory')
  if (end.disks !== 0) throw new Refusal('ZipSpanned')
  const wide = await readZip64End(reader, end.position)
  const { entries: count, directoryBytes, directoryOffset, position } = wide ?? end
  if (wide !== null && !isSameEnd(end, wide)) throw new Refusal('ZipMismatch')
  if (directoryOffset + directoryBytes !== position) throw new Refusal('ZipDirectoryMisplaced')
  if (count > MAX_ENTRIES) throw new Refusal('TooManyEntries')
  if (directoryBytes > MAX_DIRECTORY_BYTES) throw new Refusal('TooManyEntries')

  const directory = await reader.read(directoryOffset, directoryBytes)
  const entries: ZipEntry[] = []
  let isZip64 = wide !== null
  let at = 0
  for (let i = 0; i < count; i++) {
    if (at + ENTRY_BYTES > directory.length || directory.readUInt32LE(at) !== ENTRY_SIGNATURE) {
      throw new Refusal('ZipDirectoryBroken')
    }
    const extraOffset = at + ENTRY_BYTES + directory.readUInt16LE(at + 28)
    const extraEnd = extraOffset + directory.readUInt16LE(at + 30)
    if (directory.readUInt16LE(at + 34) !== 0) throw new Refusal('ZipSpanned')
    const narrow = {
      compressedBytes: directory.readUInt32LE(at + 20),
      sizeBytes: directory.readUInt32LE(at + 24),
      offset: directory.readUInt32LE(at + 42)
    }
    const numbers = resolveWideNumbers(narrow, directory.subarray(extraOffset, extraEnd))
    isZip64 ||=
      numbers.offset !== narrow.offset ||
      numbers.sizeBytes !== narrow.sizeBytes ||
      numbers.compressedBytes !== narrow.compressedBytes
    entries.push({
      name: directory.subarray(at + ENTRY_BYTES, extraOffset),
      flags: directory.readUInt16LE(at + 8),
      method: directory.readUInt16LE(at + 10),
      crc: directory.readUInt32LE(at + 16),
      ...numbers
    })
    at = extraEnd + directory.readUInt16LE(at + 32)
    await yieldToEventLoop()
  }
  if (at !== directory.length) throw new Refusal('ZipDirectoryBroken')
  return { entries, offset: directoryOffset, isZip64 }
}

/** A program that does not know the ZIP64 record must find the same directory. */
function isSameEnd(end: End, wide: Zip64End): boolean {
  const agrees = (narrow: number, largest: number, value: number): boolean =>
    narrow === largest || narrow === value
  return (
    agrees(end.entries, 0xffff, wide.entries) &&
    agrees(end.directoryBytes, 0xffffffff, wide.directoryBytes) &&
    agrees(end.directoryOffset, 0xffffffff, wide.directoryOffset)
  )
}

/**
 * Offsets of possible end records, from the last to the first. Uses the engine's own search: every file is
 * searched, and nearly all have none.
 */
function* endRecordsIn(tail: Buffer): Generator<number> {
  for (let from = tail.length - END_BYTES; from >= 0; from--) {
    from = tail.lastIndexOf(END_SIGNATURE, from)
    if (from < 0) return
    yield from
  }
}

/** Whether these bytes may be the end of a ZIP. */
export function hasZipEnd(bytes: Buffer): boolean {
  const tail = bytes.subarray(Math.max(0, bytes.length - END_BYTES - COMMENT_BYTES))
  return endRecordsIn(tail).next().done !== true
}

/**
 * The offset of a ZIP archive at the end of a file of another format, or null. Most unpackers would find it
 * and clamd would not.
 * @param toTheByte the ZIP must end exactly at the end of the file, for formats that store other files
 * unchanged
 */
export async function findAppendedZip(
  reader: ForwardReader,
  sizeBytes: number,
  { toTheByte }: { toTheByte: boolean }
): Promise<number | null> {
  const { tail, offset } = await readTail(reader, sizeBytes)
  let records = 0
  for (const at of endRecordsIn(tail)) {
    if (toTheByte && at + END_BYTES + tail.readUInt16LE(at + 20) !== tail.length) continue
    // Each record costs one or two requests to the store. A file with so many was made for that purpose.
    if (++records > MAX_END_RECORDS) return 0
    const beforeEnd = offset + at - tail.readUInt32LE(at + 12)
    const said = tail.readUInt32LE(at + 16)
    // Some programs compute the offset from the end record, others from the start of the file.
    for (const directory of [beforeEnd, said]) {
      if (directory < 0) continue
      const start = await reader.read(directory, 4)
      const isDirectory = start.length === 4 && start.readUInt32LE(0) === ENTRY_SIGNATURE
      if (isDirectory) return Math.max(0, beforeEnd - said)
    }
  }
  return null
}
