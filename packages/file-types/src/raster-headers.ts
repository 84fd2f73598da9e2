import type { Sample } from './sample.js'

/** PCX: a one-byte signature, confirmed by checking every field of the header. */
export function isPcx({ head }: Sample): boolean {
  const [signature, version, encoding] = head
  if (head.length < 128 || signature !== 0x0a || encoding !== 1 || ![0, 2, 3, 4, 5].includes(version ?? 1)) {
    return false
  }
  const bits = head[3] as number
  const width = head.readUInt16LE(8) - head.readUInt16LE(4) + 1
  const height = head.readUInt16LE(10) - head.readUInt16LE(6) + 1
  const planes = head[65] as number
  if (![1, 2, 4, 8].includes(bits) || width < 1 || height < 1 || planes < 1 || planes > 4) return false
  const rowBytes = head.readUInt16LE(66)
  // Rows are padded to an even number or to the screen width.
  return rowBytes * 8 >= width * bits && rowBytes * 8 <= width * bits + 256 && (head[64] as number) <= 1
}

const TGA_FOOTER = 'TRUEVISION-XFILE.\0'
const TGA_HEADER_BYTES = 18
const TGA_NAMES = /\.(?:tga|icb|vda|vst)$/i
const PACKED = 8

interface TgaHeader {
  isPacked: boolean
  dataAt: number
  pixels: number
  pixelBytes: number
}

function tgaHeader(head: Buffer): TgaHeader | null {
  if (head.length < TGA_HEADER_BYTES) return null
  const [idBytes, hasMap, kind] = [head[0] as number, head[1] as number, head[2] as number]
  const mapLength = head.readUInt16LE(5)
  const mapBits = head[7] as number
  const [width, height, bits, descriptor] = [
    head.readUInt16LE(12),
    head.readUInt16LE(14),
    head[16] as number,
    head[17] as number
  ]
  const bitsOfKind = { 1: [8, 16], 2: [15, 16, 24, 32], 3: [8, 16] }[(kind & ~PACKED) as 1 | 2 | 3]
  const isMapped = (kind & ~PACKED) === 1
  if (bitsOfKind === undefined || !bitsOfKind.includes(bits) || hasMap > 1 || (isMapped && hasMap === 0)) {
    return null
  }
  if (hasMap === 1 ? mapLength === 0 || ![15, 16, 24, 32].includes(mapBits) : mapLength !== 0) return null
  if (width === 0 || height === 0 || (descriptor & 0xc0) !== 0 || (descriptor & 0x0f) > 8) return null
  return {
    isPacked: (kind & PACKED) !== 0,
    dataAt: TGA_HEADER_BYTES + idBytes + hasMap * mapLength * Math.ceil(mapBits / 8),
    pixels: width * height,
    pixelBytes: Math.ceil(bits / 8)
  }
}

/** Whether the visible runs fill no more than the image, and all of it if its end is visible. */
function runsFit(head: Buffer, size: number, { dataAt, pixels, pixelBytes }: TgaHeader): boolean {
  let at = dataAt
  let filled = 0
  while (at < head.length && filled < pixels) {
    const run = head[at] as number
    const count = (run & 0x7f) + 1
    filled += count
    at += 1 + (run & 0x80 ? pixelBytes : count * pixelBytes)
  }
  return filled <= pixels && at <= size && (filled === pixels || head.length < size)
}

/**
 * TGA has a footer since 1989, and before that only a header: then the extension must match, and the size
 * must fit.
 */
export function isTga({ head, tail, size }: Sample, name: string): boolean {
  const header = tgaHeader(head)
  if (header === null) return false
  if (tail.toString('latin1', tail.length - TGA_FOOTER.length) === TGA_FOOTER) return true
  if (!TGA_NAMES.test(name)) return false
  return header.isPacked
    ? runsFit(head, size, header)
    : header.dataAt + header.pixels * header.pixelBytes <= size
}

/** A bitmap as on the clipboard, without a file header: recognized by its second header and its extension. */
export function isDib({ head, size }: Sample, name: string): boolean {
  if (!/\.(?:dib|bmp)$/i.test(name) || head.length < 40 || head.readUInt32LE(0) !== 40) return false
  const [planes, depth, compression] = [head.readUInt16LE(12), head.readUInt16LE(14), head.readUInt32LE(16)]
  if (planes !== 1 || ![1, 4, 8, 16, 24, 32].includes(depth)) return false
  return compression <= 6 && head.readUInt32LE(20) <= size
}
