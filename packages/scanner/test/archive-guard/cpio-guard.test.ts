import { gzipSync } from 'node:zlib'
import t from 'tap'
import { rawCpio, rawZip, type RawCpioEntry, type RawCpioOptions } from '@filewright/testing'
import { guardArchive } from '../../src/index.js'
import { cleanText, sourceOf } from '../helpers/samples.js'

const data = cleanText()
const empty = Buffer.alloc(0)

async function reasonFor (bytes: Buffer): Promise<string | null> {
  const result = await guardArchive(sourceOf(bytes))
  return result.ok ? null : result.reason
}

const sound: Record<string, RawCpioEntry[]> = {
  'files of every length': [1, 2, 3, 4, 5].map((length) => ({ name: 'n'.repeat(length), data: data.subarray(0, length) })),
  'folders, links and devices': [{ name: 'd', data: empty, mode: 0o040755 }, { name: 'l', data: Buffer.from('d/a'), mode: 0o120777 }, { name: 'tty', data: empty, mode: 0o020600 }],
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
  'a ZIP of two minds': ['ZipMismatch', [{ data }, { name: 'a.zip', data: rawZip([{ data, local: { compressedBytes: 0, sizeBytes: 0 } }]) }, { data }]],
  'a brotli file': ['NestedArchive', [{ name: 'a.br', data }]],
  '10,001 files': ['CpioTooManyEntries', [...Array(10_001)].map(() => ({ data: empty }))]
}

for (const form of ['newc', 'odc'] as const) {
  for (const [name, entries] of Object.entries(sound)) {
    t.test(`lets a cpio pass, ${form}, with ${name}`, async (t) => {
      t.equal(await reasonFor(rawCpio(entries, { form })), null)
      t.equal(await reasonFor(rawCpio(entries, { form, after: Buffer.alloc(700) })), null, 'filled up with zeros')
      t.equal(await reasonFor(gzipSync(rawCpio(entries, { form }))), null, 'gzipped')
    })
  }

  for (const [name, [reason, entries, options]] of Object.entries(crooked)) {
    t.test(`refuses a cpio, ${form}, with ${name} as ${reason}`, async (t) => {
      t.equal(await reasonFor(rawCpio(entries, { form, ...options })), reason)
    })
  }
}

t.test('lets a cpio with checksums pass', async (t) => {
  const entries = [{ data, magic: '070702' }, { name: 'TRAILER!!!', data: empty, magic: '070702' }]

  t.equal(await reasonFor(rawCpio(entries, { trailer: false })), null)
})

t.test('refuses a cpio of the old binary form, in either byte order', async (t) => {
  for (const magic of ['c771', '71c7']) t.equal(await reasonFor(Buffer.concat([Buffer.from(magic, 'hex'), data])), 'CpioBinary')
})
