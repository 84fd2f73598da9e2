import { once } from 'node:events'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import yazl from 'yazl'
import { descriptor, rawZip, type RawEntry, type RawZipOptions } from '@filewright/testing'
import { guardArchive } from '../../src/index.js'
import { cleanText, sourceOf } from '../helpers/samples.js'

const data = cleanText()
const other = cleanText()

async function reasonFor (bytes: Buffer): Promise<string | null> {
  const result = await guardArchive(sourceOf(bytes))
  return result.ok ? null : result.reason
}

const sound: Record<string, Buffer> = {
  'two deflated files': rawZip([{ data }, { name: 'b.txt', data: other }]),
  'a stored file': rawZip([{ data, method: 0 }]),
  'no file at all': rawZip([]),
  'an empty file': rawZip([{ data: Buffer.alloc(0), method: 0 }]),
  'a comment': rawZip([{ data }], { comment: Buffer.from('made by hand') }),
  'sizes in a signed descriptor': rawZip([{ data, flags: 8, local: { compressedBytes: 0, sizeBytes: 0 }, after: descriptor(data) }]),
  'sizes in a bare descriptor': rawZip([{ data, flags: 8, local: { compressedBytes: 0, sizeBytes: 0 }, after: descriptor(data, { signed: false }) }]),
  'the unpacked size known and the rest in a descriptor': rawZip([{ data, flags: 8, local: { compressedBytes: 0 }, after: descriptor(data) }]),
  'a last block filled up with zeros': Buffer.concat([rawZip([{ data }]), Buffer.alloc(5_000)]),
  'a sound archive, deflated': rawZip([{ name: 'in.zip', data: rawZip([{ data }]) }]),
  'a sound archive, stored': rawZip([{ name: 'in.zip', data: rawZip([{ data }]), method: 0 }])
}

for (const [name, bytes] of Object.entries(sound)) {
  t.test(`lets a ZIP pass that holds ${name}`, async (t) => {
    t.equal(await reasonFor(bytes), null)
  })
}

t.test('lets a streamed archive of a real writer pass', async (t) => {
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
const refuse = (what: string, reason: string, entries: RawEntry[], options?: RawZipOptions): void => { crooked.push([what, reason, rawZip(entries, options)]) }

refuse('an encrypted file', 'ZipEncrypted', [{ data, flags: 1 }])
refuse('encryption in the directory only', 'ZipEncrypted', [{ data, central: { flags: 1 } }])
refuse('encryption in the local header only', 'ZipMismatch', [{ data, local: { flags: 1 } }])
refuse('masked header values', 'ZipEncrypted', [{ data, flags: 1 << 13 }])
refuse('patched data', 'ZipMethod', [{ data, flags: 1 << 5 }])
for (const method of [1, 2, 3, 4, 5, 6, 7, 9, 10, 14, 16, 18, 19, 20, 93, 94, 95, 96, 97, 98, 99]) refuse(`compression method ${method}`, 'ZipMethod', [{ data, method }])
refuse('another method in the local header', 'ZipMismatch', [{ data, local: { method: 99 } }])
refuse('another method in the directory', 'ZipMismatch', [{ data, central: { method: 12 } }])
refuse('another name in the local header', 'ZipMismatch', [{ data, local: { name: 'other' } }])
refuse('no size in the local header', 'ZipMismatch', [{ data, local: { compressedBytes: 0, sizeBytes: 0 } }])
refuse('a smaller size in the local header', 'ZipMismatch', [{ data, local: { compressedBytes: 20 } }])
refuse('a smaller size in the directory', 'ZipMismatch', [{ data, central: { compressedBytes: 20 } }])
refuse('a size beyond the end', 'ZipOverlap', [{ data, local: { compressedBytes: 1e6 }, central: { compressedBytes: 1e6 } }])
refuse('a stored file of two sizes', 'ZipMismatch', [{ data, method: 0, local: { sizeBytes: 5 }, central: { sizeBytes: 5 } }])
refuse('ZIP64 sizes in the local header', 'Zip64', [{ data, local: { compressedBytes: 0xffffffff } }])
refuse('ZIP64 sizes in the directory', 'Zip64', [{ data, central: { sizeBytes: 0xffffffff } }])
refuse('ZIP64 numbers in the end record', 'Zip64', [{ data }], { end: { directoryOffset: 0xffffffff } })
refuse('a ZIP64 locator', 'Zip64', [{ data }], { afterDirectory: Buffer.concat([Buffer.from('504b0607', 'hex'), Buffer.alloc(16)]) })
refuse('a file missing from the directory', 'ZipHiddenData', [{ data, after: rawZip([{ data: other }]).subarray(0, 100) }])
refuse('bytes before the directory', 'ZipHiddenData', [{ data }], { beforeDirectory: Buffer.from('hidden') })
refuse('bytes after the directory', 'ZipDirectoryMisplaced', [{ data }], { afterDirectory: Buffer.from('hidden') })
refuse('a directory elsewhere', 'ZipDirectoryMisplaced', [{ data }], { end: { directoryOffset: 0 } })
refuse('fewer files than the directory', 'ZipDirectoryBroken', [{ data }], { end: { entries: 0 } })
refuse('more files than the directory', 'ZipDirectoryBroken', [{ data }], { end: { entries: 2 } })
refuse('two files at one place', 'ZipOverlap', [{ data }, { data: other, central: { offset: 0 } }])
refuse('a descriptor that lies', 'ZipMismatch', [{ data, flags: 8, local: { compressedBytes: 0, sizeBytes: 0 }, after: descriptor(other.subarray(5)) }])
refuse('a descriptor of odd length', 'ZipHiddenData', [{ data, flags: 8, local: { compressedBytes: 0, sizeBytes: 0 }, after: Buffer.alloc(13) }])
refuse('an archive in its comment', 'ZipDirectoryMisplaced', [{ data }], { comment: rawZip([{ data: other }]) })
refuse('more than clamd would unpack', 'TooLarge', [{ data, local: { sizeBytes: 0x7fffffff }, central: { sizeBytes: 0x7fffffff } }])
refuse('data that does not inflate', 'ZipBroken', [{ data: Buffer.alloc(100, 0xff), method: 0, local: { method: 8 }, central: { method: 8 } }])
refuse('a 7z file, deflated', 'ZipNestedArchive', [{ data: Buffer.from('377abcaf271c00041234567890', 'hex') }])
refuse('a zstd file, stored', 'ZipNestedArchive', [{ data: Buffer.from('28b52ffd1234567890', 'hex'), method: 0 }])
refuse('a brotli file, known by its name only', 'ZipNestedArchive', [{ name: 'page.html.br', data }])
refuse('a crooked archive, deflated', 'ZipMismatch', [{ name: 'in.zip', data: rawZip([{ data, local: { method: 99 } }]) }])
refuse('a crooked archive, stored', 'ZipMismatch', [{ name: 'in.zip', data: rawZip([{ data, local: { method: 99 } }]), method: 0 }])
refuse('an archive that claims another size than it has', 'ZipMismatch', [
  { name: 'in.zip', data: rawZip([{ data }]), local: { sizeBytes: 1_000 }, central: { sizeBytes: 1_000 } }
])
crooked.push(
  ['nothing but a local header', 'ZipNoDirectory', rawZip([{ data }]).subarray(0, 60)],
  ['bytes after the end', 'ZipTrailingData', Buffer.concat([rawZip([{ data }]), Buffer.from('more')])],
  ['a second archive after the first', 'ZipDirectoryMisplaced', Buffer.concat([rawZip([{ data }]), rawZip([{ data: other }])])],
  ['a spanning marker', 'ZipSpanned', Buffer.concat([Buffer.from('504b0708', 'hex'), rawZip([{ data }])])],
  ['10,001 files', 'ZipTooManyEntries', rawZip([...Array(10_001).keys()].map((i) => ({ name: `${i}`, data: Buffer.from(`${i}`), method: 0 })))],
  ['a gzip file before it', 'ZipAppended', Buffer.concat([gzipSync(data), rawZip([{ data: other }])])],
  ['17 more inside one another', 'NestedTooDeep', [...Array(17)].reduce<Buffer>((inner) => rawZip([{ name: 'in.zip', data: inner }]), rawZip([{ data }]))]
)

for (const [what, reason, bytes] of crooked) {
  t.test(`refuses a ZIP with ${what} as ${reason}`, async (t) => {
    t.equal(await reasonFor(bytes), reason)
  })
}

t.test('refuses a bomb of bombs in moments, without unpacking it', async (t) => {
  const leaf = rawZip([{ data: Buffer.alloc(32 * 1024 * 1024) }])
  const branch = rawZip([...Array(16).keys()].map((i) => ({ name: `${i}.zip`, data: leaf })))
  const before = Date.now()

  t.equal(await reasonFor(rawZip([...Array(16).keys()].map((i) => ({ name: `${i}.zip`, data: branch })))), 'TooLarge')

  t.ok(Date.now() - before < 5_000)
})

t.test('lets a gzipped ZIP pass, whose bytes lie there as they were', async (t) => {
  t.equal(await reasonFor(gzipSync(rawZip([{ data, method: 0 }]), { level: 0 })), null)
})
