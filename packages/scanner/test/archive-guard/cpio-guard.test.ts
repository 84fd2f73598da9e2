import { gzipSync } from 'node:zlib'
import t from 'tap'
import { rawCpio, rawZip, type RawCpioEntry, type RawCpioOptions } from '@filewright/testing'
import { handsOver, reasonFor } from '../helpers/guard.js'
import { cleanText } from '../helpers/samples.js'

const data = cleanText()
const empty = Buffer.alloc(0)

const sound: Record<string, RawCpioEntry[]> = {
  'files of every length': [1, 2, 3, 4, 5].map((length) => ({
    name: 'n'.repeat(length),
    data: data.subarray(0, length)
  })),
  'folders, links and devices': [
    { name: 'd', data: empty, mode: 0o040755 },
    { name: 'l', data: Buffer.from('d/a'), mode: 0o120777 },
    { name: 'tty', data: empty, mode: 0o020600 }
  ],
  'an empty file': [{ data: empty }, { data }],
  'a sound ZIP': [{ data }, { name: 'a.zip', data: rawZip([{ data }]) }],
  nothing: []
}

const crooked: Record<string, [string, RawCpioEntry[], RawCpioOptions?]> = {
  'bytes between its members': ['CpioBroken', [{ data, after: Buffer.from('JUNKJUNK') }, { data }]],
  'zeros between its members': ['CpioBroken', [{ data, after: Buffer.alloc(512) }, { data }]],
  'members of another form': ['CpioBroken', [{ data }, { data, magic: '070703' }]],
  'a second archive behind its end': ['CpioTrailingData', [{ data }], { after: rawCpio([{ data }]) }],
  'no end': ['CpioBroken', [{ data }], { trailer: false }],
  'an end with data': ['CpioBroken', [{ data }, { name: 'TRAILER!!!', data }]],
  'data behind a folder': ['CpioHiddenData', [{ name: 'd', data, mode: 0o040755 }]],
  'a size beyond its end': ['CpioBroken', [{ data, sizeBytes: 1_000_000 }]],
  'a size short of the truth': ['CpioBroken', [{ data, sizeBytes: 4 }]],
  'a name that ends early': ['CpioBroken', [{ name: 'a\0b', data }]],
  'a name that ends late': ['CpioBroken', [{ name: 'aaaa', data, nameBytes: 4 }]],
  'an endless name': ['CpioBroken', [{ data, nameBytes: 100_000 }]],
  'a ZIP of two minds': [
    'ZipMismatch',
    [
      { data },
      { name: 'a.zip', data: rawZip([{ data, local: { compressedBytes: 0, sizeBytes: 0 } }]) },
      { data }
    ]
  ]
}

for (const form of ['newc', 'odc'] as const) {
  for (const [name, entries] of Object.entries(sound)) {
    t.test(`accepts a cpio, ${form}, with ${name}`, async (t) => {
      t.equal(await reasonFor(rawCpio(entries, { form })), null)
      t.equal(
        await reasonFor(rawCpio(entries, { form, after: Buffer.alloc(700) })),
        null,
        'filled up with zeros'
      )
      t.equal(await reasonFor(gzipSync(rawCpio(entries, { form }))), null, 'gzipped')
    })
  }

  for (const [name, [reason, entries, options]] of Object.entries(crooked)) {
    t.test(`refuses a cpio, ${form}, with ${name} as ${reason}`, async (t) => {
      t.equal(await reasonFor(rawCpio(entries, { form, ...options })), reason)
    })
  }
}

t.test('accepts a cpio with checksums', async (t) => {
  const entries = [
    { data, magic: '070702' },
    { name: 'TRAILER!!!', data: empty, magic: '070702' }
  ]

  t.equal(await reasonFor(rawCpio(entries, { trailer: false })), null)
})

/** The PDP-11 format: 16-bit numbers; names and data are padded to an even length. */
function binaryCpio(content: Buffer, byteOrder: 'LE' | 'BE'): Buffer {
  const member = (name: string, mode: number, body: Buffer): Buffer => {
    const numbers = [
      0o070707,
      1,
      1,
      mode,
      0,
      0,
      1,
      0,
      0,
      0,
      name.length + 1,
      body.length >>> 16,
      body.length & 0xffff
    ]
    const header = Buffer.alloc(26)
    numbers.forEach((number, i) => header[`writeUInt16${byteOrder}`](number, 2 * i))
    const even = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc(bytes.length % 2)])
    return Buffer.concat([header, even(Buffer.from(`${name}\0`)), even(body)])
  }
  return Buffer.concat([member('a.txt', 0o100644, content), member('TRAILER!!!', 0, empty)])
}

t.test('scans the files of a cpio in the old binary format, in either byte order', async (t) => {
  t.ok(await handsOver(binaryCpio(data, 'LE'), data))
  t.ok(await handsOver(binaryCpio(data, 'BE'), data))
  t.ok(await handsOver(gzipSync(binaryCpio(data, 'LE')), data))
})
