import { randomBytes } from 'node:crypto'
import { getEventListeners } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { deflateSync } from 'node:zlib'
import t from 'tap'
import { rawTar, rawXz, rawZip, startClamdPeer } from '@filewright/testing'
import { createClamdScanner } from '../../src/index.js'
import { cleanText, sourceOf } from '../helpers/samples.js'
import { silentLogger } from '../helpers/silent-logger.js'

/** The maximum that is not refused. */
const LEVELS = 16

function nested(wrap: (inner: Buffer) => Buffer, innermost: Buffer): Buffer {
  let bytes = innermost
  for (let level = 0; level < LEVELS; level++) bytes = wrap(bytes)
  return bytes
}

const stored = (data: Buffer): Buffer => rawZip([{ data, method: 0 }])
const deflated = (data: Buffer): Buffer => rawZip([{ data }])
const isZip = (data: Buffer): boolean => data.subarray(0, 2).toString() === 'PK'
/** Larger than a scan holds in memory. */
const large = randomBytes(2 * 1024 * 1024)

const archives: Record<string, Buffer> = {
  'stored ZIPs': nested(stored, cleanText()),
  'stored ZIPs that are streamed': nested(stored, large),
  'deflated ZIPs': nested(deflated, cleanText()),
  'deflated ZIPs that are streamed': nested(deflated, large),
  'tars and ZIPs': nested((data) => (isZip(data) ? rawTar([{ data }]) : deflated(data)), cleanText()),
  // clamd gets each level as a file, all at the same time.
  'zlib streams': nested((data) => deflateSync(data), randomBytes(300 * 1024)),
  'xz files': rawXz(rawXz(rawXz(rawXz(cleanText()))))
}

for (const [what, bytes] of Object.entries(archives)) {
  t.test(`nested ${what}: a scan causes no warning about listeners, and leaves none`, async (t) => {
    const fake = await startClamdPeer()
    const scanner = createClamdScanner({ host: fake.host, port: fake.port, logger: silentLogger })
    const { signal } = new AbortController()
    const warnings: string[] = []
    const onWarning = ({ message }: Error): void => {
      warnings.push(message)
    }
    process.on('warning', onWarning)
    t.teardown(async () => {
      process.off('warning', onWarning)
      await scanner.close()
      await fake.closeServer()
    })

    const { verdict } = await scanner.scan(sourceOf(bytes), { signal })
    await nextTurn()

    t.equal(verdict, 'clean')
    t.strictSame(warnings, [])
    t.equal(getEventListeners(signal, 'abort').length, 0)
  })
}
