import { deflateRawSync, gzipSync } from 'node:zlib'
import t from 'tap'
import { rawTar, rawZip, type RawEntry } from '@filewright/testing'
import { handsOver, reasonFor } from '../helpers/guard.js'
import { cleanText } from '../helpers/samples.js'
import { packedText, unseenByClamd } from '../helpers/tool-made.js'

const data = cleanText()
const packedBytes = deflateRawSync(data).length
const IN_EXTRA = 0xffffffff

function wide(...numbers: number[]): Buffer {
  const record = Buffer.alloc(4 + 8 * numbers.length)
  record.writeUInt16LE(1)
  record.writeUInt16LE(8 * numbers.length, 2)
  numbers.forEach((number, i) => record.writeBigUInt64LE(BigInt(number), 4 + 8 * i))
  return record
}

const inExtra = { sizeBytes: IN_EXTRA, compressedBytes: IN_EXTRA, extra: wide(data.length, packedBytes) }

interface WideEnd {
  entries?: number
  directoryBytes?: number
  directoryOffset?: number
  recordOffset?: number
  /** Bytes between the record and its locator. */
  between?: Buffer
}

/** The ZIP64 end record and its locator, for an archive of one entry without an extra field. */
function wideEnd(plain: Buffer, lie: WideEnd = {}): Buffer {
  const truth = {
    entries: 1,
    directoryBytes: plain.readUInt32LE(plain.length - 10),
    directoryOffset: plain.readUInt32LE(plain.length - 6)
  }
  const { entries, directoryBytes, directoryOffset } = { ...truth, ...lie }
  const record = Buffer.alloc(56)
  record.writeUInt32LE(0x06064b50)
  record.writeBigUInt64LE(44n, 4)
  ;[entries, entries, directoryBytes, directoryOffset].forEach((number, i) =>
    record.writeBigUInt64LE(BigInt(number), 24 + 8 * i)
  )
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x07064b50)
  locator.writeBigUInt64LE(BigInt(lie.recordOffset ?? truth.directoryOffset + truth.directoryBytes), 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([record, lie.between ?? Buffer.alloc(0), locator])
}

const entry: RawEntry = { data }
const plain = rawZip([entry])
const allWide = { entries: 0xffff, directoryBytes: IN_EXTRA, directoryOffset: IN_EXTRA }

const sound: Record<string, Buffer> = {
  'wide sizes in both headers': rawZip([{ data, local: inExtra, central: inExtra }]),
  'wide sizes in the directory only': rawZip([{ data, central: inExtra }]),
  'wide sizes in the local header only': rawZip([{ data, local: inExtra }]),
  'a wide offset': rawZip([{ data, central: { offset: IN_EXTRA, extra: wide(0) } }]),
  'a wide end record that repeats the narrow one': rawZip([entry], { afterDirectory: wideEnd(plain) }),
  'a wide end record alone': rawZip([entry], { afterDirectory: wideEnd(plain), end: allWide })
}

for (const [what, zip] of Object.entries(sound)) {
  t.test(`scans the files of a ZIP with ${what}, alone and inside others`, async (t) => {
    t.ok(await handsOver(zip, data))
    t.ok(await handsOver(gzipSync(rawTar([{ data: zip }])), data))
    t.ok(await handsOver(rawZip([{ data: zip }]), data))
  })
}

t.test('scans a ZIP that zip wrote from a pipe to a pipe', async (t) => {
  t.ok(await handsOver(unseenByClamd['cat a.txt | zip - - > a.zip'] ?? data, packedText))
})

const otherSize = { ...inExtra, extra: wide(data.length, packedBytes - 5) }
const crooked: Record<string, [string, Buffer]> = {
  'a wide size in the local header that differs': [
    'ZipMismatch',
    rawZip([{ data, local: otherSize, central: inExtra }])
  ],
  'a wide size in the directory that differs': ['ZipMismatch', rawZip([{ data, central: otherSize }])],
  'a wide size that is not there': ['ZipMismatch', rawZip([{ data, central: { sizeBytes: IN_EXTRA } }])],
  'a wide size that is not there in the local header': [
    'ZipMismatch',
    rawZip([{ data, local: { compressedBytes: IN_EXTRA } }])
  ],
  'two records of wide sizes': [
    'ZipMismatch',
    rawZip([{ data, central: { ...inExtra, extra: Buffer.concat([inExtra.extra, wide(1, 1)]) } }])
  ],
  'a wide number beyond all files': [
    'ZipMismatch',
    rawZip([{ data, central: { offset: IN_EXTRA, extra: wide(2 ** 60) } }])
  ],
  'a wide end record that counts other files': [
    'ZipMismatch',
    rawZip([entry], { afterDirectory: wideEnd(plain, { entries: 2 }) })
  ],
  'a wide end record with another directory': [
    'ZipMismatch',
    rawZip([entry], { afterDirectory: wideEnd(plain, { directoryOffset: 0 }) })
  ],
  'a wide end record with another directory, and no narrow one': [
    'ZipDirectoryMisplaced',
    rawZip([entry], { afterDirectory: wideEnd(plain, { directoryOffset: 0 }), end: allWide })
  ],
  'a wide end record elsewhere': [
    'ZipMismatch',
    rawZip([entry], { afterDirectory: wideEnd(plain, { recordOffset: 0 }) })
  ],
  'bytes between the wide end record and its locator': [
    'ZipMismatch',
    rawZip([entry], { afterDirectory: wideEnd(plain, { between: Buffer.alloc(8) }) })
  ],
  'numbers that only a wide end record could have': [
    'ZipDirectoryMisplaced',
    rawZip([entry], { end: { directoryOffset: IN_EXTRA } })
  ],
  'a wide end record of more than 100,000 files': [
    'TooManyEntries',
    rawZip([entry], { afterDirectory: wideEnd(plain, { entries: 100_001 }), end: allWide })
  ]
}

for (const [what, [reason, zip]] of Object.entries(crooked)) {
  t.test(`refuses a ZIP with ${what} as ${reason}, alone and inside a tar`, async (t) => {
    t.equal(await reasonFor(zip), reason)
    t.equal(await reasonFor(rawTar([{ data: zip }])), reason)
  })
}
