import { randomBytes } from 'node:crypto'
import { crc32, deflateSync, gzipSync } from 'node:zlib'
import t from 'tap'
import { descriptor, rawTar, rawZip } from '@filewright/testing'
import { guard, reasonFor } from '../helpers/guard.js'
import { cleanText, sourceOf } from '../helpers/samples.js'

const data = cleanText()

function pngChunk(type: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), body])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(body.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

const png = Buffer.concat([
  Buffer.from('89504e470d0a1a0a', 'hex'),
  pngChunk('IHDR', Buffer.from('00000001000000010800000000', 'hex')),
  pngChunk('IDAT', deflateSync(Buffer.alloc(2))),
  pngChunk('IEND', Buffer.alloc(0))
])
const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex')
const carriers: Record<string, Buffer> = {
  PNG: png,
  JPEG: jpeg,
  GIF: Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1'),
  WebP: Buffer.from('RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0', 'latin1'),
  PDF: Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'),
  TIFF: Buffer.from('49492a0008000000', 'hex'),
  BigTIFF: Buffer.from('49492b000800000010000000', 'hex'),
  DIB: Buffer.from('2800000001000000010000000100200000000000', 'hex'),
  BMP: Buffer.from('BM\x1e\0\0\0', 'latin1'),
  ICO: Buffer.from('000001000100', 'hex'),
  PSD: Buffer.from('8BPS\0\x01', 'latin1'),
  DjVu: Buffer.from('AT&TFORM'),
  HEIC: Buffer.from('\0\0\0\x18ftypheic\0\0\0\0', 'latin1')
}

function sevenZip(): Buffer {
  const start = randomBytes(20)
  const header = Buffer.alloc(12)
  Buffer.from('377abcaf271c0004', 'hex').copy(header)
  header.writeUInt32LE(crc32(start), 8)
  return Buffer.concat([header, start, randomBytes(200)])
}

const cab = Buffer.alloc(300)
Buffer.from('4d53434600000000' + '2c01000000000000' + '2c00000000000000' + '0301', 'hex').copy(cab)
const archives: Record<string, Buffer> = {
  '7z': sevenZip(),
  'RAR 4': Buffer.concat([Buffer.from('526172211a0700cf907300000d00000000000000', 'hex'), randomBytes(100)]),
  'RAR 5': Buffer.concat([Buffer.from('526172211a070100', 'hex'), randomBytes(100)]),
  xz: Buffer.concat([Buffer.from('fd377a585a000004e6d6b446', 'hex'), randomBytes(100)]),
  bzip2: Buffer.concat([Buffer.from('425a6839314159265359', 'hex'), randomBytes(100)]),
  gzip: gzipSync(data),
  'gzip with a name': Buffer.concat([
    Buffer.from('1f8b08080000000000ff', 'hex'),
    Buffer.from('name.txt\0'),
    gzipSync(data).subarray(10)
  ]),
  'gzip with an endless name': Buffer.concat([
    Buffer.from('1f8b08080000000000ff', 'hex'),
    Buffer.alloc(5_000, 'n'),
    Buffer.alloc(1),
    gzipSync(data).subarray(10)
  ]),
  cab,
  tar: rawTar([{ data }]),
  'streamed ZIP': Buffer.concat([
    rawZip([{ data, flags: 8, local: { compressedBytes: 0, sizeBytes: 0 }, after: descriptor(data) }]),
    Buffer.alloc(70_000, 'x')
  ])
}

for (const [kind, carrier] of Object.entries(carriers)) {
  t.test(
    `refuses a ${kind} with an archive of any format after it, on its own and in a tar and a ZIP`,
    async (t) => {
      for (const [name, archive] of Object.entries(archives)) {
        for (const bytes of [
          Buffer.concat([carrier, archive]),
          Buffer.concat([carrier, Buffer.alloc(300_000, 'x'), archive, Buffer.from('\n%%EOF\n')])
        ]) {
          t.equal(await reasonFor(bytes), 'ArchiveEmbedded', name)
          t.equal(
            await reasonFor(rawTar([{ name: 'a', data: bytes }])),
            'ArchiveEmbedded',
            `${name} in a tar`
          )
          t.equal(await reasonFor(rawZip([{ data: bytes }])), 'ArchiveEmbedded', `${name} in a ZIP`)
          t.equal(await reasonFor(gzipSync(bytes)), 'ArchiveEmbedded', `${name} in a gzip`)
        }
      }
    }
  )

  t.test(
    `accepts a ${kind}, also with trailing data of cameras and editors, and with a mere archive signature`,
    async (t) => {
      const letters = [
        '377abcaf271c0004',
        '1f8b08',
        '1f8b0800000000000003',
        'fd377a585a00',
        '314159265359',
        '4d534346',
        '7573746172',
        '504b0304'
      ].map((hex) => Buffer.from(hex, 'hex'))
      const movie = Buffer.concat([
        Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0', 'latin1'),
        randomBytes(3_000_000)
      ])

      for (const behind of [
        Buffer.alloc(0),
        Buffer.from('\r\n'),
        Buffer.alloc(40_000),
        jpeg,
        movie,
        deflateSync(data)
      ]) {
        t.equal(await reasonFor(Buffer.concat([carrier, behind])), null)
      }
      for (const letter of letters) {
        t.equal(
          await reasonFor(Buffer.concat([carrier, letter, Buffer.alloc(40, 0xff), randomBytes(2_000)])),
          null
        )
      }
    }
  )
}

t.test('finds an archive wherever the chunks of the file end', async (t) => {
  const piece = 256 * 1024
  for (const [name, archive] of Object.entries(archives)) {
    for (const at of [piece - 1_025, piece - 1_024, piece - 300, piece - 3, piece - 1, piece, piece + 1]) {
      const filler = Buffer.alloc(at - png.length, 'x')
      t.equal(
        await reasonFor(Buffer.concat([png, filler, archive, Buffer.alloc(10)])),
        'ArchiveEmbedded',
        `${name} at ${at}`
      )
    }
  }
})

t.test('checks all images of a ZIP while reading it once', async (t) => {
  const pictures = rawZip(
    [...Array(50).keys()].map((i) => ({
      name: `${i}.png`,
      data: Buffer.concat([png, randomBytes(20_000)]),
      method: (i % 2) * 8
    }))
  )
  let opened = 0
  const source = sourceOf(pictures)

  const { result } = await guard({
    ...source,
    open: async (range) => {
      opened++
      return await source.open(range)
    }
  })

  t.strictSame(result, { ok: true })

  t.ok(opened < 10, `${opened} readings`)
})

t.test('accepts text that mentions archives', async (t) => {
  t.equal(await reasonFor(Buffer.concat([Buffer.from('const magic = "BZh91AY&SY", ustar\n'), data])), null)
})

t.test(
  'does not mistake random bytes for gzip because two of them look like the length of a stored block',
  async (t) => {
    const start = Buffer.from('1f8b0800000000000003' + '00' + 'ffff' + '0000', 'hex')

    t.equal(await reasonFor(Buffer.concat([png, start, randomBytes(60_000)])), null)
    t.equal(
      await reasonFor(Buffer.concat([png, gzipSync(randomBytes(200_000), { level: 0 })])),
      'ArchiveEmbedded'
    )
  }
)

t.test('ignores 200,000 random positions that look like the start of a gzip file', async (t) => {
  const [pictures, places, apart] = [500, 400, 256]
  let alarms = 0

  for (let i = 0; i < pictures; i++) {
    const picture = Buffer.concat([png, randomBytes((places + 1) * apart)])
    // Every valid flag: a name, a comment, an extra field, a checksum.
    for (let place = 0; place < places; place++) {
      picture.write(`1f8b08${(place % 32).toString(16).padStart(2, '0')}`, png.length + place * apart, 'hex')
    }
    if ((await reasonFor(picture)) !== null) alarms++
  }

  t.equal(alarms, 0)
})
