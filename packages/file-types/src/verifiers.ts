import type { Sample } from './sample.js'

/** Whether the bytes confirm a short signature. */
type Verifier = (sample: Sample, name: string) => boolean

const BMP_HEADER_SIZES = new Set([12, 16, 40, 52, 56, 64, 108, 124])

function isBmp({ head }: Sample): boolean {
  return head.length >= 18 && BMP_HEADER_SIZES.has(head.readUInt32LE(14))
}

/** Icons and cursors: every entry of the list must be after it and inside the file. */
function isIcon({ head, size }: Sample): boolean {
  if (head.length < 22) return false
  const count = head.readUInt16LE(4)
  const listEnd = 6 + 16 * count
  if (count === 0 || listEnd > head.length) return false
  for (let at = 6; at < listEnd; at += 16) {
    const offset = head.readUInt32LE(at + 12)
    const length = head.readUInt32LE(at + 8)
    if (offset < listEnd || length === 0 || offset + length > size) return false
  }
  return true
}

/** The block's first 48 bits are the digits of π, those of an empty file the digits of √π. */
function isBzip2({ head }: Sample): boolean {
  return /^BZh[1-9](?:314159265359|177245385090)$/.test(
    head.toString('latin1', 0, 4) + head.toString('hex', 4, 10)
  )
}

const NEWC = /^07070[12][0-9a-f]{104}/i
const ODC = /^070707[0-7]{70}/

/**
 * The header is numbers throughout; the old binary form has a signature of two bytes, borne out by the NUL
 * that ends the first name.
 */
export function isCpio({ head }: Sample): boolean {
  const start = head.toString('latin1', 0, 110)
  if (NEWC.test(start) || ODC.test(start)) return true
  if (!start.startsWith('\xc7\x71') || head.length < 28) return false
  const nameBytes = head.readUInt16LE(20)
  return nameBytes > 1 && head.indexOf(0, 26) === 26 + nameBytes - 1
}

/** A raw codestream starts with only two bytes, so the extension must match. */
function isJxl({ head }: Sample, name: string): boolean {
  return head[0] === 0x00 || name.toLowerCase().endsWith('.jxl')
}

/** The old `compress`: its third byte has the length of its longest code, 9 to 16 bits. */
function isCompress({ head }: Sample): boolean {
  const bits = (head[2] ?? 0) & 0x7f
  return head[1] === 0x9d && bits >= 9 && bits <= 16
}

/** The length of the first header follows, of which two forms exist. */
function isArj({ head }: Sample): boolean {
  return head[4] === 0x1e || head[4] === 0x22
}

/** file-type's signatures of at most four bytes, where an accepted type depends on them. */
export const verifiers: ReadonlyMap<string, Verifier> = new Map<string, Verifier>([
  ['application/vnd.ms-cab-compressed', ({ head }) => head.length >= 8 && head.readUInt32LE(4) === 0],
  ['application/x-arj', isArj],
  ['application/x-bzip2', isBzip2],
  ['application/x-compress', isCompress],
  ['application/x-cpio', isCpio],
  // file-type takes the two characters "%!" for PostScript, which has a version after them.
  ['application/postscript', ({ head }) => /^(?:%!PS|\xc5\xd0\xd3\xc6)/.test(head.toString('latin1', 0, 8))],
  ['application/vnd.ms-htmlhelp', ({ head }) => head.length >= 8 && head.readUInt32LE(4) === 3],
  ['image/bmp', isBmp],
  ['image/gif', ({ head }) => /^GIF8[79]a/.test(head.toString('latin1', 0, 6))],
  ['image/icns', ({ head, size }) => head.length >= 8 && head.readUInt32BE(4) === size],
  ['image/jxl', isJxl],
  ['image/vnd.adobe.photoshop', ({ head }) => head[4] === 0 && (head[5] === 1 || head[5] === 2)],
  ['image/vnd.ms-photo', ({ head }) => head[3] === 0 || head[3] === 1],
  ['image/x-icon', isIcon]
])
