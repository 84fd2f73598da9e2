import { Readable } from 'node:stream'
import { createGunzip, createInflateRaw } from 'node:zlib'
import { isZlibError, Refusal } from '../guard-result.js'
import { hasOnlyZerosLeft, isZero, type SequentialReader } from '../sequential-reader.js'

const CHUNK_BYTES = 64 * 1024

/** What a gzip file unpacks to, all of its members. They follow one another directly; at the end zeros may fill up a block. */
export async function * gunzipped (reader: SequentialReader): AsyncGenerator<Buffer, void, undefined> {
  const { unpacked, unused } = unpacking(createGunzip(), reader)
  try {
    yield * unpacked
  } catch (error) {
    // tar keeps what it unpacked before the error, and not all of that has been seen here.
    throw isZlibError(error) ? new Refusal('GzipBroken') : error
  }
  // zlib stops at a zero. Some unpackers look for a further member behind it, and clamd does not.
  if (!isZero(unused()) || !await hasOnlyZerosLeft(reader)) throw new Refusal('GzipTrailingData')
}

/** The content of a deflated file in a ZIP. */
export async function * inflated (reader: SequentialReader): AsyncGenerator<Buffer, void, undefined> {
  try {
    yield * unpacking(createInflateRaw(), reader).unpacked
  } catch (error) {
    throw isZlibError(error) ? new Refusal('ZipBroken') : error
  }
}

interface Unpacking {
  unpacked: AsyncGenerator<Buffer, void, undefined>
  /** What was read and not unpacked, once the end is reached. */
  unused: () => Buffer
}

function unpacking (unpacker: ReturnType<typeof createGunzip>, reader: SequentialReader): Unpacking {
  let given: Buffer[] = []
  /** Where the first of them begins. */
  let givenFrom = 0
  let ended = false
  let reading: Promise<Buffer> = Promise.resolve(Buffer.alloc(0))

  async function * give (): AsyncGenerator<Buffer> {
    for (;;) {
      if (ended) return
      reading = reader.read(CHUNK_BYTES)
      const chunk = await reading
      if (chunk.length === 0) return
      for (let first = given[0]; first !== undefined && givenFrom + first.length <= unpacker.bytesWritten; first = given[0]) {
        givenFrom += first.length
        given = given.slice(1)
      }
      given.push(chunk)
      yield chunk
    }
  }

  async function * unpack (): AsyncGenerator<Buffer, void, undefined> {
    const packed = Readable.from(give())
    // Not pipeline(): it reports the end of our own early leaving as an error.
    packed.on('error', (error) => { unpacker.destroy(error) })
    try {
      yield * packed.pipe(unpacker) as AsyncIterable<Buffer>
      ended = true
      // Asked for before the end was known.
      await reading
    } finally {
      ended = true
      packed.destroy()
      unpacker.destroy()
    }
  }

  return { unpacked: unpack(), unused: () => Buffer.concat(given).subarray(unpacker.bytesWritten - givenFrom) }
}
