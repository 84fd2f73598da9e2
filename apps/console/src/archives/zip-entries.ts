import {
  DamagedArchiveError,
  MAX_ENTRIES,
  type ArchiveEntry,
  type ArchiveListing
} from './archive-entries.js'

/** Returns the bytes from an offset to the end of the file. */
export type ReadFrom = (offset: number) => Promise<Uint8Array>

const END = 0x06054b50
const END_BYTES = 22
const END64 = 0x06064b50
const LOCATOR64 = 0x07064b50
const LOCATOR64_BYTES = 20
const ENTRY = 0x02014b50
const ENTRY_BYTES = 46
const MAX_COMMENT_BYTES = 0xffff
const UNKNOWN_SIZE = 0xffffffff
const UTF8_FLAG = 0x800
/** A directory of that many bytes has more entries than are listed. */
const MAX_DIRECTORY_BYTES = 4 * 1024 * 1024

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

function endIn(tail: Uint8Array): number {
  const view = viewOf(tail)
  for (let at = tail.length - END_BYTES; at >= 0; at--) {
    if (view.getUint32(at, true) !== END) continue
    if (at + END_BYTES + view.getUint16(at + 20, true) <= tail.length) return at
  }
  throw new DamagedArchiveError('no end of the central directory')
}

function number64(view: DataView, at: number): number {
  const number = view.getBigUint64(at, true)
  if (number > BigInt(Number.MAX_SAFE_INTEGER)) throw new DamagedArchiveError('a size out of range')
  return Number(number)
}

/** Where the central directory starts, as its end says. */
function directoryStart(tail: Uint8Array, tailAt: number): number {
  const view = viewOf(tail)
  const end = endIn(tail)
  const start = view.getUint32(end + 16, true)
  const locator = end - LOCATOR64_BYTES
  if (start !== UNKNOWN_SIZE || locator < 0 || view.getUint32(locator, true) !== LOCATOR64) return start
  const end64 = number64(view, locator + 8) - tailAt
  if (end64 < 0 || end64 + 56 > tail.length || view.getUint32(end64, true) !== END64) {
    throw new DamagedArchiveError('no end of the ZIP64 directory')
  }
  return number64(view, end64 + 48)
}

function realSize(view: DataView, at: number, length: number, size: number): number {
  if (size !== UNKNOWN_SIZE) return size
  for (let field = at; field + 4 <= at + length; field += 4 + view.getUint16(field + 2, true)) {
    if (view.getUint16(field, true) === 1 && field + 12 <= at + length) return number64(view, field + 4)
  }
  return size
}

/** What the central directory lists. Reads the end of the file only. */
export async function zipEntries(size: number, readFrom: ReadFrom): Promise<ArchiveListing> {
  const tailAt = Math.max(0, size - END_BYTES - MAX_COMMENT_BYTES - LOCATOR64_BYTES - 56)
  const tail = await readFrom(tailAt)
  const start = directoryStart(tail, tailAt)
  if (start > size) throw new DamagedArchiveError('the directory starts behind the end')
  const directory = start >= tailAt ? tail.subarray(start - tailAt) : await readFrom(start)
  const bytes = directory.subarray(0, MAX_DIRECTORY_BYTES)
  const view = viewOf(bytes)
  const entries: ArchiveEntry[] = []
  let at = 0
  while (at + ENTRY_BYTES <= bytes.length && view.getUint32(at, true) === ENTRY) {
    if (entries.length === MAX_ENTRIES) return { entries, isCut: true }
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((offset) =>
      view.getUint16(at + offset, true)
    )
    const nameAt = at + ENTRY_BYTES
    const extraAt = nameAt + (nameBytes ?? 0)
    const next = extraAt + (extraBytes ?? 0) + (commentBytes ?? 0)
    if (next > bytes.length) throw new DamagedArchiveError('the directory is cut off')
    const isUtf8 = (view.getUint16(at + 8, true) & UTF8_FLAG) !== 0
    const name = new TextDecoder(isUtf8 ? 'utf-8' : 'windows-1252').decode(bytes.subarray(nameAt, extraAt))
    entries.push({ name, size: realSize(view, extraAt, extraBytes ?? 0, view.getUint32(at + 24, true)) })
    at = next
  }
  if (
    entries.length === 0 &&
    directory.length >= ENTRY_BYTES &&
    view.getUint32(0, true) !== END &&
    view.getUint32(0, true) !== END64
  ) {
    throw new DamagedArchiveError('no directory where its end says')
  }
  return { entries, isCut: false }
}
