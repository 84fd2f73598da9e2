import { isDib, isPcx, isTga } from './raster-headers.js'
import type { Sample } from './sample.js'

/**
 * Whether the bytes are an image of this type. Checks every field with few legal values, so that other bytes
 * do not pass.
 */
type Check = (sample: Sample, name: string) => boolean

function text(head: Buffer, from: number, to: number): string {
  return head.toString('latin1', from, to)
}

function isDds({ head }: Sample): boolean {
  return (
    head.length >= 128 &&
    text(head, 0, 4) === 'DDS ' &&
    head.readUInt32LE(4) === 124 &&
    head.readUInt32LE(76) === 32
  )
}

function isExr({ head }: Sample): boolean {
  return (
    head.length >= 8 &&
    head.readUInt32LE(0) === 20000630 &&
    head[4] === 2 &&
    (head.readUInt32LE(4) & 0xffffe100) === 0
  )
}

function isQoi({ head, tail }: Sample): boolean {
  if (head.length < 22 || text(head, 0, 4) !== 'qoif') return false
  const hasSize = head.readUInt32BE(4) > 0 && head.readUInt32BE(8) > 0
  const isPlausible = (head[12] === 3 || head[12] === 4) && (head[13] as number) <= 1
  return hasSize && isPlausible && tail.subarray(-8).toString('hex') === '0000000000000001'
}

/** Setting lines, an empty one, and the size: `-Y 512 +X 768`. */
function isRadiance({ head }: Sample): boolean {
  if (!/^#\?(?:RADIANCE|RGBE)\s/.test(text(head, 0, 16))) return false
  const start = text(head, 0, 4096)
  return /\n\n[-+][XY] \d+ [-+][XY] \d+\n/.test(start)
}

function isEmf({ head }: Sample): boolean {
  return (
    head.length >= 88 &&
    head.readUInt32LE(0) === 1 &&
    head.readUInt32LE(4) >= 88 &&
    text(head, 40, 44) === ' EMF'
  )
}

const PLACEABLE = 0x9ac6cdd7

/** With or without the header that most programs add, which has a checksum. */
function isWmf({ head, size }: Sample): boolean {
  if (head.length < 40) return false
  if (head.readUInt32LE(0) === PLACEABLE) {
    let sum = 0
    for (let at = 0; at < 20; at += 2) sum ^= head.readUInt16LE(at)
    return sum === head.readUInt16LE(20) || isWmfHeader(head.subarray(22), size - 22)
  }
  return isWmfHeader(head, size)
}

function isWmfHeader(head: Buffer, size: number): boolean {
  const version = head.readUInt16LE(4)
  const hasKind = head.readUInt16LE(0) === 1 || head.readUInt16LE(0) === 2
  const isKnown = hasKind && head.readUInt16LE(2) === 9 && (version === 0x0100 || version === 0x0300)
  // The size in words, the number of objects, the largest record, and a field that is not used.
  return (
    isKnown &&
    head.readUInt32LE(6) * 2 <= size &&
    head.readUInt32LE(12) <= head.readUInt32LE(6) &&
    head.readUInt16LE(16) === 0
  )
}

/** The start of all Netpbm formats. */
const LETTER_P = 0x50

const PNM_HEADER =
  /^P([1-6])(?:\s+(?:#[^\n]*\n\s*)*)(\d+)(?:\s+(?:#[^\n]*\n\s*)*)(\d+)(?:(?:\s+(?:#[^\n]*\n\s*)*)(\d+))?\s/
const PNM_BODY = /^(?:[\s\d]|#[^\n]*(?:\n|$))*$/

/**
 * P1 to P6: width, height and, except for bitmaps, the maximum value; then digits (1 to 3) or that many bytes
 * (4 to 6).
 */
function pnmType({ head, size }: Sample): string | null {
  if (head[0] !== LETTER_P) return null
  const start = text(head, 0, 1024)
  const match = PNM_HEADER.exec(start)
  if (match === null) return null
  const kind = Number(match[1])
  const isBitmap = kind % 3 === 1
  const [width, height, most] = [Number(match[2]), Number(match[3]), Number(match[4] ?? 0)]
  if (width === 0 || height === 0 || (!isBitmap && (most === 0 || most > 65_535))) return null
  const type = `image/x-portable-${['bitmap', 'graymap', 'pixmap'][(kind - 1) % 3]}`
  if (kind <= 3) return PNM_BODY.test(start.slice(2)) ? type : null
  const rowBytes = kind === 4 ? Math.ceil(width / 8) : width * (kind === 6 ? 3 : 1) * (most > 255 ? 2 : 1)
  // A bitmap has two numbers; the third match of the pattern is its first byte.
  const headerBytes = isBitmap ? 7 : match[0].length
  return rowBytes * height + headerBytes <= size + 4 ? type : null
}

function isPam({ head }: Sample): boolean {
  if (head[0] !== LETTER_P) return false
  const [header, rest] = text(head, 0, 1024).split('ENDHDR\n', 2)
  return (
    rest !== undefined &&
    /^P7\n/.test(header ?? '') &&
    ['WIDTH', 'HEIGHT', 'DEPTH', 'MAXVAL'].every((word) => header?.includes(`\n${word} `))
  )
}

/** Floats: a size and a scale, whose sign gives the byte order. */
function isPfm({ head }: Sample): boolean {
  return /^P[Ff]\n\d+ \d+\n-?\d+(?:\.\d+)?\n/.test(text(head, 0, 64))
}

const isXpm: Check = ({ head }) => /^\/\* XPM \*\/\s/.test(text(head, 0, 16))
const isXbm: Check = ({ head }) =>
  /^(?:\s|\/\*[\s\S]*?\*\/)*#define\s+\w*width\s+\d+\s+#define\s+\w*height\s+\d+\s/.test(
    text(head, 0, 2048)
  ) && /\bstatic\s+(?:unsigned\s+)?(?:char|short)\s+\w+_?bits\b/.test(text(head, 0, 4096))

const isDcx: Check = ({ head, size }) =>
  head.length >= 12 && head.readUInt32LE(0) === 0x3ade68b1 && head.readUInt32LE(4) < size
const isSunRaster: Check = ({ head }) =>
  head.length >= 32 && head.readUInt32BE(0) === 0x59a66a95 && [1, 8, 24, 32].includes(head.readUInt32BE(12))
const isSgi: Check = ({ head }) =>
  head.length >= 512 &&
  head.readUInt16BE(0) === 0x01da &&
  (head[2] as number) <= 1 &&
  [1, 2].includes(head[3] as number) &&
  [1, 2, 3].includes(head.readUInt16BE(4)) &&
  head.readUInt16BE(6) > 0 &&
  head.readUInt32BE(104) <= 3
const isFits: Check = ({ head, size }) => /^SIMPLE {2}= {20}T/.test(text(head, 0, 30)) && size >= 2880
const isBigTiff: Check = ({ head }) =>
  ['49492b0008000000', '4d4d002b00080000'].includes(head.toString('hex', 0, 8))

const checks: ReadonlyArray<readonly [type: string, check: Check]> = [
  ['image/vnd.ms-dds', isDds],
  ['image/x-exr', isExr],
  ['image/qoi', isQoi],
  ['image/vnd.radiance', isRadiance],
  ['image/emf', isEmf],
  ['image/wmf', isWmf],
  ['image/x-portable-arbitrarymap', isPam],
  ['image/x-portable-floatmap', isPfm],
  ['image/x-dcx', isDcx],
  ['image/x-sun-raster', isSunRaster],
  ['image/sgi', isSgi],
  ['image/fits', isFits],
  ['image/tiff', isBigTiff],
  ['image/bmp', isDib],
  ['image/x-pcx', isPcx],
  ['image/x-tga', isTga]
]

/** Images that file-type does not know. */
export function imageType(sample: Sample, name: string): string | null {
  return checks.find(([, check]) => check(sample, name))?.[0] ?? pnmType(sample)
}

/** Images that may consist of text characters only. */
export function textImageType(sample: Sample, name: string): string | null {
  if (isXpm(sample, name)) return 'image/x-xpixmap'
  if (name.toLowerCase().endsWith('.xbm') && isXbm(sample, name)) return 'image/x-xbitmap'
  if (isRadiance(sample)) return 'image/vnd.radiance'
  if (isPam(sample)) return 'image/x-portable-arbitrarymap'
  return pnmType(sample)
}

export const headerImageTypes: readonly string[] = [
  ...checks.map(([type]) => type),
  'image/x-xpixmap',
  'image/x-xbitmap',
  'image/x-portable-bitmap',
  'image/x-portable-graymap',
  'image/x-portable-pixmap'
]
