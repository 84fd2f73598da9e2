import t from 'tap'
import { rawTar, rawZip } from '@filewright/testing'
import { formatOf, HEAD_BYTES } from '../../src/archive-guard/formats.js'
import { cleanText } from '../helpers/samples.js'

const data = cleanText()

/** The header of a bare LZMA stream: properties, size of the dictionary, size of the content. */
function bareLzma(properties: number, dictionaryBytes: number, sizeBytes: bigint): Buffer {
  const header = Buffer.alloc(14)
  header.writeUInt8(properties)
  header.writeUInt32LE(dictionaryBytes, 1)
  header.writeBigUInt64LE(sizeBytes, 5)
  return Buffer.concat([header, data])
}

const UNKNOWN_SIZE = 0xffff_ffff_ffff_ffffn

t.test('recognizes a bare LZMA stream with any properties, dictionary and size', async (t) => {
  for (const properties of [0, 0x5a, 0x5d, 0x5e, 224]) {
    for (const dictionaryBytes of [4096, 6144, 1 << 16, 3 << 20, 1 << 23, 0x80000000, 0xffffffff]) {
      for (const sizeBytes of [1n, 204n, 1n << 37n, UNKNOWN_SIZE]) {
        t.strictSame(formatOf(bareLzma(properties, dictionaryBytes, sizeBytes)), {
          kind: 'packed',
          format: 'lzma'
        })
      }
    }
  }
})

t.test('does not mistake other bytes for a bare LZMA stream', async (t) => {
  t.equal(formatOf(bareLzma(225, 4096, UNKNOWN_SIZE)).kind, 'other')
  t.equal(formatOf(bareLzma(0x5e, 5000, UNKNOWN_SIZE)).kind, 'other')
  t.equal(formatOf(bareLzma(0x5e, 4096, 1n << 38n)).kind, 'other')
  t.equal(formatOf(bareLzma(0, 0, 0n)).kind, 'other')
})

t.test('detects formats by their first bytes, and no format for text', async (t) => {
  const hex = (start: string): Buffer => Buffer.concat([Buffer.from(start, 'hex'), data])

  t.strictSame(formatOf(rawTar([{ data }])), { kind: 'tar' })
  t.strictSame(formatOf(rawZip([{ data }])), { kind: 'zip' })
  t.strictSame(formatOf(rawZip([])), { kind: 'zip' })
  t.strictSame(formatOf(hex('504b3030504b0304')), { kind: 'spanned-zip' })
  t.strictSame(formatOf(hex('184d2a500400000000000000')), { kind: 'other' })
  t.strictSame(
    formatOf(hex('502a4d180400000000000000')),
    { kind: 'packed', format: 'zstd' },
    'a skippable frame first'
  )
  t.strictSame(formatOf(hex('425a6839177245385090')), { kind: 'packed', format: 'bzip2' }, 'an empty bzip2')
  t.strictSame(formatOf(Buffer.concat([Buffer.alloc(HEAD_BYTES - 20, ' '), Buffer.from('%PDF-1.7')])), {
    kind: 'pdf'
  })
  for (const text of ['BZh is how a text may begin', 'Rar! Rar!', 'MSCF', '!<arch', 'PK\x03', '']) {
    t.equal(formatOf(Buffer.from(text)).kind, 'other', text)
  }
})
