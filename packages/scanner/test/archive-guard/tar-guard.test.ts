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

const sound: Record<string, Buffer> = {
  'files and a folder': rawTar([{ name: 'd/', data: Buffer.alloc(0), type: '5' }, { data }, { data, type: '\0' }]),
  'an empty file': rawTar([{ data: Buffer.alloc(0) }, { data }]),
  'a pax header that repeats the size': rawTar([{ data: paxRecord('size', String(data.length)), type: 'x' }, { data }]),
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
