import t from 'tap'
import { rawBzip2, rawXz } from '@filewright/testing'
import { hasLargestXzDictionary, isSeenWhole } from '../../src/archive-guard/single-stream.js'
import { cleanText } from '../helpers/samples.js'
import { seenByClamd, unseenByClamd } from '../helpers/tool-made.js'

const data = cleanText()
const xz = rawXz(data)

t.test('returns true for a plain xz file with one or many blocks, and for one stream of bzip2', async (t) => {
  for (const [command, bytes] of Object.entries(seenByClamd)) {
    t.equal(await isSeenWhole(bytes, command.startsWith('bzip2') ? 'bzip2' : 'xz'), true, command)
  }
  t.equal(await isSeenWhole(xz, 'xz'), true)
  t.equal(await isSeenWhole(rawXz(Buffer.alloc(0)), 'xz'), true)
})

t.test(
  'returns false for an xz file with a filter, with two streams, or with bytes before or after its index',
  async (t) => {
    const indexOffset = xz.length - 12 - (xz.readUInt32LE(xz.length - 8) + 1) * 4
    const unsure: Record<string, Buffer | undefined> = {
      'a filter': unseenByClamd['xz -k --x86 --lzma2 a.txt'],
      'another filter alone': rawXz(data, { filter: 3 }),
      'two streams': Buffer.concat([xz, xz]),
      'a stream behind zeros': Buffer.concat([xz, Buffer.alloc(4), xz]),
      'zeros behind': Buffer.concat([xz, Buffer.alloc(4)]),
      'bytes before the index': Buffer.concat([
        xz.subarray(0, indexOffset),
        Buffer.alloc(4),
        xz.subarray(indexOffset)
      ]),
      'no index': xz.subarray(0, indexOffset),
      'nothing but its magic': xz.subarray(0, 6)
    }
    for (const [what, bytes] of Object.entries(unsure)) {
      t.equal(await isSeenWhole(bytes ?? xz, 'xz'), false, what)
    }
  }
)

t.test('returns false for bzip2 with a second, even empty, stream, and for any other format', async (t) => {
  const bzip2 = rawBzip2(data)

  t.equal(await isSeenWhole(Buffer.concat([bzip2, rawBzip2(data)]), 'bzip2'), false)
  t.equal(await isSeenWhole(Buffer.concat([bzip2, rawBzip2(Buffer.alloc(0))]), 'bzip2'), false)
  for (const format of ['7z', 'zstd', 'lzma', 'zip', 'ar']) {
    t.equal(await isSeenWhole(xz, format), false, format)
  }
})

t.test('detects an xz file that asks for a dictionary of 4 GiB in any of its blocks', async (t) => {
  const large = rawXz(data, { dictionary: 40 })

  t.equal(await hasLargestXzDictionary(large, 'xz'), true)
  t.equal(await hasLargestXzDictionary(Buffer.concat([xz, large]), 'xz'), true)
  t.equal(await hasLargestXzDictionary(rawXz(data, { dictionary: 39 }), 'xz'), false)
  t.equal(await hasLargestXzDictionary(rawXz(Buffer.from('210128'.repeat(100), 'hex')), 'xz'), false)
  t.equal(await hasLargestXzDictionary(large, 'zstd'), false)
})
