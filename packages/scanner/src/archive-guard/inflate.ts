import { Readable } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { isZlibError } from './guard-result.js'
import { Refusal } from './refusals.js'
import { hasOnlyZerosLeft, type SequentialReader } from './sequential-reader.js'
import { skipGzipHeader, unreadable, type UnreadableReader } from './gzip-header.js'
import { inflateAtOnce, type Inflated } from './inflate-head.js'

const CHUNK_BYTES = 64 * 1024

const GZIP_START = Buffer.from('1f8b', 'hex')
const TRAILER_BYTES = 8
/** Packed size. A larger member is not one of thousands. */
const SMALL_BYTES = 4096

/**
 * Inflates all members of a gzip file. Members follow one another directly; bytes behind the last one are not
 * a member. This function reads headers and checksums itself: after a wrong checksum, zlib withholds the last
 * output, but tar does not. @param onMember is called for each member; may throw
 */
export async function* gunzipped(
  reader: SequentialReader,
  onMember: () => void
): AsyncGenerator<Buffer, void, undefined> {
  const packed = unreadable(reader)
  do {
    onMember()
    await skipGzipHeader(packed)
    yield* gunzippedMember(packed)
  } while ((await packed.peek(GZIP_START.length)).equals(GZIP_START))
  await refuseFurtherMember(packed)
}

async function* gunzippedMember(packed: UnreadableReader): AsyncGenerator<Buffer, void, undefined> {
  const small = inflatedAtOnce(await packed.peek(SMALL_BYTES))
  const { unpacked, unused } = small === null ? unpacking(packed) : smallMember(small, packed)
  let sum = 0
  let sizeBytes = 0
  try {
    for await (const chunk of unpacked) {
      sum = crc32(chunk, sum)
      sizeBytes += chunk.length
      yield chunk
    }
  } catch (error) {
    throw isZlibError(error) ? new Refusal('GzipBroken') : error
  }
  packed.unread(unused())
  const trailer = await packed.read(TRAILER_BYTES)
  if (trailer.length < TRAILER_BYTES) throw new Refusal('GzipBroken')
  const isSound = trailer.readUInt32LE() === sum && trailer.readUInt32LE(4) === sizeBytes % 2 ** 32
  if (!isSound) throw new Refusal('GzipBroken')
}

/**
 * Thousands of small members with a stream each would take a minute. Null if the end is not visible or the
 * data is invalid.
 */
function inflatedAtOnce(packed: Buffer): Inflated | null {
  const inflated = inflateAtOnce(packed, CHUNK_BYTES)
  return typeof inflated !== 'string' && inflated.packedBytes < packed.length ? inflated : null
}

function smallMember({ content, packedBytes }: Inflated, packed: UnreadableReader): Unpacking {
  async function* unpacked(): AsyncGenerator<Buffer, void, undefined> {
    await packed.skip(packedBytes)
    yield content
  }
  return { unpacked: unpacked(), unused: () => Buffer.alloc(0) }
}

/**
 * Zeros are padding. Some unpackers read other bytes as another member, of this or another format; clamd does
 * not.
 */
async function refuseFurtherMember(reader: SequentialReader): Promise<void> {
  if (!(await hasOnlyZerosLeft(reader))) throw new Refusal('GzipTrailingData')
}

const ZLIB_HEADER_BYTES = 2

/** Inflates a bare zlib stream. */
export async function* zlibUnpacked(reader: SequentialReader): AsyncGenerator<Buffer, void, undefined> {
  await reader.skip(ZLIB_HEADER_BYTES)
  try {
    yield* unpacking(reader).unpacked
  } catch (error) {
    throw isZlibError(error) ? new Refusal('ArchiveDamaged') : error
  }
}

/** Inflates a deflated file of a ZIP. */
export async function* inflated(reader: SequentialReader): AsyncGenerator<Buffer, void, undefined> {
  try {
    yield* unpacking(reader).unpacked
  } catch (error) {
    throw isZlibError(error) ? new Refusal('ZipBroken') : error
  }
}

interface Unpacking {
  unpacked: AsyncGenerator<Buffer, void, undefined>
  /** The bytes that were read but not inflated, after the end. */
  unused: () => Buffer
}

function unpacking(reader: SequentialReader): Unpacking {
  const unpacker = createInflateRaw()
  let given: Buffer[] = []
  /** The offset of the first chunk in `given`. */
  let givenFrom = 0
  let ended = false
  let reading: Promise<Buffer> = Promise.resolve(Buffer.alloc(0))

  async function* give(): AsyncGenerator<Buffer> {
    for (;;) {
      if (ended) return
      reading = reader.read(CHUNK_BYTES)
      const chunk = await reading
      if (chunk.length === 0) return
      for (
        let first = given[0];
        first !== undefined && givenFrom + first.length <= unpacker.bytesWritten;
        first = given[0]
      ) {
        givenFrom += first.length
        given = given.slice(1)
      }
      given.push(chunk)
      yield chunk
    }
  }

  async function* unpack(): AsyncGenerator<Buffer, void, undefined> {
    const packed = Readable.from(give())
    // Not pipeline(): it reports an early end by the consumer as an error.
    packed.on('error', (error) => unpacker.destroy(error))
    try {
      yield* packed.pipe(unpacker) as AsyncIterable<Buffer>
      ended = true
      // This read began before the end was known.
      await reading
    } finally {
      ended = true
      packed.destroy()
      unpacker.destroy()
    }
  }

  return {
    unpacked: unpack(),
    unused: () => Buffer.concat(given).subarray(unpacker.bytesWritten - givenFrom)
  }
}
