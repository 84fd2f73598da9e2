import { gzipSync } from 'node:zlib'
import t from 'tap'
import { rawTar, rawXz } from '@filewright/testing'
import { handsOver, reasonFor } from '../helpers/guard.js'
import { cleanText } from '../helpers/samples.js'

interface TiffOptions {
  isBig?: boolean
  isLittle?: boolean
  compression?: number
  /** Tags of the strips' offsets and sizes. Tiles have different tags. */
  tags?: [offsets: number, sizes: number]
  /** Defaults to the real sizes of the strips. */
  sizes?: number[]
}

/** Header, strips, lists of offsets and sizes, then the directory, as libtiff writes it. */
function tiff(strips: Buffer[], options: TiffOptions = {}): Buffer {
  const { isBig = false, isLittle = true, compression = 34925, tags = [273, 279] } = options
  const number = (value: number, bytes: number): Buffer => {
    const field = Buffer.from(value.toString(16).padStart(2 * bytes, '0'), 'hex')
    return isLittle ? field.reverse() : field
  }
  const wide = isBig ? 8 : 4
  const headerBytes = isBig ? 16 : 8
  const sizes = options.sizes ?? strips.map(({ length }) => length)
  const places = strips.map((_, i) => headerBytes + Buffer.concat(strips.slice(0, i)).length)
  const listAt = headerBytes + Buffer.concat(strips).length
  const lists = [...places, ...sizes].map((value) => number(value, wide))
  const list = (values: number[], at: number): Buffer =>
    number(values.length === 1 ? (values[0] ?? 0) : at, wide)
  const entry = (tag: number, type: number, count: number, value: Buffer): Buffer =>
    Buffer.concat([number(tag, 2), number(type, 2), number(count, wide), value])
  const short = Buffer.concat([number(compression, 2), Buffer.alloc(wide - 2)])
  return Buffer.concat([
    Buffer.from(isLittle ? 'II' : 'MM'),
    isBig ? Buffer.concat([number(43, 2), number(8, 2), number(0, 2)]) : number(42, 2),
    number(listAt + 2 * wide * strips.length, wide),
    ...strips,
    ...lists,
    number(3, isBig ? 8 : 2),
    entry(259, 3, 1, short),
    entry(tags[0], isBig ? 16 : 4, strips.length, list(places, listAt)),
    entry(tags[1], isBig ? 16 : 4, strips.length, list(sizes, listAt + wide * strips.length)),
    number(0, wide)
  ])
}

const text = cleanText()
const strip = rawXz(text)

t.test('scans LZMA strips and tiles of a TIFF and a BigTIFF, in both byte orders', async (t) => {
  const files = {
    'little-endian': tiff([strip]),
    'big-endian': tiff([strip], { isLittle: false }),
    'little-endian BigTIFF': tiff([strip], { isBig: true }),
    'big-endian BigTIFF': tiff([strip], { isBig: true, isLittle: false }),
    tiles: tiff([strip], { tags: [324, 325] })
  }

  for (const [what, bytes] of Object.entries(files)) {
    t.ok(await handsOver(bytes, text), what)
    t.ok(await handsOver(gzipSync(rawTar([{ data: bytes }])), text), `${what}, in a tar.gz`)
  }
})

t.test('scans all strips of a TIFF', async (t) => {
  const [first, second] = [cleanText(), cleanText()]

  const bytes = tiff([rawXz(first), rawXz(second)])

  t.ok(await handsOver(bytes, first))
  t.ok(await handsOver(bytes, second))
})

t.test(
  'refuses an xz file in a TIFF that is not one of its strips, alone and inside an archive',
  async (t) => {
    const files = {
      'behind it': Buffer.concat([tiff([strip]), rawXz(text)]),
      'of another compression': tiff([strip], { compression: 5 }),
      'behind the first in one strip': tiff([Buffer.concat([strip, rawXz(text)])]),
      'behind some bytes in one strip': tiff([Buffer.concat([strip, Buffer.from('more'), rawXz(text)])]),
      'longer than the strip': tiff([strip], { sizes: [strip.length - 4] }),
      'longer than the strip, which has nothing': tiff([strip], { sizes: [0] }),
      'behind a strip that is none': tiff([Buffer.alloc(8), strip]),
      'named more often than it is there': tiff([strip, strip], { sizes: [strip.length, 1e9] })
    }

    for (const [what, bytes] of Object.entries(files)) {
      t.equal(await reasonFor(bytes), 'ArchiveEmbedded', what)
      t.equal(await reasonFor(rawTar([{ data: bytes }])), 'ArchiveEmbedded', `${what}, in a tar`)
    }
  }
)

t.test('refuses another archive beside the strips of a TIFF, or instead of one', async (t) => {
  t.equal(await reasonFor(Buffer.concat([tiff([strip]), gzipSync(text)])), 'ArchiveEmbedded')
  t.equal(await reasonFor(tiff([gzipSync(text)])), 'ArchiveEmbedded')
})

t.test('reads a TIFF whose directories form a cycle', async (t) => {
  const circle = tiff([strip])
  circle.writeUInt32LE(circle.readUInt32LE(4), circle.length - 4)

  t.ok(await handsOver(circle, text))
})
