import t from 'tap'
import { archiveKindOf } from '../../src/archives/archive-kind.js'
import { DamagedArchiveError, MAX_ENTRIES } from '../../src/archives/archive-entries.js'
import { tarEntries } from '../../src/archives/tar-entries.js'
import { zipEntries } from '../../src/archives/zip-entries.js'

/** Stored entries of zeros; `declared` is the size that the directory names. */
function zipOf(names: readonly string[], { comment = '', declared = 3 } = {}): Uint8Array {
  const directory = names.map((name) => {
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(0x800, 8)
    entry.writeUInt32LE(declared, 24)
    entry.writeUInt16LE(Buffer.byteLength(name), 28)
    return Buffer.concat([entry, Buffer.from(name)])
  })
  const body = Buffer.alloc(names.length * 40, 1)
  const all = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt32LE(all.length, 12)
  end.writeUInt32LE(body.length, 16)
  end.writeUInt16LE(comment.length, 20)
  return Buffer.concat([body, all, end, Buffer.from(comment)])
}

function tarEntry(name: string, content: string, kind = '0'): Buffer {
  const header = Buffer.alloc(512)
  header.write(name, 0)
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124)
  header.write('        ', 148)
  header.write(kind, 156)
  header.write('ustar\u000000', 257)
  const sum = header.reduce((all, byte) => all + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([header, Buffer.from(content), Buffer.alloc((512 - (content.length % 512)) % 512)])
}

const listZip = async (bytes: Uint8Array) =>
  await zipEntries(bytes.length, async (from) => bytes.subarray(from))

/** In pieces that do not end where blocks end. */
const listTar = async (bytes: Uint8Array) =>
  await tarEntries(
    new ReadableStream({
      start: (controller) => {
        for (let at = 0; at < bytes.length; at += 700) controller.enqueue(bytes.subarray(at, at + 700))
        controller.close()
      }
    })
  )

t.test('the names and sizes of a ZIP archive come from the end of the file', async (t) => {
  const bytes = zipOf(['a/', 'a/ü.txt'], { comment: 'PK\u0005\u0006 said so' })
  const offsets: number[] = []
  const { entries, isCut } = await zipEntries(bytes.length, async (from) => {
    offsets.push(from)
    return bytes.subarray(from)
  })

  t.strictSame(entries, [
    { name: 'a/', size: 3 },
    { name: 'a/ü.txt', size: 3 }
  ])
  t.notOk(isCut)
  t.equal(offsets.length, 1, 'a small one is read once')
})

t.test('a directory far from the end is read from its start', async (t) => {
  const names = Array.from({ length: 3_000 }, (_, i) => `folder/with/a/long/name/file-${i}.txt`)
  const { entries, isCut } = await listZip(zipOf(names))

  t.equal(entries.length, MAX_ENTRIES)
  t.equal(entries[999]?.name, names[999])
  t.ok(isCut)
})

t.test('tar: long names of both kinds, folders, sizes, and pieces of any length', async (t) => {
  const long = `${'d'.repeat(120)}/file.txt`
  const pax = ` path=${long}\n`
  const { entries } = await listTar(
    Buffer.concat([
      tarEntry('dir/', '', '5'),
      tarEntry('dir/a.txt', 'x'.repeat(1_000)),
      tarEntry('long', `${long}\0`, 'L'),
      tarEntry('cut', 'yy'),
      tarEntry('pax', `${pax.length + 3}${pax}`, 'x'),
      tarEntry('cut', 'z'),
      Buffer.alloc(1_024)
    ])
  )

  t.strictSame(entries, [
    { name: 'dir/', size: 0 },
    { name: 'dir/a.txt', size: 1_000 },
    { name: long, size: 2 },
    { name: long, size: 1 }
  ])
})

t.test('cut and changed archives are listed or refused, never anything else', async (t) => {
  const zip = zipOf(['a.txt', 'b.txt'])
  const tar = Buffer.concat([tarEntry('a.txt', 'abc'), tarEntry('b.txt', 'def')])
  for (const [list, bytes] of [
    [listZip, zip],
    [listTar, tar]
  ] as const) {
    for (let at = 0; at < bytes.length; at++) {
      const changed = Uint8Array.from(bytes)
      changed[at] = 0xff
      for (const broken of [bytes.subarray(0, at), changed]) {
        const result = await list(broken).catch((error: unknown) => error)
        if (result instanceof Error && !(result instanceof DamagedArchiveError)) throw result
      }
    }
  }
})

t.test('only archives that can be listed without unpacking much are listed', async (t) => {
  const kind = (type: string, name = 'x', size = 1) => archiveKindOf({ type, name, size })
  t.equal(kind('application/zip', 'a.zip', 50_000_000), 'zip')
  t.equal(kind('application/x-tar'), 'tar')
  t.equal(kind('application/gzip', 'a.tgz'), 'tar-gz')
  t.equal(kind('application/gzip', 'a.gz'), null)
  t.equal(kind('application/x-tar', 'a.tar', 40_000_000), null)
})
