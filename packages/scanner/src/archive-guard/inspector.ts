import { PassThrough } from 'node:stream'
import { createBundle } from './bundle.js'
import type { ScanContent } from './guard-result.js'
import { memberOf, readerOf, restOf, type MemberReader, type SequentialReader } from './sequential-reader.js'

/** Sends to the scanner the files that it does not find by itself. */
export interface Inspector {
  /**
   * The guard reads the content, and the scanner receives the same bytes. Bytes that the guard leaves unread
   * follow afterwards.
   */
  inspect: (content: SequentialReader, guard: (content: MemberReader) => Promise<void>) => Promise<void>
  /** Call it at the end: small files wait until a batch is full. */
  finish: () => Promise<void>
}

/** Smaller files are scanned in batches: an exchange with clamd costs more than scanning them. */
const SMALL_BYTES = 256 * 1024

export function createInspector(scan: ScanContent): Inspector {
  const bundle = createBundle(scan)

  async function inspectSmall(bytes: Buffer, guard: (content: MemberReader) => Promise<void>): Promise<void> {
    await guard(
      memberOf(
        readerOf(each([bytes]), () => {}),
        bytes.length
      )
    )
    await bundle.add(bytes)
  }

  async function inspectLarge(
    content: SequentialReader,
    guard: (content: MemberReader) => Promise<void>
  ): Promise<void> {
    const body = new PassThrough({ highWaterMark: SMALL_BYTES })
    const scanned = scan(body)
    // It is awaited below; until then a failure must not count as unhandled.
    scanned.catch(() => {})
    try {
      const copied = copyingReader(content, body)
      await guard(memberOf(copied, Infinity))
      for await (const rest of restOf(copied)) void rest
      body.end()
    } catch (error) {
      if (!body.destroyed) {
        body.destroy()
        throw error
      }
    }
    await scanned
  }

  return {
    inspect: async (content, guard) => {
      const start = await content.read(SMALL_BYTES + 1)
      if (start.length <= SMALL_BYTES) return await inspectSmall(start, guard)
      const whole = readerOf(chained(start, content), () => {})
      await inspectLarge(whole, guard)
    },
    finish: bundle.flush
  }
}

async function* each(buffers: Buffer[]): AsyncGenerator<Buffer> {
  yield* buffers
}

async function* chained(start: Buffer, rest: SequentialReader): AsyncGenerator<Buffer> {
  yield start
  yield* restOf(rest)
}

/** Returns the same bytes and writes them to the other side while they are read. */
function copyingReader(reader: SequentialReader, body: PassThrough): SequentialReader {
  async function write(bytes: Buffer): Promise<void> {
    // The scan ended early. Its own promise has the reason.
    if (body.destroyed) throw new Error('the scan of the content ended early')
    if (!body.write(bytes)) await drained(body)
  }

  async function read(length: number): Promise<Buffer> {
    const bytes = await reader.read(length)
    if (bytes.length > 0) await write(bytes)
    return bytes
  }

  return {
    read,
    skip: async (length) => {
      for (let left = length; left > 0; ) {
        const bytes = await read(Math.min(left, SMALL_BYTES))
        if (bytes.length === 0) return
        left -= bytes.length
      }
    }
  }
}

async function drained(body: PassThrough): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      body.off('drain', done)
      body.off('close', done)
      resolve()
    }
    body.on('drain', done)
    body.on('close', done)
  })
}
