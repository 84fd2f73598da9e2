import { crc32 } from 'node:zlib'
import type { Reservation } from '../budget.js'
import { Refusal } from '../guard-result.js'
import { hasOnlyZerosLeft, isZero, type SequentialReader } from '../sequential-reader.js'
import { lzma2Unpacked, readExactly } from './lzma2.js'
import { createCheck } from './xz-check.js'

const MAGIC = 'fd377a585a00'
const LZMA2 = 0x21
/** What `xz -9` uses. */
const MAX_DICTIONARY_BYTES = 64 * 1024 * 1024
const MIN_DICTIONARY_BYTES = 4096

const broken = (): Refusal => new Refusal('XzBroken')

interface BlockSizes {
  unpadded: number
  unpacked: number
}

/**
 * What an xz file unpacks to. One stream of blocks that are packed with LZMA2 and no other filter, which is what xz writes unless
 * told otherwise. All that the file says of itself must be true.
 */
export async function * unxzed (source: SequentialReader, memory: Reservation): AsyncGenerator<Buffer, void, undefined> {
  let readBytes = 0
  const reader: SequentialReader = {
    ...source,
    read: async (length) => {
      const bytes = await source.read(length)
      readBytes += bytes.length
      return bytes
    }
  }
  const header = await readExactly(reader, 12)
  const flags = header.subarray(6, 8)
  if (header.toString('hex', 0, 6) !== MAGIC || flags[0] !== 0 || crc32(flags) !== header.readUInt32LE(8)) throw broken()

  const blocks: BlockSizes[] = []
  for (;;) {
    const start = readBytes
    const first = await readExactly(reader, 1)
    if (first[0] === 0) break
    const dictionaryBytes = await readBlockHeader(reader, first)
    const check = createCheck(flags[1] ?? 0xff)
    if (check === null) throw new Refusal('XzCheck')
    let unpacked = 0
    for await (const chunk of lzma2Unpacked(reader, dictionaryBytes, memory)) {
      unpacked += chunk.length
      check.update(chunk)
      yield chunk
    }
    const padding = (4 - (readBytes - start) % 4) % 4
    const digest = check.digest()
    blocks.push({ unpadded: readBytes - start + digest.length, unpacked })
    if (!isZero(await readExactly(reader, padding)) || !digest.equals(await readExactly(reader, digest.length))) throw broken()
  }
  await checkIndex(reader, blocks, flags)
  const next = await source.read(4)
  if (next.toString('hex') === MAGIC.slice(0, 8)) throw new Refusal('XzStreams')
  if (!isZero(next) || !await hasOnlyZerosLeft(source)) throw new Refusal('XzTrailingData')
}

/** @returns the size of the dictionary. */
async function readBlockHeader (reader: SequentialReader, first: Buffer): Promise<number> {
  const length = ((first[0] ?? 0) + 1) * 4
  const header = Buffer.concat([first, await readExactly(reader, length - 1)])
  if (crc32(header.subarray(0, -4)) !== header.readUInt32LE(length - 4)) throw broken()
  const flags = header[1] ?? 0
  const numbers = numbersIn(header.subarray(2, -4))
  // How much it has packed and unpacked, which the index says again.
  if ((flags & 0x40) !== 0) numbers.next()
  if ((flags & 0x80) !== 0) numbers.next()
  if ((flags & 0x3f) !== 0 || numbers.next() !== LZMA2) throw new Refusal('XzFilter')
  if (numbers.next() !== 1) throw broken()
  const size = numbers.next()
  if (size > 40 || !isZero(numbers.rest())) throw broken()
  const dictionaryBytes = (2 | (size & 1)) * 2 ** (Math.floor(size / 2) + 11)
  if (dictionaryBytes > MAX_DICTIONARY_BYTES) throw new Refusal('XzDictionary')
  return Math.max(dictionaryBytes, MIN_DICTIONARY_BYTES)
}

/** Numbers of 7 bits a byte, the lowest first. */
function numbersIn (bytes: Buffer): { next: () => number, rest: () => Buffer } {
  let at = 0
  return {
    next: () => {
      let value = 0
      for (let factor = 1; factor < 2 ** 49; factor *= 128) {
        const byte = bytes[at++]
        if (byte === undefined) throw broken()
        value += (byte & 0x7f) * factor
        if (byte < 0x80) return value
      }
      throw broken()
    },
    rest: () => bytes.subarray(at)
  }
}

function numberBytes (value: number): number[] {
  return value < 128 ? [value] : [value % 128 + 128, ...numberBytes(Math.floor(value / 128))]
}

/** The index and the footer can be told from the blocks: written anew, they must be the same. The index's first byte has been read. */
async function checkIndex (reader: SequentialReader, blocks: BlockSizes[], flags: Buffer): Promise<void> {
  const numbers = [blocks.length, ...blocks.flatMap(({ unpadded, unpacked }) => [unpadded, unpacked])]
  const content = Buffer.from([0, ...numbers.flatMap(numberBytes)])
  const index = Buffer.concat([content, Buffer.alloc((4 - content.length % 4) % 4)])
  const backward = Buffer.alloc(6)
  backward.writeUInt32LE(index.length / 4)
  flags.copy(backward, 4)
  const expected = Buffer.concat([index.subarray(1), crcOf(index), crcOf(backward), backward, Buffer.from('YZ')])
  if (!expected.equals(await readExactly(reader, expected.length))) throw broken()
}

function crcOf (bytes: Buffer): Buffer {
  const crc = Buffer.alloc(4)
  crc.writeUInt32LE(crc32(bytes))
  return crc
}
