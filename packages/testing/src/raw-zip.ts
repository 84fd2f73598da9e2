import { crc32, deflateRawSync } from 'node:zlib'

export interface RawEntry {
  name?: string
  data: Buffer
  method?: number
  flags?: number
  /** False values of the local header. */
  local?: Partial<RawFields>
  /** False values of the directory. */
  central?: Partial<RawFields>
  /** Bytes after the data, such as a descriptor. */
  after?: Buffer
}

interface RawFields {
  name: string
  method: number
  flags: number
  compressedBytes: number
  sizeBytes: number
  offset: number
  extra: Buffer
}

export interface RawZipOptions {
  comment?: Buffer
  end?: { entries?: number; directoryBytes?: number; directoryOffset?: number }
  beforeDirectory?: Buffer
  afterDirectory?: Buffer
}

/** Writes any ZIP, valid or not: every field can be wrong. */
export function rawZip(
  entries: RawEntry[],
  { comment = Buffer.alloc(0), end = {}, beforeDirectory, afterDirectory }: RawZipOptions = {}
): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  const add = (bytes: Buffer): void => {
    parts.push(bytes)
    offset += bytes.length
  }
  for (const { name = 'a.txt', data, method = 8, flags = 0, local = {}, central = {}, after } of entries) {
    const body = method === 8 ? deflateRawSync(data) : data
    const truth = {
      name,
      method,
      flags,
      compressedBytes: body.length,
      sizeBytes: data.length,
      offset,
      extra: Buffer.alloc(0)
    }
    directory.push(centralHeader({ ...truth, ...central }, crc32(data)))
    add(localHeader({ ...truth, ...local }, crc32(data)))
    add(body)
    if (after !== undefined) add(after)
  }
  if (beforeDirectory !== undefined) add(beforeDirectory)
  const directoryOffset = offset
  const directoryBytes = directory.reduce((sum, bytes) => sum + bytes.length, 0)
  const tail = Buffer.alloc(22)
  tail.writeUInt32LE(0x06054b50)
  tail.writeUInt16LE(end.entries ?? entries.length, 8)
  tail.writeUInt16LE(end.entries ?? entries.length, 10)
  tail.writeUInt32LE(end.directoryBytes ?? directoryBytes, 12)
  tail.writeUInt32LE(end.directoryOffset ?? directoryOffset, 16)
  tail.writeUInt16LE(comment.length, 20)
  return Buffer.concat([...parts, ...directory, afterDirectory ?? Buffer.alloc(0), tail, comment])
}

export function descriptor(data: Buffer, { signed = true }: { signed?: boolean } = {}): Buffer {
  const fields = Buffer.alloc(16)
  fields.writeUInt32LE(0x08074b50)
  fields.writeUInt32LE(crc32(data), 4)
  fields.writeUInt32LE(deflateRawSync(data).length, 8)
  fields.writeUInt32LE(data.length, 12)
  return signed ? fields : fields.subarray(4)
}

function localHeader(fields: RawFields, crc: number): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50)
  header.writeUInt16LE(20, 4)
  header.writeUInt16LE(fields.flags, 6)
  header.writeUInt16LE(fields.method, 8)
  header.writeUInt32LE(crc, 14)
  header.writeUInt32LE(fields.compressedBytes, 18)
  header.writeUInt32LE(fields.sizeBytes, 22)
  header.writeUInt16LE(fields.name.length, 26)
  header.writeUInt16LE(fields.extra.length, 28)
  return Buffer.concat([header, Buffer.from(fields.name), fields.extra])
}

function centralHeader(fields: RawFields, crc: number): Buffer {
  const header = Buffer.alloc(46)
  header.writeUInt32LE(0x02014b50)
  header.writeUInt16LE(20, 4)
  header.writeUInt16LE(20, 6)
  header.writeUInt16LE(fields.flags, 8)
  header.writeUInt16LE(fields.method, 10)
  header.writeUInt32LE(crc, 16)
  header.writeUInt32LE(fields.compressedBytes, 20)
  header.writeUInt32LE(fields.sizeBytes, 24)
  header.writeUInt16LE(fields.name.length, 28)
  header.writeUInt16LE(fields.extra.length, 30)
  header.writeUInt32LE(fields.offset, 42)
  return Buffer.concat([header, Buffer.from(fields.name), fields.extra])
}
