import { setImmediate } from 'node:timers/promises'
import { Refusal } from '../guard-result.js'
import { hasOnlyZerosLeft, isZero, type SequentialReader } from '../sequential-reader.js'
import { takeBits, type Bits } from './bits.js'
import { readBlock, type Block } from './bzip2-block.js'

/** More than a packed block can have: 900,000 symbols of 20 bits and their tables. */
const WINDOW_BYTES = 2_500_000
const CHUNK_BYTES = 256 * 1024
const BLOCK_MAGIC = '314159265359'
const END_MAGIC = '177245385090'

/** A byte at a time from the highest bit down, unlike the checksum of gzip. */
const crcTable = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24
  for (let bit = 0; bit < 8; bit++) crc = (crc << 1) ^ (crc < 0 ? 0x04c11db7 : 0)
  return crc
})

/**
 * What a bzip2 file unpacks to. One stream only: clamd unpacks the first, bunzip2 all of them, and parallel compressors write many.
 * In one go it works on no more than a block, and lets others have their turn after each.
 */
export async function * bunzipped (reader: SequentialReader): AsyncGenerator<Buffer, void, undefined> {
  const bits: Bits = { bytes: await reader.read(WINDOW_BYTES), position: 0 }
  const level = /^BZh([1-9])/.exec(bits.bytes.toString('latin1', 0, 4))?.[1]
  if (level === undefined) throw new Refusal('Bzip2Broken')
  bits.position = 32
  let streamCrc = 0
  for (;;) {
    const magic = takeHex(bits, 6)
    const crc = Number.parseInt(takeHex(bits, 4), 16)
    if (magic === END_MAGIC) {
      if (crc !== streamCrc) throw new Refusal('Bzip2Broken')
      break
    }
    if (magic !== BLOCK_MAGIC) throw new Refusal('Bzip2Broken')
    const blockCrc = yield * unrolled(readBlock(bits, Number(level) * 100_000))
    if (blockCrc !== crc) throw new Refusal('Bzip2Broken')
    streamCrc = (((streamCrc << 1) | (streamCrc >>> 31)) ^ blockCrc) >>> 0
    const used = bits.position >>> 3
    bits.bytes = Buffer.concat([bits.bytes.subarray(used), await reader.read(used)])
    bits.position &= 7
    await setImmediate()
  }
  await refuseMore(bits, reader)
}

function takeHex (bits: Bits, bytes: number): string {
  return Array.from({ length: bytes }, () => takeBits(bits, 8).toString(16).padStart(2, '0')).join('')
}

/** Four equal bytes are followed by how many more there are. @returns the checksum of it all. */
function * unrolled ({ links, length, start }: Block): Generator<Buffer, number, undefined> {
  let out = Buffer.allocUnsafe(CHUNK_BYTES)
  let filled = 0
  let crc = -1
  let last = -1
  let run = 0
  let at = start
  for (let i = 0; i < length; i++) {
    const link = links[at] ?? 0
    at = link >>> 8
    let copies = 1
    if (run === 4) {
      copies = link & 0xff
      run = 0
    } else {
      run = (link & 0xff) === last ? run + 1 : 1
      last = link & 0xff
    }
    for (; copies > 0; copies--) {
      crc = (crc << 8) ^ (crcTable[((crc >>> 24) ^ last) & 0xff] ?? 0)
      out[filled++] = last
      if (filled < CHUNK_BYTES) continue
      yield out
      out = Buffer.allocUnsafe(CHUNK_BYTES)
      filled = 0
    }
    // After a count the next byte begins a run anew, even if it is the same.
    if (run === 0) last = -1
  }
  yield out.subarray(0, filled)
  return ~crc >>> 0
}

async function refuseMore (bits: Bits, reader: SequentialReader): Promise<void> {
  const rest = bits.bytes.subarray((bits.position + 7) >>> 3)
  if (rest.subarray(0, 3).toString('latin1') === 'BZh') throw new Refusal('Bzip2Streams')
  if (!isZero(rest) || !await hasOnlyZerosLeft(reader)) throw new Refusal('Bzip2TrailingData')
}
