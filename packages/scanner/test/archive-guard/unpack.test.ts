import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import { fuzzParameters, rawBzip2, rawTar, rawXz, rawZip } from '@filewright/testing'
import { createBudget } from '../../src/archive-guard/budget.js'
import { createForwardReader } from '../../src/archive-guard/forward-reader.js'
import { Refusal } from '../../src/archive-guard/guard-result.js'
import { sequential, type SequentialReader } from '../../src/archive-guard/sequential-reader.js'
import { bunzipped } from '../../src/archive-guard/unpack/bunzip2.js'
import { unxzed } from '../../src/archive-guard/unpack/unxz.js'
import { guardArchive } from '../../src/index.js'
import { bzip2File, packedText, xzFiles } from '../helpers/packed-samples.js'
import { cleanText, sourceOf } from '../helpers/samples.js'

const data = cleanText()

async function reasonFor (bytes: Buffer): Promise<string | null> {
  const result = await guardArchive(sourceOf(bytes))
  return result.ok ? null : result.reason
}

type Unpack = (reader: SequentialReader) => AsyncGenerator<Buffer>
const unxz: Unpack = (reader) => unxzed(reader, createBudget().reserve())

async function unpack (bytes: Buffer, by: Unpack): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of by(sequential(createForwardReader(sourceOf(bytes))))) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const contents = [Buffer.alloc(0), Buffer.from('a'), Buffer.alloc(3_000), Buffer.from('aaaabaaaaabbbb'), randomBytes(5_000), packedText]

t.test('unpacks what xz wrote, with every kind of parameter and check', async (t) => {
  for (const { command, bytes } of xzFiles) {
    t.ok((await unpack(bytes, unxz)).equals(packedText), command)
    t.equal(await reasonFor(bytes), null, command)
  }
  for (const content of [...contents, randomBytes(200_000)]) t.ok((await unpack(rawXz(content), unxz)).equals(content))
})

t.test('unpacks what bzip2 wrote', async (t) => {
  t.ok((await unpack(bzip2File, bunzipped)).equals(packedText))
  t.equal(await reasonFor(bzip2File), null)
  for (const content of contents) t.ok((await unpack(rawBzip2(content), bunzipped)).equals(content))
})

t.test('every changed bit in a packed file is found, and never is anything thrown but a refusal', async (t) => {
  const files: Array<[Buffer, Unpack]> = [...xzFiles.map(({ bytes }): [Buffer, Unpack] => [bytes, unxz]), [bzip2File, bunzipped], [rawXz(data), unxz]]
  let unchanged = 0

  await fc.assert(fc.asyncProperty(fc.constantFrom(...files), fc.nat(), fc.integer({ min: 0, max: 7 }), fc.boolean(), async ([file, by], at, bit, isCut) => {
    const place = at % file.length
    const bytes = Buffer.from(isCut ? file.subarray(0, place) : file)
    if (!isCut) bytes.writeUInt8(bytes.readUInt8(place) ^ (1 << bit), place)
    try {
      const unpacked = await unpack(bytes, by)
      // What fills up the last byte means nothing.
      if (isCut || !unpacked.equals(packedText)) throw new Error(`a change at ${place} went unseen`)
      unchanged++
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  }), fuzzParameters(t, 1_000))
  t.ok(unchanged < 50, `${unchanged} changes meant nothing`)
})

const crooked: Record<string, [string, Buffer]> = {
  'two xz streams': ['XzStreams', Buffer.concat([rawXz(data), rawXz(data)])],
  'two xz streams with zeros between': ['XzTrailingData', Buffer.concat([rawXz(data), Buffer.alloc(8), rawXz(data)])],
  'bytes behind an xz stream': ['XzTrailingData', Buffer.concat([rawXz(data), Buffer.from('more')])],
  'an xz file with another filter': ['XzFilter', rawXz(data, { filter: 4 })],
  'an xz file with a dictionary of 96 MiB': ['XzDictionary', rawXz(data, { dictionary: 29 })],
  'an xz file with a dictionary of no size': ['XzBroken', rawXz(data, { dictionary: 41 })],
  'an xz file with a wrong checksum': ['XzBroken', rawXz(data, { check: Buffer.alloc(4) })],
  'an xz file whose index lies': ['XzBroken', rawXz(data, { indexBytes: 5 })],
  'an xz file that is cut': ['XzBroken', rawXz(data).subarray(0, -1)],
  'two bzip2 streams': ['Bzip2Streams', Buffer.concat([rawBzip2(data), rawBzip2(data)])],
  'an empty bzip2 stream before another': ['Bzip2Streams', Buffer.concat([rawBzip2(Buffer.alloc(0)), rawBzip2(data)])],
  'two bzip2 streams with zeros between': ['Bzip2TrailingData', Buffer.concat([rawBzip2(data), Buffer.alloc(5), rawBzip2(data)])],
  'bytes behind a bzip2 stream': ['Bzip2TrailingData', Buffer.concat([rawBzip2(data), Buffer.from('more')])],
  'a bzip2 file that is cut': ['Bzip2Broken', rawBzip2(data).subarray(0, -1)],
  'nothing but the head of a bzip2 file': ['Bzip2Broken', Buffer.from('BZh9')]
}

for (const [what, [reason, bytes]] of Object.entries(crooked)) {
  t.test(`refuses ${what} as ${reason}, bare and in a tar`, async (t) => {
    t.equal(await reasonFor(bytes), reason)
    t.equal(await reasonFor(rawTar([{ data: bytes }])), reason)
  })
}

const bzipped = (content: Buffer): Buffer => {
  const claims = { method: 12, sizeBytes: content.length }
  return rawZip([{ name: 'inner', data: rawBzip2(content), method: 0, local: claims, central: claims }])
}

t.test('looks into files of a ZIP that are packed with bzip2', async (t) => {
  t.equal(await reasonFor(bzipped(data)), null)
  t.equal(await reasonFor(bzipped(rawZip([{ data }]))), null)
  t.equal(await reasonFor(bzipped(rawZip([{ data, local: { compressedBytes: 0, sizeBytes: 0 } }]))), 'ZipMismatch')
  t.equal(await reasonFor(bzipped(rawTar([{ data, type: '5' }]))), 'TarHiddenData')
  const lie = { method: 12, sizeBytes: 5 }
  t.equal(await reasonFor(rawZip([{ data: rawBzip2(data), method: 0, local: lie, central: lie }])), 'ZipMismatch')
  t.equal(await reasonFor(rawZip([{ data, method: 0, local: { method: 12 }, central: { method: 12 } }])), 'Bzip2Broken')
})

t.test('does not hold the turn of others while it unpacks', async (t) => {
  let turns = 0
  const timer = setInterval(() => { turns++ }, 0)
  await guardArchive(sourceOf(rawTar([...Array(200)].map(() => ({ data: xzFiles[0]?.bytes ?? data })))))
  clearInterval(timer)

  t.ok(turns > 5, `${turns} turns`)
})
