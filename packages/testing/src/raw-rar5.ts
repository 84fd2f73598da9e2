import { crc32 } from 'node:zlib'

export interface RawRar5Entry {
  name?: string
  data: Buffer
  /** Instead of the right checksum. */
  crc?: number
}

const SIGNATURE = Buffer.from('526172211a070100', 'hex')
const MAIN_HEADER = 1
const FILE_HEADER = 2
const END_HEADER = 5
const HAS_DATA = 2
const HAS_CRC = 4
const UNIX = 1

/** A number of 7 bits a byte, the lowest first. */
function vint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...vint(value >>> 7)]
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** A checksum, the length of what follows it, and that. */
function header(fields: ReadonlyArray<number | Buffer>): Buffer {
  const content = Buffer.concat(
    fields.map((field) => (typeof field === 'number' ? Buffer.from(vint(field)) : field))
  )
  const checked = Buffer.concat([Buffer.from(vint(content.length)), content])
  return Buffer.concat([uint32(crc32(checked)), checked])
}

function entryOf({ name = 'a.txt', data, crc = crc32(data) }: RawRar5Entry): Buffer {
  const nameBytes = Buffer.from(name)
  const file = header([
    FILE_HEADER,
    HAS_DATA,
    data.length,
    HAS_CRC,
    data.length,
    0o644,
    uint32(crc),
    // Stored: version, method and dictionary are 0.
    0,
    UNIX,
    nameBytes.length,
    nameBytes
  ])
  return Buffer.concat([file, data])
}

/** A RAR archive of version 5, its files stored. */
export function rawRar5(entries: readonly RawRar5Entry[]): Buffer {
  return Buffer.concat([
    SIGNATURE,
    header([MAIN_HEADER, 0, 0]),
    ...entries.map(entryOf),
    header([END_HEADER, 0, 0])
  ])
}
