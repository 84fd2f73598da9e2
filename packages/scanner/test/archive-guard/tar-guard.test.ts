import { gzipSync } from 'node:zlib'
import t from 'tap'
import { pack } from 'tar-stream'
import { paxRecord, rawTar } from '@filewright/testing'
import { guardArchive } from '../../src/index.js'
import { cleanText, sourceOf } from '../helpers/samples.js'

const data = cleanText()

async function reasonFor (bytes: Buffer): Promise<string | null> {
  const result = await guardArchive(sourceOf(bytes))
  return result.ok ? null : result.reason
}

const paxOf = (...records: Array<[string, string]>): Buffer => Buffer.concat(records.map(([key, value]) => paxRecord(key, value)))
const withPax = (pax: Buffer, type = 'x'): Buffer => rawTar([{ data: pax, type }, { data }])
const size = String(data.length)

const sound: Record<string, Buffer> = {
  'files and a folder': rawTar([{ name: 'd/', data: Buffer.alloc(0), type: '5' }, { data }, { data, type: '\0' }]),
  'an empty file': rawTar([{ data: Buffer.alloc(0) }, { data }]),
  'a pax header that repeats the size': rawTar([{ data: paxRecord('size', String(data.length)), type: 'x' }, { data }]),
  'a pax header of every common kind of record': rawTar([{ data: paxOf(['mtime', '1.5'], ['path', 'a=b\n12 size=5\n'], ['comment', ''], ['LIBARCHIVE.xattr.a', 'eA=='], ['size', String(data.length)]), type: 'x' }, { data }]),
  'a global pax header, as git archive writes it': rawTar([{ data: paxRecord('comment', 'a'.repeat(40)), type: 'g' }, { data }]),
  'a folder whose name ends like an archive': rawTar([{ name: 'd.br/', data: Buffer.alloc(0), type: '5' }, { name: 'd.br/a.txt', data }]),
  'an empty pax header': rawTar([{ data: Buffer.alloc(0), type: 'x' }, { data }]),
  'a long name': rawTar([{ data: Buffer.from('n'.repeat(300)), type: 'L' }, { data }]),
  'a size padded with spaces': rawTar([{ data, sizeField: Buffer.from(`${data.length.toString(8).padStart(11, ' ')} `) }]),
  'no end marker': rawTar([{ data }]).subarray(0, -1024),
  'a file larger than what is skipped by reading': rawTar([{ data: Buffer.alloc(5 * 1024 * 1024, 'x') }, { data }])
}

for (const [name, bytes] of Object.entries(sound)) {
  t.test(`lets a tar pass, plain and gzipped, with ${name}`, async (t) => {
    t.equal(await reasonFor(bytes), null)
    t.equal(await reasonFor(gzipSync(bytes)), null)
  })
}

t.test('lets a tar of a real writer pass, with a name that needs a pax header', async (t) => {
  const tar = pack()
  tar.entry({ name: `${'ü'.repeat(60)}/${'n'.repeat(90)}` }, data)
  tar.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of tar) chunks.push(chunk as Buffer)

  t.equal(await reasonFor(Buffer.concat(chunks)), null)
})

const crooked: Record<string, [string, Buffer]> = {
  'a sparse file': ['TarSparse', rawTar([{ data, type: 'S' }])],
  'a sparse file in pax form': ['TarSparse', rawTar([{ data: paxRecord('GNU.sparse.major', '1'), type: 'x' }, { data }])],
  'a pax size that differs from the header': ['TarMismatch', rawTar([{ data: paxRecord('size', '5'), type: 'x' }, { data }])],
  'two pax sizes in one header': ['TarMismatch', withPax(paxOf(['size', size], ['size', '5']))],
  'the same pax size twice': ['TarMismatch', withPax(paxOf(['size', size], ['size', size]))],
  'a pax size in each of two headers': ['TarMismatch', rawTar([...Array(2)].map(() => ({ data: paxOf(['size', size]), type: 'x' })).concat([{ data, type: '0' }]))],
  'a pax size behind a comment that looks like one': ['TarMismatch', withPax(paxOf(['comment', `x\n12 size=${size}`], ['size', '5']))],
  'a pax size with zeros in front': ['TarMismatch', withPax(paxOf(['size', `00000000000000000000${size}`]))],
  'a pax size with a sign': ['TarMismatch', withPax(paxOf(['size', `+${size}`]))],
  'an empty pax size': ['TarMismatch', withPax(paxOf(['size', '']))],
  'a pax size for all files': ['TarMismatch', withPax(paxOf(['size', size]), 'g')],
  'a pax record that is shorter than it says': ['TarBroken', withPax(Buffer.from('99 comment=x\n'))],
  'a pax record that is longer than it says': ['TarBroken', withPax(Buffer.from('11 comment=x\n'))],
  'a pax record with a zero before its length': ['TarBroken', withPax(Buffer.from('014 comment=x\n'))],
  'a pax record without a key': ['TarBroken', withPax(Buffer.from('5 =x\n'))],
  'a pax record of no length': ['TarBroken', withPax(Buffer.from('0 size=5\n'))],
  'bytes behind the pax records': ['TarBroken', withPax(Buffer.concat([paxOf(['comment', 'x']), Buffer.alloc(3)]))],
  'a sparse file in the pax form of star': ['TarSparse', withPax(paxOf(['SCHILY.realsize', '5']))],
  'sparse files in a global pax header': ['TarSparse', withPax(paxOf(['GNU.sparse.map', '0,5']), 'g')],
  'a brotli file, known by its name only': ['NestedArchive', rawTar([{ name: 'page.html.br', data }])],
  'a bare LZMA file, known by its name': ['NestedArchive', rawTar([{ name: 'a.LZMA', data }])],
  'a bare LZMA file, known by its long name': ['NestedArchive', rawTar([{ data: Buffer.from(`${'n'.repeat(200)}.tlz\0`), type: 'L' }, { data }])],
  'a bare LZMA file, known by its name in a pax header': ['NestedArchive', withPax(paxOf(['path', 'a.lzma']))],
  'a size in base 256': ['TarMismatch', rawTar([{ data, sizeField: Buffer.from('80000000000000000000ffff', 'hex') }])],
  'a size that is no number': ['TarBroken', rawTar([{ data, sizeField: Buffer.from('hello world\0') }])],
  'data behind a link': ['TarHiddenData', rawTar([{ data, type: '1' }])],
  'data behind a folder': ['TarHiddenData', rawTar([{ data, type: '5' }])],
  'a second tar after the end': ['TarTrailingData', rawTar([{ data }], { after: rawTar([{ data }]) })],
  'a wrong checksum in a later header': ['TarBroken', rawTar([{ data }, { data, checksum: 1 }])],
  'an endless pax header': ['TarBroken', rawTar([{ data: Buffer.alloc(0), type: 'x', sizeField: Buffer.from('77777777777\0') }])],
  '10,001 files': ['TarTooManyEntries', rawTar([...Array(10_001)].map(() => ({ data: Buffer.alloc(0) })))]
}

for (const [name, [reason, bytes]] of Object.entries(crooked)) {
  t.test(`refuses a tar, plain or gzipped, with ${name} as ${reason}`, async (t) => {
    t.equal(await reasonFor(bytes), reason)
    t.equal(await reasonFor(gzipSync(bytes)), reason)
  })
}
