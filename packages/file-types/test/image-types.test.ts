import t from 'tap'
import { isInlineSafe } from '../src/index.js'
import { bytes, detect, sparse } from './samples.js'

const zeros = (count: number): Buffer => Buffer.alloc(count)
const le16 = (...values: number[]): Buffer => Buffer.from(Uint16Array.from(values).buffer)
const le32 = (...values: number[]): Buffer => Buffer.from(Uint32Array.from(values).buffer)
const be32 = (...values: number[]): Buffer => le32(...values).swap32()

/** 4 × 3 pixels of three bytes, or in runs. */
const tga = bytes([0, 0, 2], zeros(5), le16(0, 0, 4, 3), [24, 0x20], zeros(36))
const packedTga = bytes([0, 0, 10], zeros(5), le16(0, 0, 4, 3), [24, 0x20], [0x8b, 1, 2, 3])
const mappedTga = bytes([0, 1, 1], le16(0, 2), [24], le16(0, 0, 4, 3), [8, 0], zeros(6 + 12))
const pcx = sparse(200, { 0: bytes([10, 5, 1, 8], le16(0, 0, 3, 2)), 65: bytes([1], le16(4)) })
const wmfHeader = bytes(le16(1, 9, 0x0300), le32(20), le16(0), le32(5), le16(0), zeros(22))
const placeable = bytes(le32(0x9ac6cdd7), le16(0, 0, 0, 9, 9, 96, 0, 0), le16(0x9ac6 ^ 0xcdd7 ^ 96))
const qoi = bytes('qoif', be32(4, 3), [3, 0], zeros(8), [0, 0, 0, 0, 0, 0, 0, 1])

const images: ReadonlyArray<readonly [name: string, content: Buffer, type: string]> = [
  ['a.tga', tga, 'image/x-tga'],
  ['packed.tga', packedTga, 'image/x-tga'],
  ['mapped.tga', mappedTga, 'image/x-tga'],
  ['by its footer', bytes(tga, zeros(8), 'TRUEVISION-XFILE.\0'), 'image/x-tga'],
  ['a.pcx', pcx, 'image/x-pcx'],
  ['a.dcx', bytes(le32(0x3ade68b1, 12, 0), pcx), 'image/x-dcx'],
  ['a.dds', sparse(200, { 0: bytes('DDS ', le32(124)), 76: le32(32) }), 'image/vnd.ms-dds'],
  ['a.exr', bytes(le32(20000630), [2, 0, 0, 0], zeros(40)), 'image/x-exr'],
  ['a.qoi', qoi, 'image/qoi'],
  ['a.hdr', bytes('#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 3 +X 4\n', zeros(12)), 'image/vnd.radiance'],
  ['a.emf', sparse(120, { 0: le32(1, 108), 40: ' EMF' }), 'image/emf'],
  ['a.wmf', bytes(placeable, wmfHeader), 'image/wmf'],
  ['bare.wmf', wmfHeader, 'image/wmf'],
  ['a.pbm', bytes('P4\n# made by hand\n8 2\n', [0, 255]), 'image/x-portable-bitmap'],
  ['a.pgm', bytes('P5 2 2 255\n', [0, 1, 2, 3]), 'image/x-portable-graymap'],
  ['a.ppm', bytes('P6\n2 1\n255\n', [0, 1, 2, 3, 4, 5]), 'image/x-portable-pixmap'],
  ['letters for pixels.ppm', bytes('P6\n2 1\n255\nabcdef'), 'image/x-portable-pixmap'],
  ['digits.pbm', bytes('P1\n# made by hand\n2 2\n0 1\n1 0\n'), 'image/x-portable-bitmap'],
  ['digits.pgm', bytes('P2\n2 2\n15\n0 1 2 15\n'), 'image/x-portable-graymap'],
  ['digits.ppm', bytes('P3\n1 1\n255\n0 1 2\n'), 'image/x-portable-pixmap'],
  [
    'a.pam',
    bytes('P7\nWIDTH 1\nHEIGHT 1\nDEPTH 1\nMAXVAL 255\nTUPLTYPE GRAYSCALE\nENDHDR\n\0'),
    'image/x-portable-arbitrarymap'
  ],
  ['a.pfm', bytes('PF\n1 1\n-1.0\n', zeros(12)), 'image/x-portable-floatmap'],
  ['a.xpm', bytes('/* XPM */\nstatic char * a[] = { "1 1 1 1" };\n'), 'image/x-xpixmap'],
  [
    'a.xbm',
    bytes('#define a_width 8\n#define a_height 1\nstatic char a_bits[] = { 0x00 };\n'),
    'image/x-xbitmap'
  ],
  ['a.ras', bytes(be32(0x59a66a95, 4, 3, 8), zeros(32)), 'image/x-sun-raster'],
  ['a.sgi', sparse(600, { 0: '\x01\xda\x01\x01\0\x02\0\x04\0\x03' }), 'image/sgi'],
  ['a.fits', sparse(2_880, { 0: 'SIMPLE  =                    T' }), 'image/fits'],
  ['big.tif', bytes('II+\0', [8, 0, 0, 0], zeros(40)), 'image/tiff'],
  ['a.dib', bytes(le32(40, 1, 1), le16(1, 32), le32(0, 4), zeros(20)), 'image/bmp'],
  // The tag that names the compression holds 34925, LZMA.
  ['lzma.tif', bytes('II*\0', le32(8), le16(1, 0x0103, 3), le32(1, 34925, 0)), 'image/tiff']
]

t.test(
  'images unknown to file-type are recognized by their headers, and only tif and bmp are shown inline',
  async (t) => {
    for (const [name, content, type] of images) {
      t.strictSame(await detect(content, name), { type, kind: 'image' }, name)
      t.equal(isInlineSafe(type), ['image/tiff', 'image/bmp'].includes(type), type)
    }
  }
)

const edited = (image: Buffer, at: number, value: number): Buffer => {
  const copy = Buffer.from(image)
  copy[at] = value
  return copy
}

t.test('bytes that start like an image and continue as something else are refused', async (t) => {
  const cases: ReadonlyArray<readonly [label: string, content: Buffer]> = [
    ['TGA of 5 bits', edited(tga, 16, 5)],
    ['TGA that ends too early', tga.subarray(0, 40)],
    ['TGA with runs for more than the image', edited(packedTga, 18, 0xff)],
    ['TGA without its map', edited(mappedTga, 1, 0)],
    ['PCX with five planes', edited(pcx, 65, 5)],
    ['PCX with rows that are too short', edited(pcx, 66, 1)],
    ['DDS with another header', sparse(200, { 0: bytes('DDS ', le32(125)), 76: le32(32) })],
    ['EXR of version 9', bytes(le32(20000630), [9, 0, 0, 0], zeros(40))],
    ['QOI without its end', qoi.subarray(0, -1)],
    ['EMF without its signature', sparse(120, { 0: le32(1, 108) })],
    ['WMF larger than the file', edited(wmfHeader, 7, 9)],
    ['PGM shorter than its size', bytes('P5 200 200 255\n', [0, 1, 2, 3])],
    ['PPM with a largest value beyond 16 bits', bytes('P6\n1 1\n99999\n', [0, 1, 2])],
    ['SGI of six dimensions', sparse(600, { 0: '\x01\xda\x01\x01\0\x06\0\x04\0\x03' })]
  ]
  for (const [label, content] of cases) t.equal(await detect(content, 'a.tga'), null, label)
})

t.test('an old TGA, which has only a header, must have its extension', async (t) => {
  t.equal(await detect(tga, 'a.bin'), null)
})

t.test('text that mentions an image is text', async (t) => {
  for (const text of [
    'P1 is a format\n',
    'P3\n',
    '#?RADIANCE\nwords\n',
    '#define width 8\n',
    'P5 2 2 255\nnot enough? no: text\n'.replace('P5', 'p5')
  ]) {
    t.strictSame(await detect(Buffer.from(text), 'notes.txt'), { type: 'text/plain', kind: 'code' }, text)
  }
})
