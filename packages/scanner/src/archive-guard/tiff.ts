/** Tags of a TIFF directory. */
const COMPRESSION = 259
const SUB_DIRECTORIES = 330
const OFFSETS = [273, 324]
const BYTE_COUNTS = [279, 325]
const LZMA = 34925
const XZ_MAGIC = Buffer.from('fd377a585a00', 'hex')

/** Limits pages and their thumbnails. */
const MAX_DIRECTORIES = 1000
/** Allows an image of 65,536 lines with one strip per line. */
const MAX_STRIPS = 100_000

export interface Strip {
  offset: number
  sizeBytes: number
}

interface Layout {
  /** BigTIFF uses numbers of eight bytes, TIFF of four. */
  isBig: boolean
  readUInt: (at: number, bytes: number) => number
}

type Directory = Map<number, number[]>

function layoutOf(tiff: Buffer): Layout | null {
  const start = tiff.toString('hex', 0, 4)
  const isLittle = ['49492a00', '49492b00'].includes(start)
  if (!isLittle && !['4d4d002a', '4d4d002b'].includes(start)) return null
  const readUInt = (at: number, bytes: number): number => {
    if (at < 0 || at + bytes > tiff.length) return 0
    if (bytes === 8) return Number(isLittle ? tiff.readBigUInt64LE(at) : tiff.readBigUInt64BE(at))
    return isLittle ? tiff.readUIntLE(at, bytes) : tiff.readUIntBE(at, bytes)
  }
  return { isBig: start.includes('2b'), readUInt }
}

/** Sizes of the types SHORT, LONG, IFD, LONG8 and IFD8. */
const typeBytes = new Map([
  [3, 2],
  [4, 4],
  [13, 4],
  [16, 8],
  [18, 8]
])

/**
 * Whether the start of the file shows LZMA strips: in the first directory, or in a strip, which is an xz
 * file.
 */
export function mayHaveLzmaStrips(head: Buffer): boolean {
  const layout = layoutOf(head)
  if (layout === null) return false
  const first = readDirectory(layout, firstOffset(layout))
  return first.directory.get(COMPRESSION)?.[0] === LZMA || head.includes(XZ_MAGIC)
}

export function startsXz(tiff: Buffer, offset: number): boolean {
  return tiff.subarray(offset, offset + XZ_MAGIC.length).equals(XZ_MAGIC)
}

/**
 * The strips or tiles that the TIFF lists as LZMA-compressed. Each is an xz file. Null if it lists more than
 * a real image has.
 */
export function lzmaStrips(tiff: Buffer): Strip[] | null {
  const layout = layoutOf(tiff)
  if (layout === null) return []
  const strips: Strip[] = []
  const seen = new Set<number>()
  const waiting = [firstOffset(layout)]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (at === 0 || seen.has(at)) continue
    if (seen.add(at).size > MAX_DIRECTORIES) return null
    const { directory, next } = readDirectory(layout, at)
    waiting.push(next, ...(directory.get(SUB_DIRECTORIES) ?? []))
    if (directory.get(COMPRESSION)?.[0] === LZMA) strips.push(...stripsOf(directory))
    if (strips.length > MAX_STRIPS) return null
  }
  const namedBytes = strips.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  return namedBytes > tiff.length ? null : strips
}

const firstOffset = ({ isBig, readUInt }: Layout): number => (isBig ? readUInt(8, 8) : readUInt(4, 4))

function readDirectory(layout: Layout, at: number): { directory: Directory; next: number } {
  const { isBig, readUInt } = layout
  const directory: Directory = new Map()
  const [countBytes, entryBytes, numberBytes] = isBig ? [8, 20, 8] : [2, 12, 4]
  const entries = Math.min(readUInt(at, countBytes), 0xffff)
  for (let i = 0; i < entries; i++) {
    const entryAt = at + countBytes + i * entryBytes
    const tag = readUInt(entryAt, 2)
    if (![COMPRESSION, SUB_DIRECTORIES, ...OFFSETS, ...BYTE_COUNTS].includes(tag)) continue
    directory.set(tag, readValues(layout, entryAt))
  }
  return { directory, next: readUInt(at + countBytes + entries * entryBytes, numberBytes) }
}

function readValues({ isBig, readUInt }: Layout, entryAt: number): number[] {
  const valueBytes = typeBytes.get(readUInt(entryAt + 2, 2))
  if (valueBytes === undefined) return []
  const count = Math.min(readUInt(entryAt + 4, isBig ? 8 : 4), MAX_STRIPS + 1)
  const inlineAt = entryAt + (isBig ? 12 : 8)
  const isInline = count * valueBytes <= (isBig ? 8 : 4)
  const valuesAt = isInline ? inlineAt : readUInt(inlineAt, isBig ? 8 : 4)
  return Array.from({ length: count }, (_, i) => readUInt(valuesAt + i * valueBytes, valueBytes))
}

function stripsOf(directory: Directory): Strip[] {
  const valuesOf = (tags: number[]): number[] => tags.flatMap((tag) => directory.get(tag) ?? [])
  const sizes = valuesOf(BYTE_COUNTS)
  const strips = valuesOf(OFFSETS).map((offset, i) => ({ offset, sizeBytes: sizes[i] ?? 0 }))
  // A strip without data is an empty part of the image.
  return strips.filter(({ sizeBytes }) => sizeBytes > 0)
}
