import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { AppError } from '@filewright/runtime'
import { descriptor, rawAr, rawTar, rawZip } from '@filewright/testing'
import { guard, handsOver, reasonFor } from '../helpers/guard.js'
import { cleanText, sourceOf, watchedSourceOf } from '../helpers/samples.js'

const data = cleanText()

t.test('passes files that are not archives, whatever their size', async (t) => {
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.from('P'),
    data,
    randomBytes(100_000),
    Buffer.alloc(700),
    Buffer.from('PK is how a text may begin')
  ]) {
    t.equal(await reasonFor(bytes), null)
  }
})

t.test('refuses a damaged container on its own, but accepts it inside an archive', async (t) => {
  const heads: Record<string, string> = {
    '7z': '377abcaf271c0004',
    'RAR 4': '526172211a0700',
    'RAR 5': '526172211a070100',
    xz: 'fd377a585a00',
    bzip2: '425a6839314159265359',
    zstd: '28b52ffd2400',
    compress: '1f9d90',
    ar: '213c617263683e0a',
    'binary cpio': 'c771',
    'binary cpio of the other byte order': '71c7',
    cab: '4d53434600000000',
    lzh: '1f2a2d6c68352d',
    arj: '60ea10001e'
  }
  for (const [name, hex] of Object.entries(heads)) {
    const damaged = Buffer.concat([Buffer.from(hex, 'hex'), data])

    t.equal(await reasonFor(damaged), 'ArchiveDamaged', name)
    t.equal(await reasonFor(rawTar([{ data: damaged }])), null, `${name} in a tar`)
  }
})

t.test('refuses a damaged ZIP, tar or gzip on its own, but accepts it inside an archive', async (t) => {
  const cut: Array<[string, Buffer]> = [
    ['ZipNoDirectory', rawZip([{ data }]).subarray(0, -30)],
    ['ZipSpanned', Buffer.concat([Buffer.from('504b0708', 'hex'), rawZip([{ data }])])],
    ['GzipBroken', gzipSync(data).subarray(0, -20)]
  ]
  for (const [reason, damaged] of cut) {
    t.equal(await reasonFor(damaged), reason)
    t.equal(await reasonFor(rawTar([{ data: damaged }])), null, `${reason} in a tar`)
    t.equal(await reasonFor(rawZip([{ data: damaged }])), null, `${reason} in a ZIP`)
    t.equal(await reasonFor(rawZip([{ data: damaged, method: 0 }])), null, `${reason} stored in a ZIP`)
    t.equal(await reasonFor(gzipSync(damaged)), null, `${reason} in a gzip`)
  }
})

t.test('still scans the files after a damaged archive inside another', async (t) => {
  const twoReadings = Buffer.concat([rawZip([{ data }]), rawZip([{ data }])])
  const damaged = gzipSync(randomBytes(5_000)).subarray(0, -1_000)

  t.equal(await reasonFor(rawTar([{ data: damaged }, { data: twoReadings }])), 'ZipDirectoryMisplaced')
  t.equal(await reasonFor(rawZip([{ data: damaged }, { data: twoReadings }])), 'ZipDirectoryMisplaced')
})

t.test(
  'refuses a broken gzip file inside an archive if unpackers extract more of it than the guard can read',
  async (t) => {
    const whole = gzipSync(rawTar([{ data: randomBytes(5_000) }]))
    const wrongSum = Buffer.from(gzipSync(rawZip([{ data }])))
    wrongSum.writeUInt32LE(0, wrongSum.length - 8)

    t.equal(await reasonFor(whole.subarray(0, -2_000)), 'GzipBroken')
    t.equal(await reasonFor(Buffer.concat([whole.subarray(0, 300), randomBytes(500)])), 'GzipBroken')
    t.equal(await reasonFor(wrongSum), 'GzipBroken')
  }
)

t.test('refuses a gzip file with anything but zeros after its last member, at any distance', async (t) => {
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
  t.equal(await reasonFor(Buffer.concat([first, Buffer.from('garbage'), second])), 'GzipTrailingData')
  // Formats that gzip and zstd unpack together with the preceding member, as one file.
  for (const magic of ['1f9d90', '1f9e08', '28b52ffd', 'fd377a585a00']) {
    t.equal(
      await reasonFor(Buffer.concat([first, Buffer.from(magic, 'hex'), data])),
      'GzipTrailingData',
      magic
    )
  }
})

t.test('scans all content of a gzip file with a wrong checksum inside another archive', async (t) => {
  const hidden = cleanText()
  const wrongSum = gzipSync(rawTar([{ data }, { data: rawAr([{ name: 'a.txt', data: hidden }]) }]))
  const wrongSize = Buffer.from(wrongSum)
  const cut = wrongSum.subarray(0, -9)
  wrongSize.writeUInt32LE(0, wrongSize.length - 4)
  wrongSum.writeUInt32LE(0, wrongSum.length - 8)

  for (const broken of [wrongSum, wrongSize, cut]) {
    t.equal(await reasonFor(broken), 'GzipBroken')
    t.ok(await handsOver(rawTar([{ data: broken }]), hidden))
  }
})

t.test(
  'accepts gzip headers with every optional field, and refuses variants that no program writes',
  async (t) => {
    const body = gzipSync(
      rawTar([{ data: Buffer.concat([rawZip([{ data }]), rawZip([{ data }])]) }])
    ).subarray(10)
    const member = (flags: number, ...fields: string[]): Buffer => {
      return Buffer.concat([
        Buffer.from([0x1f, 0x8b, 8, flags, 0, 0, 0, 0, 0, 3]),
        ...fields.map((field) => Buffer.from(field, 'latin1')),
        body
      ])
    }
    const name = `${'n'.repeat(10_000)}\0`

    t.equal(await reasonFor(member(0)), 'ZipDirectoryMisplaced')
    t.equal(await reasonFor(member(4, '\x03\0abc')), 'ZipDirectoryMisplaced', 'an extra field')
    t.equal(await reasonFor(member(8, name)), 'ZipDirectoryMisplaced', 'a name')
    t.equal(await reasonFor(member(4 + 8 + 16, '\x01\0a', name, 'comment\0')), 'ZipDirectoryMisplaced', 'all')
    for (const [flags, ...fields] of [[2, 'XX'], [32], [64], [128]] as Array<[number, ...string[]]>) {
      t.equal(await reasonFor(member(flags, ...fields)), 'GzipHeader', `flag ${flags}`)
      t.equal(
        await reasonFor(rawTar([{ data: member(flags, ...fields) }])),
        'GzipHeader',
        `flag ${flags} in a tar`
      )
    }
    t.equal(await reasonFor(member(8, name).subarray(0, 5_000)), 'GzipBroken', 'a name without an end')
  }
)

t.test('accepts gzip files of many members, wherever the chunks end', async (t) => {
  const members = [...Array(40)].map(() => gzipSync(randomBytes(9_000)))

  t.equal(await reasonFor(Buffer.concat(members)), null)
  t.equal(await reasonFor(Buffer.concat([...members, Buffer.alloc(65_536)])), null)
})

t.test('rejects with the error of a source that fails', async (t) => {
  const broken = new AppError('STORAGE_UNAVAILABLE', 'the disk is gone')
  const zip = rawZip([{ name: 'in.zip', data: rawZip([{ data }]) }])
  let readsLeft = 0
  const open = async (range?: { start: number; end: number }): Promise<Readable> => {
    if (readsLeft-- === 0) throw broken
    return await sourceOf(zip).open(range)
  }

  for (readsLeft of [0, 1, 2, 3, 4]) {
    await t.rejects(guard(sourceOf(zip, { open })), broken)
  }
})

t.test('rejects with an error in the middle of a gzipped tar', async (t) => {
  const broken = new AppError('STORAGE_UNAVAILABLE', 'the disk is gone')
  const bytes = gzipSync(rawTar([{ data: randomBytes(1_000_000) }]))
  async function* breaking(): AsyncGenerator<Buffer> {
    yield bytes.subarray(0, 600_000)
    throw broken
  }
  const open = async (range?: { start: number }): Promise<Readable> => {
    return range?.start === 0 ? Readable.from(breaking()) : Readable.from([bytes.subarray(range?.start)])
  }

  await t.rejects(guard(sourceOf(bytes, { open })), broken)
})

t.test('ends with CANCELLED and leaves no stream open when aborted while it reads', async (t) => {
  const aborting = new AbortController()
  const streams: Readable[] = []
  const open = async (): Promise<Readable> => {
    const stream = new Readable({ read() {} })
    stream.push(Buffer.from('PK'))
    setImmediate(() => aborting.abort())
    streams.push(stream)
    return stream
  }

  await t.rejects(guard(sourceOf(data, { open }), { signal: aborting.signal }), { code: 'CANCELLED' })

  t.ok(streams.length > 0 && streams.every((stream) => stream.destroyed))
})

t.test('leaves no stream open after any outcome', async (t) => {
  const streams: Readable[] = []
  for (const bytes of [
    rawZip([{ data }]),
    rawZip([{ data, flags: 1 }]),
    rawTar([{ data }]),
    gzipSync(rawTar([{ data, type: 'S' }])),
    data
  ]) {
    await guard(watchedSourceOf(bytes, streams))
  }
  await new Promise((resolve) => setImmediate(resolve))

  t.ok(streams.length >= 5 && streams.every((stream) => stream.destroyed || stream.readableEnded))
})

t.test(
  'scans the files that an unpacker can extract from a damaged ZIP inside another archive',
  async (t) => {
    const hidden = cleanText()
    const packed = rawAr([{ name: 'a.txt', data: hidden }])
    const whole = rawZip([{ data }, { name: 'in.a', data: packed }])

    t.ok(await handsOver(rawTar([{ data: whole.subarray(0, -30) }]), hidden), 'without its end')
    t.ok(await handsOver(rawZip([{ data: whole.subarray(0, -30) }]), hidden), 'without its end, in a ZIP')
    t.equal(await reasonFor(whole.subarray(0, -30)), 'ZipNoDirectory')
  }
)

t.test('finds a ZIP after an archive of another format, even if one more byte follows', async (t) => {
  const hidden = cleanText()
  const zip = rawZip([
    { data: hidden, flags: 8, local: { compressedBytes: 0, sizeBytes: 0 }, after: descriptor(hidden) }
  ])

  for (const end of ['', '\n']) {
    const appended = Buffer.concat([zip, Buffer.from(end)])
    t.equal(
      await reasonFor(Buffer.concat([gzipSync(data), appended])),
      end === '' ? 'ZipAppended' : 'GzipTrailingData'
    )
    t.equal(
      await reasonFor(Buffer.concat([rawTar([{ data }]), appended])),
      end === '' ? 'ZipAppended' : 'TarHiddenData'
    )
    t.ok(
      await handsOver(Buffer.concat([rawAr([{ name: 'a.txt', data }]), appended]), zip),
      'behind an ar archive'
    )
  }
})
