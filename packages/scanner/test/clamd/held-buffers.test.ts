import { createHash, randomBytes } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { numbersFrom, startClamdPeer, testSeed } from '@filewright/testing'
import { createClamdScanner, type ScanSource } from '../../src/index.js'
import { silentLogger } from '../helpers/silent-logger.js'
import { sourceOf } from '../helpers/samples.js'

t.setTimeout(600_000)

const SCANS = 400
const AT_ONCE = 12
const FILES = 24

const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** Plain text, so that nothing is unpacked. */
const textOf = (sizeBytes: number): Buffer =>
  Buffer.from(
    randomBytes(Math.ceil(sizeBytes / 2))
      .toString('hex')
      .slice(0, sizeBytes)
  )

t.test('clamd receives the bytes of each file, whatever the outcome of concurrent scans', async (t) => {
  const clamd = await startClamdPeer()
  // The verdict contains the bytes that clamd received.
  clamd.behaviour.onBody = (socket, body) => {
    clamd.received.length = 0
    if (random() < 0.1) socket.destroy()
    else socket.end(`stream: Seen.${sha256Of(body)} FOUND\0`)
  }
  const scanner = createClamdScanner({ host: clamd.host, port: clamd.port, logger: silentLogger })
  t.teardown(async () => {
    await scanner.close()
    await clamd.closeServer()
  })
  await scanner.selfTest()
  const random = numbersFrom(testSeed(t))
  const files = Array.from({ length: FILES }, () => textOf(1 + Math.floor(random() * 1024 * 1024)))
  const lateWrites: Array<Promise<void>> = []
  let verdicts = 0
  let aborted = 0
  let abortedInRead = 0
  let begun = 0

  /** A slow store that fills the buffer piece by piece and ignores the abort. */
  function stubborn(bytes: Buffer): ScanSource {
    return sourceOf(bytes, {
      read: async (into) => {
        const written = write(into)
        lateWrites.push(written)
        await written
        return bytes.length
      }
    })
    async function write(into: Buffer): Promise<void> {
      for (let at = 0; at < bytes.length; at += 200_000) {
        for (let turns = random() * 20; turns > 0; turns--) await nextTurn()
        bytes.copy(into, at, at, at + 200_000)
      }
    }
  }

  async function lane(): Promise<void> {
    while (begun++ < SCANS) {
      const bytes = files[Math.floor(random() * FILES)] ?? Buffer.alloc(1)
      const isStubborn = random() < 0.7
      const abort = new AbortController()
      const source = isStubborn ? stubborn(bytes) : sourceOf(bytes)
      const isAbortedInRead = random() < 0.2
      if (isAbortedInRead) abortedInRead++
      const read: ScanSource['read'] = async (...given) => {
        if (isAbortedInRead) abort.abort()
        return await source.read(...given)
      }
      const scan = scanner.scan({ ...source, read }, { signal: abort.signal })
      // Anywhere, or too late.
      if (random() < 0.3) {
        void (async () => {
          for (let turns = random() * 100; turns > 0; turns--) await nextTurn()
          abort.abort()
        })()
      }
      try {
        const { signature } = await scan
        t.equal(signature, `Seen.${sha256Of(bytes)}`)
        verdicts++
      } catch (error) {
        if (abort.signal.aborted) aborted++
        else t.match(error, { code: 'SCAN_UNAVAILABLE' })
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  await Promise.all(lateWrites)

  t.ok(verdicts > SCANS / 8, `${verdicts} verdicts`)
  t.ok(aborted >= abortedInRead, `${aborted} aborted, ${abortedInRead} of them while the file is read`)
})

t.test('a scan reuses the buffer of an earlier one', async (t) => {
  const clamd = await startClamdPeer()
  const scanner = createClamdScanner({ host: clamd.host, port: clamd.port, logger: silentLogger })
  t.teardown(async () => {
    await scanner.close()
    await clamd.closeServer()
  })
  await scanner.selfTest()
  const used = new Set<ArrayBufferLike>()

  for (let i = 0; i < 5; i++) {
    const bytes = textOf(300_000)
    const { read } = sourceOf(bytes)
    const watched = sourceOf(bytes, {
      read: async (into, range, signal) => {
        used.add(into.buffer)
        return await read(into, range, signal)
      }
    })
    t.match(await scanner.scan(watched), { verdict: 'clean' })
  }

  t.equal(used.size, 1)
})
