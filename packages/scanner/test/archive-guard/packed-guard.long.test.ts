import { gzipSync } from 'node:zlib'
import t from 'tap'
import { rawTar, rawXz, rawZip } from '@filewright/testing'
import { createScanMeter } from '../../src/scan-meter.js'
import { guard, handsOver, reasonFor } from '../helpers/guard.js'
import { cleanText, sourceOf } from '../helpers/samples.js'
import {
  bzip2Bomb,
  encrypted,
  packedText,
  seenByClamd,
  unseenByClamd,
  xzOfLargeDictionary
} from '../helpers/tool-made.js'

const data = cleanText()
const deepInside = (bytes: Buffer): Buffer =>
  gzipSync(rawTar([{ data }, { data: rawZip([{ data }, { data: bytes }]) }]))

for (const [command, bytes] of Object.entries(unseenByClamd)) {
  t.test(`scans the file in the output of "${command}", alone and in a ZIP in a tar.gz`, async (t) => {
    t.ok(await handsOver(bytes, packedText))
    t.ok(await handsOver(deepInside(bytes), packedText))
  })
}

for (const [command, bytes] of Object.entries(seenByClamd)) {
  t.test(`accepts the output of "${command}", and scans no file that clamd unpacks itself`, async (t) => {
    t.strictSame(await guard(sourceOf(bytes)), { result: { ok: true }, handedOver: [] })
  })
}

for (const [command, bytes] of Object.entries(encrypted)) {
  t.test(`refuses the encrypted output of "${command}", alone and in a ZIP in a tar.gz`, async (t) => {
    t.match(await reasonFor(bytes), /^(Archive|Zip)Encrypted$/)
    t.match(await reasonFor(deepInside(bytes)), /^(Archive|Zip)Encrypted$/)
  })
}

t.test('refuses an xz file that needs more memory than allowed, alone and inside others', async (t) => {
  t.equal(await reasonFor(xzOfLargeDictionary), 'MemoryLimit')
  t.equal(await reasonFor(deepInside(xzOfLargeDictionary)), 'MemoryLimit')
  t.equal(await reasonFor(deepInside(rawXz(data, { dictionary: 40 }))), 'MemoryLimit', 'the largest there is')
})

t.test('scans the unpacked files of an archive with a wrong checksum inside another', async (t) => {
  const wrong = (bytes: Buffer | undefined, fromEnd: number): Buffer => {
    const damaged = Buffer.from(bytes ?? [])
    damaged.writeUInt8(damaged.readUInt8(damaged.length - fromEnd) ^ 0xff, damaged.length - fromEnd)
    return damaged
  }
  const damaged = {
    zstd: wrong(unseenByClamd['zstd -q a.txt'], 1),
    'xz with a filter, its index': wrong(unseenByClamd['xz -k --x86 --lzma2 a.txt'], 6),
    'xz, its index': wrong(seenByClamd['xz -k a.txt'], 6),
    'xz, its content': rawXz(packedText, { check: Buffer.alloc(4) }),
    bzip2: wrong(seenByClamd['bzip2 -k a.txt'], 2)
  }

  for (const [kind, bytes] of Object.entries(damaged)) {
    t.ok(await handsOver(rawTar([{ data: bytes }]), packedText), kind)
    t.equal(await reasonFor(bytes), 'ArchiveDamaged', `${kind}, alone`)
  }
})

t.test('unpacks archives inside unpacked archives, and counts the levels', async (t) => {
  const nest = (levels: number): Buffer => [...Array(levels)].reduce<Buffer>((inner) => rawXz(inner), data)

  t.equal(await reasonFor(nest(4)), null)
  t.equal(await reasonFor(nest(5)), 'NestedTooDeep')
})

t.test('refuses an ambiguous archive inside an unpacked one', async (t) => {
  const twoReadings = Buffer.concat([rawZip([{ data }]), rawZip([{ data }])])

  t.equal(await reasonFor(rawXz(rawTar([{ data: twoReadings }]))), 'ZipDirectoryMisplaced')
})

t.test('stops early at a bzip2 bomb, even without a nested archive', async (t) => {
  const meter = createScanMeter()

  const { result } = await guard(sourceOf(bzip2Bomb), { meter })

  t.match(result, { ok: false, reason: 'Bomb' })
  t.ok(meter.costs().unpackedBytes < 20 * 1024 * 1024, `${meter.costs().unpackedBytes}`)
  t.equal(await reasonFor(deepInside(bzip2Bomb)), 'Bomb')
})
