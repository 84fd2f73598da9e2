import { gunzipSync, gzipSync } from 'node:zlib'
import t from 'tap'
import { paxRecord, rawTar, rawZip } from '@filewright/testing'
import { guard, handsOver, reasonFor } from '../helpers/guard.js'
import { cleanText, eicar, sourceOf } from '../helpers/samples.js'
import { sparsePiece, sparseTars } from '../helpers/tool-made.js'

const data = cleanText()
const HOLE_BYTES = 65_536

for (const [command, packed] of Object.entries(sparseTars)) {
  t.test(`scans the file that "${command}" wrote, with zeros in its holes`, async (t) => {
    const whole = Buffer.alloc(5 * HOLE_BYTES + sparsePiece.length)
    for (let i = 0; i < 6; i++) sparsePiece.copy(whole, i * HOLE_BYTES)

    t.ok(await handsOver(packed, whole))
    t.ok(await handsOver(gunzipSync(packed), whole))
    t.ok(await handsOver(rawZip([{ data }, { data: packed }]), whole))
  })

  t.test(`scans the file after a sparse file in the output of "${command}"`, async (t) => {
    const tar = gunzipSync(packed)
    const end = tar.lastIndexOf(sparsePiece)
    const followed = Buffer.concat([
      tar.subarray(0, Math.ceil((end + sparsePiece.length) / 512) * 512),
      rawTar([{ data }])
    ])

    t.ok(await handsOver(followed, data))
  })
}

/** A tar with one file of these pieces, in GNU's own format. */
function gnuSparse(pieces: Array<[offset: number, bytes: Buffer]>): Buffer {
  const tar = rawTar([{ data: Buffer.concat(pieces.map(([, bytes]) => bytes)), type: 'S' }])
  pieces.forEach(([offset, bytes], i) =>
    tar.write(
      `${offset.toString(8).padStart(11, '0')}\0${bytes.length.toString(8).padStart(11, '0')}\0`,
      386 + 24 * i
    )
  )
  tar.write('        ', 148)
  const sum = tar.subarray(0, 512).reduce((total, byte) => total + byte, 0)
  tar.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return tar
}

const paxSparse = (data: Buffer, ...records: Array<[string, string]>): Buffer => {
  return rawTar([
    { data: Buffer.concat(records.map(([key, value]) => paxRecord(key, value))), type: 'x' },
    { data }
  ])
}

t.test('shortens a hole of terabytes, and scans the data after it', async (t) => {
  const tar = paxSparse(data, ['GNU.sparse.map', `0,10,${2 ** 42},${data.length - 10}`])
  const { handedOver } = await guard(sourceOf(tar))

  t.ok(handedOver.some((body) => body.includes(data.subarray(10)) && body.length < 4 * 1024 * 1024))
})

const [start, end] = [eicar.subarray(0, 30), eicar.subarray(30)]
const swapped = Buffer.concat([end, start])
const [startBytes, endBytes] = [String(start.length), String(end.length)]
const crooked: Record<string, Buffer> = {
  "of GNU's own form": gnuSparse([
    [start.length, end],
    [0, start]
  ]),
  'in a pax list': paxSparse(swapped, ['GNU.sparse.map', `30,${endBytes},0,${startBytes}`]),
  'in pax records': paxSparse(
    swapped,
    ['GNU.sparse.offset', '30'],
    ['GNU.sparse.numbytes', endBytes],
    ['GNU.sparse.offset', '0'],
    ['GNU.sparse.numbytes', startBytes]
  ),
  'at the start of the data': paxSparse(
    Buffer.concat([Buffer.from(`2\n30\n${endBytes}\n0\n${startBytes}\n`.padEnd(512, '\0')), swapped]),
    ['GNU.sparse.major', '1'],
    ['GNU.sparse.minor', '0']
  ),
  'that overlap': paxSparse(data, ['GNU.sparse.map', '0,20,10,20']),
  'with a length before its place': paxSparse(data, ['GNU.sparse.numbytes', '5'], ['GNU.sparse.offset', '0']),
  'without an end': paxSparse(data, ['GNU.sparse.map', '0,5,7']),
  'that are not numbers': paxSparse(data, ['GNU.sparse.map', '0x0,1e2']),
  'in two places': paxSparse(
    data,
    ['GNU.sparse.map', '0,5'],
    ['GNU.sparse.offset', '0'],
    ['GNU.sparse.numbytes', '5']
  ),
  'that should be in the data and are not': paxSparse(data, ['GNU.sparse.major', '1'])
}

for (const [where, tar] of Object.entries(crooked)) {
  t.test(`refuses a sparse file whose pieces are out of order or ambiguous: ${where}`, async (t) => {
    t.equal(await reasonFor(tar), 'TarMismatch')
    t.equal(await reasonFor(gzipSync(tar)), 'TarMismatch')
  })
}
