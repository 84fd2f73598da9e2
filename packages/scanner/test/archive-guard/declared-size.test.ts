import { gzipSync } from 'node:zlib'
import t from 'tap'
import { rawTar, rawXz, rawZip } from '@filewright/testing'
import { declaredBytes } from '../../src/archive-guard/declared-size.js'
import { createScanMeter } from '../../src/scan-meter.js'
import { guard, reasonFor } from '../helpers/guard.js'
import { cleanText, sourceOf } from '../helpers/samples.js'
import { packedText, seenByClamd, unseenByClamd } from '../helpers/tool-made.js'

const MIB = 1024 * 1024

/** The header of a zstd file with a size of 8 bytes, and nothing that could be unpacked. */
function zstdOf(sizeBytes: number): Buffer {
  const header = Buffer.from('28b52ffde00000000000000000', 'hex')
  header.writeBigUInt64LE(BigInt(sizeBytes), 5)
  return Buffer.concat([header, Buffer.alloc(500)])
}

t.test('reads the sizes that xz, zstd and lzip declare', async (t) => {
  for (const [command, bytes] of Object.entries({ ...unseenByClamd, ...seenByClamd })) {
    const format = /^(?:xz|zstd|lzip)\b/.exec(command)?.[0]
    if (format === undefined || command.includes('lzma')) continue
    t.equal(await declaredBytes(bytes, format), packedText.length, command)
  }
})

t.test('returns 0 for bzip2 and for a file that is too short', async (t) => {
  for (const format of ['bzip2', '7z', 'xz', 'zstd', 'lzma']) {
    t.equal(await declaredBytes(Buffer.alloc(3), format), 0, format)
  }
})

t.test('refuses an archive with a declared size above the limit before unpacking it', async (t) => {
  const lzma = Buffer.concat([Buffer.from('5d00008000', 'hex'), Buffer.alloc(8), Buffer.alloc(500)])
  lzma.writeUInt32LE(100 * MIB, 5)
  const bombs = {
    zstd: zstdOf(100 * MIB),
    lzma,
    'the same in a tar': rawTar([{ data: zstdOf(100 * MIB) }]),
    gzip: gzipSync(Buffer.alloc(40 * MIB)),
    ZIP: rawZip([{ data: Buffer.alloc(40 * MIB) }]),
    'a ZIP that 7-Zip would unpack': rawZip([
      { data: cleanText(), method: 93, local: { sizeBytes: 100 * MIB }, central: { sizeBytes: 100 * MIB } }
    ])
  }

  for (const [what, bytes] of Object.entries(bombs)) {
    const meter = createScanMeter()
    const { result } = await guard(sourceOf(bytes), { meter })
    t.match(result, { ok: false, reason: 'Bomb' }, what)
    t.equal(meter.costs().unpackedBytes, 0, what)
  }
})

t.test('reports a truncated gzip file as damaged, whatever size its last bytes suggest', async (t) => {
  const cut = Buffer.concat([gzipSync(cleanText()).subarray(0, -20), Buffer.from('ffffff7f', 'hex')])

  t.equal(await reasonFor(cut), 'GzipBroken')
})

t.test('accepts a small file with a correct declared size', async (t) => {
  t.equal(await reasonFor(rawXz(packedText)), null)
  t.equal(await reasonFor(gzipSync(Buffer.alloc(15 * MIB))), null)
})
