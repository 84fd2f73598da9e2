import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { randomBytes } from 'node:crypto'
import t from 'tap'
import type { ScanContent } from '../../src/archive-guard/guard-result.js'
import { createInspector } from '../../src/archive-guard/inspector.js'
import { readerOf, type SequentialReader } from '../../src/archive-guard/sequential-reader.js'
import { cleanText } from '../helpers/samples.js'

const SMALL_BYTES = 256 * 1024

function contentOf(bytes: Buffer, onRead: (bytes: number) => void = () => {}): SequentialReader {
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += 100_000) yield bytes.subarray(at, at + 100_000)
  }
  return readerOf(pieces(), onRead)
}

function noting(): { scan: ScanContent; bodies: Buffer[] } {
  const bodies: Buffer[] = []
  return {
    bodies,
    scan: async (body) => {
      bodies.push(Buffer.isBuffer(body) ? body : await buffer(body))
    }
  }
}

t.test('sends the scanner all bytes of a large file, whatever the guard reads or skips', async (t) => {
  const bytes = randomBytes(3 * SMALL_BYTES + 7)
  const guards: Array<(content: SequentialReader) => Promise<unknown>> = [
    async () => {},
    async (content) => await content.read(10),
    async (content) => await content.skip(2 * SMALL_BYTES),
    async (content) => await content.read(bytes.length + 1)
  ]
  for (const guard of guards) {
    const { scan, bodies } = noting()
    const inspector = createInspector(scan)

    await inspector.inspect(contentOf(bytes), async (content) => {
      await guard(content)
    })
    await inspector.finish()

    t.ok(bodies.length === 1 && bodies[0]?.equals(bytes))
  }
})

t.test('sends small files together after the last inspection, and sends nothing without files', async (t) => {
  const { scan, bodies } = noting()
  const inspector = createInspector(scan)
  const files = [cleanText(), cleanText(), Buffer.alloc(SMALL_BYTES, 'x')]

  for (const file of files) await inspector.inspect(contentOf(file), async () => {})
  t.equal(bodies.length, 0)
  await inspector.finish()

  t.ok(bodies.length === 1 && files.every((file) => bodies[0]?.includes(file)))
  await createInspector(async () => {
    t.fail('nothing to scan')
  }).finish()
})

t.test('reads no further than the scanner has consumed', async (t) => {
  const bytes = Buffer.alloc(40 * SMALL_BYTES)
  let readBytes = 0
  let goOn = (): void => {}
  const gate = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const scan: ScanContent = async (body) => {
    await gate
    await buffer(body as Readable)
  }

  const inspecting = createInspector(scan).inspect(
    contentOf(bytes, (read) => {
      readBytes += read
    }),
    async () => {}
  )
  for (let i = 0; i < 200; i++) await nextTurn()
  const readAhead = readBytes
  goOn()
  await inspecting

  t.ok(readAhead < 6 * SMALL_BYTES, `${readAhead} bytes`)
  t.equal(readBytes, bytes.length)
})

t.test("rejects with the scanner's finding, for a small file and in the middle of a large one", async (t) => {
  const found = new Error('infected')
  const refuse: ScanContent = async (body) => {
    if (!Buffer.isBuffer(body)) {
      for await (const chunk of body) if ((chunk as Buffer).length > 0) break
    }
    throw found
  }
  const small = createInspector(refuse)
  await small.inspect(contentOf(cleanText()), async () => {})

  await t.rejects(small.finish(), found)
  await t.rejects(
    createInspector(refuse).inspect(contentOf(Buffer.alloc(20 * SMALL_BYTES)), async () => {}),
    found
  )
})

t.test('rejects with the error of the guard, and releases the scanner', async (t) => {
  const refusal = new Error('two readings')
  let ended: unknown
  const scan: ScanContent = async (body) => {
    try {
      await buffer(body as Readable)
    } catch (error) {
      ended = error
      throw error
    }
  }

  const inspecting = createInspector(scan).inspect(contentOf(Buffer.alloc(5 * SMALL_BYTES)), async () => {
    throw refusal
  })

  await t.rejects(inspecting, refusal)
  for (let i = 0; i < 10; i++) await nextTurn()
  t.ok(ended instanceof Error)
})
