import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { uniqueText } from '@filewright/acceptance'
import { rawBzip2, rawZip } from '@filewright/testing'

const MEGABYTE = 1_000_000
const BLOCK_MAGIC = bitsOf(Buffer.from('314159265359', 'hex'))
const END_MAGIC = bitsOf(Buffer.from('177245385090', 'hex'))
const MAGIC_BITS = 48
const HEADER_BITS = 32
const CRC_BITS = 32

/**
 * A few hundred bytes of bzip2 that unpack to that many megabytes of zeros, different at each call. The real
 * tool packs the zeros once, which takes seconds. Each file then gets a last block with a few random letters,
 * because clamd caches files, including unpacked ones.
 */
export async function bzip2Bombs(megabytes: number): Promise<() => Buffer> {
  const zeros = partsOf(await packZeros(megabytes))
  return () => {
    const letters = partsOf(rawBzip2(uniqueText(16)))
    const crc = ((zeros.crc << 1) | (zeros.crc >>> 31)) ^ letters.crc
    return bytesOf(
      zeros.header +
        zeros.blocks +
        letters.blocks +
        END_MAGIC +
        (crc >>> 0).toString(2).padStart(CRC_BITS, '0')
    )
  }
}

/** Many small texts: each costs a scanner more than its bytes. */
export function manyMembers(count: number): Buffer {
  return rawZip(
    Array.from({ length: count }, (_, number) => ({
      name: `notes/${number}.txt`,
      data: randomBytes(12).toString('hex')
    })).map(({ name, data }) => ({ name, data: Buffer.from(data) }))
  )
}

async function packZeros(megabytes: number): Promise<Buffer> {
  const packer = spawn('bzip2', ['-9'], { stdio: ['pipe', 'pipe', 'ignore'] })
  await once(packer, 'spawn').catch(() => {
    throw new Error('Install bzip2 to run this row')
  })
  const chunk = Buffer.alloc(MEGABYTE)
  const [packed] = await Promise.all([
    buffer(packer.stdout),
    pipeline(
      Readable.from(
        (function* () {
          for (let sent = 0; sent < megabytes; sent++) yield chunk
        })()
      ),
      packer.stdin
    )
  ])
  return packed
}

/**
 * Blocks begin and end at any bit, so a file is split as a string of zeros and ones. The CRC covers all
 * blocks.
 */
function partsOf(file: Buffer): { header: string; blocks: string; crc: number } {
  const bits = bitsOf(file)
  const end = bits.lastIndexOf(END_MAGIC)
  if (bits.indexOf(BLOCK_MAGIC) !== HEADER_BITS || end < 0) {
    throw new Error('not a bzip2 file with a block in it')
  }
  return {
    header: bits.slice(0, HEADER_BITS),
    blocks: bits.slice(HEADER_BITS, end),
    crc: Number.parseInt(bits.slice(end + MAGIC_BITS, end + MAGIC_BITS + CRC_BITS), 2)
  }
}

function bitsOf(bytes: Buffer): string {
  return [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
}

function bytesOf(bits: string): Buffer {
  return Buffer.from((bits.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)))
}
