import { crc32 } from 'node:zlib'

export interface RawXzOptions {
  /** The filter that the block claims. */
  filter?: number
  /** The encoded dictionary size. */
  dictionary?: number
  /** The unpacked size that the index claims. */
  indexBytes?: number
  check?: Buffer
}

const CHUNK_BYTES = 65_536

function le32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)])
const summed = (bytes: Buffer): Buffer => Buffer.concat([bytes, le32(crc32(bytes))])
const number = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) + 128, ...number(Math.floor(value / 128))]

/** Writes an xz file of one stored block with a CRC32, valid or not. */
export function rawXz(
  data: Buffer,
  { filter = 0x21, dictionary = 8, indexBytes, check }: RawXzOptions = {}
): Buffer {
  const flags = Buffer.from([0, 1])
  const header = summed(padded(Buffer.from([2, 0, filter, 1, dictionary, 0, 0, 0])))
  const chunks: Buffer[] = []
  for (let at = 0; at < data.length; at += CHUNK_BYTES) {
    const chunk = data.subarray(at, at + CHUNK_BYTES)
    chunks.push(Buffer.from([at === 0 ? 1 : 2, (chunk.length - 1) >> 8, (chunk.length - 1) & 0xff]), chunk)
  }
  const packed = Buffer.concat([...chunks, Buffer.from([0])])
  const index = padded(
    Buffer.from([0, 1, ...number(header.length + packed.length + 4), ...number(indexBytes ?? data.length)])
  )
  const footer = Buffer.concat([le32((index.length + 4) / 4 - 1), flags])
  return Buffer.concat([
    Buffer.from('fd377a585a00', 'hex'),
    flags,
    le32(crc32(flags)),
    header,
    padded(packed),
    check ?? le32(crc32(data)),
    summed(index),
    le32(crc32(footer)),
    footer,
    Buffer.from('YZ')
  ])
}
