import { gzipSync } from 'node:zlib'
import t from 'tap'
import { pack } from 'tar-stream'
import { paxRecord, rawTar } from '@filewright/testing'
import { handsOver, reasonFor } from '../helpers/guard.js'
import { cleanText } from '../helpers/samples.js'

const data = cleanText()

const paxOf = (...records: Array<[string, string]>): Buffer =>
  Buffer.concat(records.map(([key, value]) => paxRecord(key, value)))
const withPax = (pax: Buffer, type = 'x'): Buffer => rawTar([{ data: pax, type }, { data }])
const size = String(data.length)

const sound: Record<string, Buffer> = {
  'files and a folder': rawTar([
    { name: 'd/', data: Buffer.alloc(0), type: '5' },
    { data },
    { data, type: '\0' }
  ]),
  'an empty file': rawTar([{ data: Buffer.alloc(0) }, { data }]),
  'a pax header that repeats the size': rawTar([
    { data: paxRecord('size', String(data.length)), type: 'x' },
    { data }
  ]),
  'a pax header of every common kind of record': rawTar([
    {
      data: paxOf(
        ['mtime', '1.5'],
        ['path', 'a=b\n12 size=5\n'],
        ['comment', ''],
        ['LIBARCHIVE.xattr.a', 'eA=='],
        ['size', String(data.length)]
      ),
      type: 'x'
    },
    { data }
  ]),
  'a global pax header, as git archive writes it': rawTar([
    { data: paxRecord('comment', 'a'.repeat(40)), type: 'g' },
    { data }
  ]),
  'a folder whose name ends like an archive': rawTar([
    { name: 'd.br/', data: Buffer.alloc(0), type: '5' },
    { name: 'd.br/a.txt', data }
  ]),
  'an empty pax header': rawTar([{ data: Buffer.alloc(0), type: 'x' }, { data }]),
  'a long name': rawTar([{ data: Buffer.from('n'.repeat(300)), type: 'L' }, { data }]),
  'a size padded with spaces': rawTar([
    { data, sizeField: Buffer.from(`${data.length.toString(8).padStart(11, ' ')} `) }
  ]),
  'zeros behind the pax records': withPax(Buffer.concat([paxOf(['comment', 'x']), Buffer.alloc(3)])),
  'no end marker': rawTar([{ data }]).subarray(0, -1024),
  'a file larger than what is skipped by reading': rawTar([
    { data: Buffer.alloc(5 * 1024 * 1024, 'x') },
    { data }
  ])
}

for (const [name, bytes] of Object.entries(sound)) {
  t.test(`accepts a tar, plain and gzipped, with ${name}`, async (t) => {
    t.equal(await reasonFor(bytes), null)
    t.equal(await reasonFor(gzipSync(bytes)), null)
  })
}

t.test('accepts a tar of a real program, with a name that needs a pax header', async (t) => {
  const tar = pack()
  tar.entry({ name: `${'ü'.repeat(60)}/${'n'.repeat(90)}` }, data)
  tar.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of tar) chunks.push(chunk as Buffer)

  t.equal(await reasonFor(Buffer.concat(chunks)), null)
})

const crooked: Record<string, [string, Buffer]> = {
  'a pax size that differs from the header': [
    'TarMismatch',
    rawTar([{ data: paxRecord('size', '5'), type: 'x' }, { data }])
  ],
  'two pax sizes in one header': ['TarMismatch', withPax(paxOf(['size', size], ['size', '5']))],
  'the same pax size twice': ['TarMismatch', withPax(paxOf(['size', size], ['size', size]))],
  'a pax size in each of two headers': [
    'TarMismatch',
    rawTar(
      [...Array(2)].map(() => ({ data: paxOf(['size', size]), type: 'x' })).concat([{ data, type: '0' }])
    )
  ],
  'a pax size behind a comment that looks like one': [
    'TarMismatch',
    withPax(paxOf(['comment', `x\n12 size=${size}`], ['size', '5']))
  ],
  'a pax size with zeros in front': ['TarMismatch', withPax(paxOf(['size', `00000000000000000000${size}`]))],
  'a pax size with a sign': ['TarMismatch', withPax(paxOf(['size', `+${size}`]))],
  'an empty pax size': ['TarMismatch', withPax(paxOf(['size', '']))],
  'a pax size for all files': ['TarMismatch', withPax(paxOf(['size', size]), 'g')],
  'a pax record that is shorter than it says': ['TarMismatch', withPax(Buffer.from('99 comment=x\n'))],
  'a pax record that is longer than it says': ['TarMismatch', withPax(Buffer.from('11 comment=x\n'))],
  'a pax record with a zero before its length': ['TarMismatch', withPax(Buffer.from('014 comment=x\n'))],
  'a pax record without a key': ['TarMismatch', withPax(Buffer.from('5 =x\n'))],
  'a pax record of no length': ['TarMismatch', withPax(Buffer.from('0 size=5\n'))],
  'a sparse file in the pax form of star': ['TarMismatch', withPax(paxOf(['SCHILY.realsize', '5']))],
  'sparse files in a global pax header': ['TarMismatch', withPax(paxOf(['GNU.sparse.map', '0,5']), 'g')],
  'a size that is not a number': ['TarMismatch', rawTar([{ data, sizeField: Buffer.from('hello world\0') }])],
  'data behind a link': ['TarHiddenData', rawTar([{ data, type: '1' }])],
  'data behind a folder': ['TarHiddenData', rawTar([{ data, type: '5' }])],
  'an endless pax header': [
    'TarMismatch',
    rawTar([{ data: Buffer.alloc(0), type: 'x', sizeField: Buffer.from('77777777777\0') }])
  ],
  'a size in base 256 that no file has': [
    'TarMismatch',
    rawTar([{ data, sizeField: Buffer.from('800000010000000000000000', 'hex') }])
  ],
  'a negative size in base 256': [
    'TarMismatch',
    rawTar([{ data, sizeField: Buffer.from('ffffffffffffffffffffff00', 'hex') }])
  ],
  'data behind the name of a folder, which some take for the next header': [
    'TarHiddenData',
    rawTar([{ name: 'folder/', data, type: '\0' }])
  ]
}

for (const [name, [reason, bytes]] of Object.entries(crooked)) {
  t.test(`refuses a tar, plain or gzipped, with ${name} as ${reason}`, async (t) => {
    t.equal(await reasonFor(bytes), reason)
    t.equal(await reasonFor(gzipSync(bytes)), reason)
  })
}

const hidden = cleanText()

function inBase256(sizeBytes: number): Buffer {
  const field = Buffer.alloc(12)
  field[0] = 0x80
  field.writeUInt32BE(sizeBytes, 8)
  return field
}

/** Members that clamd does not find, or not in every version, but that some unpackers write to disk. */
const unseen: Record<string, Buffer> = {
  'in a second tar behind the first': rawTar([{ data }], { after: rawTar([{ data: hidden }]) }),
  'in a second tar behind many zeros': rawTar([{ data }], {
    after: Buffer.concat([Buffer.alloc(20_480), rawTar([{ data: hidden }])])
  }),
  'in a second tar behind blocks of something else': rawTar([{ data }], {
    after: Buffer.concat([Buffer.alloc(1_024, 'x'), rawTar([{ data: hidden }])])
  }),
  'behind a header with a wrong checksum': rawTar([{ data }, { data, checksum: 1 }, { data: hidden }]),
  'in a file with its size in base 256': rawTar([
    { data },
    { data: hidden, sizeField: inBase256(hidden.length) }
  ]),
  'behind a file with its size in base 256': rawTar([
    { data, sizeField: inBase256(data.length) },
    { data: hidden }
  ]),
  'in a file of a kind of its own': rawTar([{ data: hidden, type: 'A' }]),
  'behind a file of a kind of its own': rawTar([{ data, type: 'V' }, { data: hidden }])
}

for (const [where, bytes] of Object.entries(unseen)) {
  t.test(`accepts a tar, plain and gzipped, and scans the file ${where}`, async (t) => {
    t.ok(await handsOver(bytes, hidden))
    t.ok(await handsOver(gzipSync(bytes), hidden))
  })
}

t.test('does not scan tar members separately that clamd finds itself', async (t) => {
  t.notOk(await handsOver(rawTar([{ data }, { data: hidden }]), hidden))
})

t.test(
  'reports a tar that declares over 8 GiB without data as truncated, but accepts it inside another',
  async (t) => {
    const huge = { data: paxRecord('size', '68719476737'), type: 'x' }
    const cutOff = rawTar([huge, { data: Buffer.alloc(0) }])

    t.equal(await reasonFor(cutOff), 'TarCutOff')
    t.equal(await reasonFor(rawTar([{ data: cutOff }])), null)
    t.equal(await reasonFor(rawTar([huge, { data: Buffer.alloc(0) }, { data }])), 'TarMismatch')
    t.equal(await reasonFor(rawTar([huge, { data }])), 'TarMismatch')
  }
)
