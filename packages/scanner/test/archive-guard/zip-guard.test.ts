import { once } from 'node:events'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import yazl from 'yazl'
import { descriptor, rawTar, rawZip, type RawEntry, type RawZipOptions } from '@filewright/testing'
import { handsOver, reasonFor } from '../helpers/guard.js'
import { cleanText } from '../helpers/samples.js'

const data = cleanText()
const other = cleanText()

const sound: Record<string, Buffer> = {
  'two deflated files': rawZip([{ data }, { name: 'b.txt', data: other }]),
  'a stored file': rawZip([{ data, method: 0 }]),
  'no file at all': rawZip([]),
  'an empty file': rawZip([{ data: Buffer.alloc(0), method: 0 }]),
  'a comment': rawZip([{ data }], { comment: Buffer.from('made by hand') }),
  'sizes in a signed descriptor': rawZip([
    { data, flags: 8, local: { compressedBytes: 0, sizeBytes: 0 }, after: descriptor(data) }
  ]),
  'sizes in a bare descriptor': rawZip([
    {
      data,
      flags: 8,
      local: { compressedBytes: 0, sizeBytes: 0 },
      after: descriptor(data, { signed: false })
    }
  ]),
  'the unpacked size known and the rest in a descriptor': rawZip([
    { data, flags: 8, local: { compressedBytes: 0 }, after: descriptor(data) }
  ]),
  'bytes after its end, as some editors leave them': Buffer.concat([rawZip([{ data }]), Buffer.from('more')]),
  'bytes before its directory that are not a file': rawZip([{ data }], {
    beforeDirectory: Buffer.from('padding')
  }),
  'a last block filled up with zeros': Buffer.concat([rawZip([{ data }]), Buffer.alloc(5_000)]),
  'a sound archive, deflated': rawZip([{ name: 'in.zip', data: rawZip([{ data }]) }]),
  'a sound archive, stored': rawZip([{ name: 'in.zip', data: rawZip([{ data }]), method: 0 }])
}

for (const [name, bytes] of Object.entries(sound)) {
  t.test(`accepts a ZIP that contains ${name}`, async (t) => {
    t.equal(await reasonFor(bytes), null)
  })
}

t.test('accepts a streamed archive of a real program', async (t) => {
  const zip = new yazl.ZipFile()
  zip.addBuffer(data, 'buffer.txt')
  zip.addReadStream(Readable.from([data, other]), 'stream.txt')
  zip.end()
  const chunks: Buffer[] = []
  zip.outputStream.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(zip.outputStream, 'end')

  t.equal(await reasonFor(Buffer.concat(chunks)), null)
})

const crooked: Array<[string, string, Buffer]> = []
const refuse = (what: string, reason: string, entries: RawEntry[], options?: RawZipOptions): void => {
  crooked.push([what, reason, rawZip(entries, options)])
}

refuse('an encrypted file', 'ZipEncrypted', [{ data, flags: 1 }])
refuse('encryption in the directory only', 'ZipEncrypted', [{ data, central: { flags: 1 } }])
refuse('encryption in the local header only', 'ZipMismatch', [{ data, local: { flags: 1 } }])
refuse('masked header values', 'ZipEncrypted', [{ data, flags: 1 << 13 }])
refuse('patched data', 'ZipMismatch', [{ data, flags: 1 << 5 }])
for (const method of [2, 3, 4, 5, 7, 10, 14, 16, 18, 19, 20, 94, 96, 97]) {
  refuse(`compression method ${method}, which 7-Zip does not know or finds damaged`, 'ArchiveUnsupported', [
    { data, method }
  ])
}
for (const method of [1, 6, 9, 12, 93, 95, 98, 99]) {
  refuse(`compression method ${method} and data of another`, 'ArchiveDamaged', [{ data, method }])
}
refuse('another method in the local header', 'ZipMismatch', [{ data, local: { method: 99 } }])
refuse('another method in the directory', 'ZipMismatch', [{ data, central: { method: 12 } }])
refuse('another name in the local header', 'ZipMismatch', [{ data, local: { name: 'other' } }])
refuse('no size in the local header', 'ZipMismatch', [{ data, local: { compressedBytes: 0, sizeBytes: 0 } }])
refuse('a smaller size in the local header', 'ZipMismatch', [{ data, local: { compressedBytes: 20 } }])
refuse('a smaller size in the directory', 'ZipMismatch', [{ data, central: { compressedBytes: 20 } }])
refuse('a size beyond the end', 'ZipOverlap', [
  { data, local: { compressedBytes: 1e6 }, central: { compressedBytes: 1e6 } }
])
refuse('a stored file of two sizes', 'ZipMismatch', [
  { data, method: 0, local: { sizeBytes: 5 }, central: { sizeBytes: 5 } }
])
refuse('a file missing from the directory', 'ZipHiddenData', [
  { data, after: rawZip([{ data: other }]).subarray(0, 100) }
])
refuse('bytes after the directory', 'ZipDirectoryMisplaced', [{ data }], {
  afterDirectory: Buffer.from('hidden')
})
refuse('a directory elsewhere', 'ZipDirectoryMisplaced', [{ data }], { end: { directoryOffset: 0 } })
refuse('fewer files than the directory', 'ZipDirectoryBroken', [{ data }], { end: { entries: 0 } })
refuse('more files than the directory', 'ZipDirectoryBroken', [{ data }], { end: { entries: 2 } })
refuse('two files at one place', 'ZipOverlap', [{ data }, { data: other, central: { offset: 0 } }])
refuse('a descriptor that is none', 'ZipMismatch', [
  { data, flags: 8, local: { compressedBytes: 0, sizeBytes: 0 }, after: Buffer.alloc(13) }
])
refuse('a descriptor that lies', 'ZipMismatch', [
  { data, flags: 8, local: { compressedBytes: 0, sizeBytes: 0 }, after: descriptor(other.subarray(5)) }
])
refuse('an archive in its comment', 'ZipDirectoryMisplaced', [{ data }], {
  comment: rawZip([{ data: other }])
})
refuse('more than clamd would unpack', 'TooLarge', [
  { data, local: { sizeBytes: 0x7fffffff }, central: { sizeBytes: 0x7fffffff } }
])
refuse('data that does not inflate', 'ZipBroken', [
  { data: Buffer.alloc(100, 0xff), method: 0, local: { method: 8 }, central: { method: 8 } }
])
refuse('a crooked archive, deflated', 'ZipMismatch', [
  { name: 'in.zip', data: rawZip([{ data, local: { method: 99 } }]) }
])
refuse('a crooked archive, stored', 'ZipMismatch', [
  { name: 'in.zip', data: rawZip([{ data, local: { method: 99 } }]), method: 0 }
])
refuse('an archive that claims another size than it has', 'ZipMismatch', [
  { name: 'in.zip', data: rawZip([{ data }]), local: { sizeBytes: 1_000 }, central: { sizeBytes: 1_000 } }
])
crooked.push(
  ['nothing but a local header', 'ZipNoDirectory', rawZip([{ data }]).subarray(0, 60)],
  [
    'another end record in the comment, and bytes behind it',
    'ZipTrailingData',
    rawZip([{ data }], {
      comment: Buffer.concat([rawZip([]), Buffer.from('bytes')])
    })
  ],
  [
    'a second archive after the first',
    'ZipDirectoryMisplaced',
    Buffer.concat([rawZip([{ data }]), rawZip([{ data: other }])])
  ],
  ['a spanning marker', 'ZipSpanned', Buffer.concat([Buffer.from('504b0708', 'hex'), rawZip([{ data }])])],
  ['a gzip file before it', 'ZipAppended', Buffer.concat([gzipSync(data), rawZip([{ data: other }])])],
  [
    '17 more inside one another',
    'NestedTooDeep',
    [...Array(17)].reduce<Buffer>((inner) => rawZip([{ name: 'in.zip', data: inner }]), rawZip([{ data }]))
  ]
)

for (const [what, reason, bytes] of crooked) {
  t.test(`refuses a ZIP with ${what} as ${reason}`, async (t) => {
    t.equal(await reasonFor(bytes), reason)
  })
}

t.test('accepts an archive with a damaged file inside another', async (t) => {
  const unknown = rawZip([
    { data, method: 96 },
    { name: 'b.txt', data: other }
  ])

  t.ok(await handsOver(rawTar([{ data: unknown }]), other))
})

t.test(
  'refuses nested bombs because of the sizes in their directories, without unpacking them',
  async (t) => {
    const leaf = rawZip([{ data: Buffer.alloc(32 * 1024 * 1024) }])
    const branch = rawZip([...Array(16).keys()].map((i) => ({ name: `${i}.zip`, data: leaf })))

    t.equal(
      await reasonFor(rawZip([...Array(16).keys()].map((i) => ({ name: `${i}.zip`, data: branch })))),
      'Bomb'
    )
  }
)

t.test('accepts a gzip with an uncompressed ZIP inside', async (t) => {
  t.equal(await reasonFor(gzipSync(rawZip([{ data, method: 0 }]), { level: 0 })), null)
})
