import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { AppError } from '@filewright/runtime'
import { rawTar, rawZip } from '@filewright/testing'
import { guardArchive } from '../../src/index.js'
import { cleanText, sourceOf, watchedSourceOf } from '../helpers/samples.js'

const data = cleanText()

async function reasonFor (bytes: Buffer): Promise<string | null> {
  const result = await guardArchive(sourceOf(bytes))
  return result.ok ? null : result.reason
}

t.test('has nothing to say about files that are no archives, whatever their size', async (t) => {
  for (const bytes of [Buffer.alloc(0), Buffer.from('P'), data, randomBytes(100_000), Buffer.alloc(700), Buffer.from('PK is how a text may begin')]) {
    t.equal(await reasonFor(bytes), null)
  }
})

t.test('refuses every container that clamd cannot open by its first bytes', async (t) => {
  const heads: Record<string, string> = {
    '7z': '377abcaf271c0004',
    Rar: '526172211a0700',
    Zstd: '28b52ffd2400',
    Lz4: '04224d186440',
    Lzip: '4c5a495001',
    Lzma: '5d00008000ffffffffffffffff00',
    Compress: '1f9d90',
    Lzop: '894c5a4f000d0a1a0a',
    Snappy: 'ff060000734e61507059',
    Ar: '213c617263683e0a',
    Ace: '000000000000002a2a4143452a2a',
    Lha: '1f2a2d6c68352d',
    Zoo: '0000000000000000000000000000000000000000dca7c4fd'
  }
  for (const [reason, hex] of Object.entries(heads)) {
    t.equal(await reasonFor(Buffer.concat([Buffer.from(hex, 'hex'), data])), reason)
  }
})

const bareLzma = (properties: number, dictionaryBytes: number, sizeBytes: bigint): Buffer => {
  const header = Buffer.alloc(14)
  header.writeUInt8(properties)
  header.writeUInt32LE(dictionaryBytes, 1)
  header.writeBigUInt64LE(sizeBytes, 5)
  return Buffer.concat([header, data])
}

t.test('knows a bare LZMA stream whatever its properties, dictionary and size, also under another name', async (t) => {
  const unknown = 0xffff_ffff_ffff_ffffn

  for (const properties of [0, 0x5a, 0x5d, 0x5e, 224]) {
    for (const dictionaryBytes of [4096, 6144, 1 << 16, 3 << 20, 1 << 23, 0x80000000, 0xffffffff]) {
      for (const sizeBytes of [1n, 204n, 1n << 37n, unknown]) {
        t.equal(await reasonFor(rawTar([{ name: 'a.bin', data: bareLzma(properties, dictionaryBytes, sizeBytes) }])), 'Lzma')
      }
    }
  }
  t.equal(await reasonFor(bareLzma(225, 4096, unknown)), null)
  t.equal(await reasonFor(bareLzma(0x5e, 5000, unknown)), null)
  t.equal(await reasonFor(bareLzma(0x5e, 4096, 1n << 38n)), null)
  t.equal(await reasonFor(bareLzma(0, 0, 0n)), null)
})

t.test('refuses a broken gzip file of an archive, of which unpackers keep more than the guard can see', async (t) => {
  const whole = gzipSync(rawTar([{ data: randomBytes(5_000) }]))
  const wrongSum = Buffer.from(gzipSync(rawZip([{ data }])))
  wrongSum.writeUInt32LE(0, wrongSum.length - 8)

  t.equal(await reasonFor(whole.subarray(0, -2_000)), 'GzipBroken')
  t.equal(await reasonFor(Buffer.concat([whole.subarray(0, 300), randomBytes(500)])), 'GzipBroken')
  t.equal(await reasonFor(wrongSum), 'GzipBroken')
})

t.test('refuses a gzip file with anything but zeros behind its last member, however far behind', async (t) => {
  const first = gzipSync(data)
  const second = gzipSync(cleanText())

  for (const zeros of [1, 16, 512, 70_000, 300_000]) {
    const padding = Buffer.alloc(zeros)
    t.equal(await reasonFor(Buffer.concat([first, padding, second])), 'GzipTrailingData', `${zeros} zeros`)
    t.equal(await reasonFor(Buffer.concat([first, second, padding, Buffer.from('x')])), 'GzipTrailingData')
    t.equal(await reasonFor(rawTar([{ data: Buffer.concat([first, padding, second]) }])), 'GzipTrailingData')
    t.equal(await reasonFor(gzipSync(Buffer.concat([first, padding, second]))), 'GzipTrailingData')
    t.equal(await reasonFor(Buffer.concat([first, second, padding])), null, 'a tape block filled up')
  }
  t.equal(await reasonFor(Buffer.concat([first, Buffer.from('garbage'), second])), 'GzipBroken')
})

t.test('lets gzip files of many members pass, wherever the pieces they are read in end', async (t) => {
  const members = [...Array(40)].map(() => gzipSync(randomBytes(9_000)))

  t.equal(await reasonFor(Buffer.concat(members)), null)
  t.equal(await reasonFor(Buffer.concat([...members, Buffer.alloc(65_536)])), null)
})

t.test('passes on the error of a source that breaks', async (t) => {
  const broken = new AppError('STORAGE_UNAVAILABLE', 'the disk is gone')
  const zip = rawZip([{ name: 'in.zip', data: rawZip([{ data }]) }])
  let readsLeft = 0
  const open = async (range?: { start: number, end: number }): Promise<Readable> => {
    if (readsLeft-- === 0) throw broken
    return await sourceOf(zip).open(range)
  }

  for (readsLeft of [0, 1, 2, 3, 4]) {
    await t.rejects(guardArchive(sourceOf(zip, { open })), broken)
  }
})

t.test('passes on an error in the middle of a gzipped tar', async (t) => {
  const broken = new AppError('STORAGE_UNAVAILABLE', 'the disk is gone')
  const bytes = gzipSync(rawTar([{ data: randomBytes(1_000_000) }]))
  async function * breaking (): AsyncGenerator<Buffer> {
    yield bytes.subarray(0, 600_000)
    throw broken
  }
  const open = async (range?: { start: number }): Promise<Readable> => {
    return range?.start === 0 ? Readable.from(breaking()) : Readable.from([bytes.subarray(range?.start)])
  }

  await t.rejects(guardArchive(sourceOf(bytes, { open })), broken)
})

t.test('ends with CANCELLED and leaves no stream open when aborted while it reads', async (t) => {
  const aborting = new AbortController()
  const streams: Readable[] = []
  const open = async (): Promise<Readable> => {
    const stream = new Readable({ read () {} })
    stream.push(Buffer.from('PK'))
    setImmediate(() => { aborting.abort() })
    streams.push(stream)
    return stream
  }

  await t.rejects(guardArchive(sourceOf(data, { open }), { signal: aborting.signal }), { code: 'CANCELLED' })

  t.ok(streams.length > 0 && streams.every((stream) => stream.destroyed))
})

t.test('leaves no stream open after any outcome', async (t) => {
  const streams: Readable[] = []
  for (const bytes of [rawZip([{ data }]), rawZip([{ data, flags: 1 }]), rawTar([{ data }]), gzipSync(rawTar([{ data, type: 'S' }])), data]) {
    await guardArchive(watchedSourceOf(bytes, streams))
  }
  await new Promise((resolve) => setImmediate(resolve))

  t.ok(streams.length >= 5 && streams.every((stream) => stream.destroyed || stream.readableEnded))
})
