import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import {
  paxRecord,
  rawTar,
  rawZip,
  startChaosProxy,
  startClamdPeer,
  type ClamdPeer
} from '@filewright/testing'
import { AppError } from '@filewright/runtime'
import { smallRoom } from '../../src/archive-guard/rooms.js'
import {
  createClamdScanner,
  type ClamdTimeouts,
  type Scanner,
  type SignaturePolicy
} from '../../src/index.js'
import { until } from '../helpers/until.js'
import { cleanText, infectedText, sourceOf } from '../helpers/samples.js'
import { silentLogger } from '../helpers/silent-logger.js'

/** Larger than a scan holds in memory, so the file is streamed. */
const STREAMED_BYTES = 2 * 1024 * 1024

/** In clamd's format: "Thu Nov 12 09:00:00 2026". */
function clamdDate(hoursAgo: number): string {
  const [, day, date, month, year, time] =
    /^(\w+), (\d+) (\w+) (\d+) ([\d:]+)/.exec(new Date(Date.now() - hoursAgo * 3_600_000).toUTCString()) ?? []
  return `${day} ${month} ${date} ${time} ${year}`
}

async function setUp(
  t: Test,
  timeouts: Partial<ClamdTimeouts> = {},
  policy?: SignaturePolicy
): Promise<{ fake: ClamdPeer; scanner: Scanner }> {
  const fake = await startClamdPeer()
  const scanner = createClamdScanner({
    host: fake.host,
    port: fake.port,
    logger: silentLogger,
    timeouts,
    policy
  })
  t.teardown(async () => {
    await scanner.close()
    await fake.closeServer()
  })
  return { fake, scanner }
}

t.test('reports a file as clean if clamd does, with the engine, its signatures and their date', async (t) => {
  const { fake, scanner } = await setUp(t)
  const bytes = randomBytes(1_000_000)

  const verdict = await scanner.scan(sourceOf(bytes))

  t.strictSame(verdict, {
    verdict: 'clean',
    engine: 'ClamAV 1.4.6/27500',
    signaturesAt: new Date('2026-11-12T09:00:00Z'),
    unpackedBytes: 0,
    waitedMs: 0
  })
  t.ok(fake.received[0]?.equals(bytes), 'clamd got exactly the bytes')
})

t.test('reports the unpacked size, whether the file is clean, infected or refused', async (t) => {
  const { fake, scanner } = await setUp(t)
  const tar = rawTar([{ data: cleanText() }, { type: 'Z', data: infectedText() }])

  t.match(await scanner.scan(sourceOf(gzipSync(Buffer.alloc(100_000)))), {
    verdict: 'clean',
    unpackedBytes: 100_000
  })
  t.match(await scanner.scan(sourceOf(gzipSync(tar))), { verdict: 'infected', unpackedBytes: tar.length })
  const received = fake.received.length
  const member = gzipSync(Buffer.alloc(10 * 1024 * 1024))
  const bomb = await scanner.scan(sourceOf(Buffer.concat([member, member])))

  t.match(bomb, { verdict: 'unscannable', signature: 'Filewright.Archive.Bomb' })
  t.ok(
    bomb.unpackedBytes > 16 * 1024 * 1024 && bomb.unpackedBytes < 18 * 1024 * 1024,
    `${bomb.unpackedBytes}`
  )
  t.equal(fake.received.length, received, 'clamd did not get it')
})

t.test('waiting for other scans counts neither as scan time nor against the deadline', async (t) => {
  const { scanner } = await setUp(t, { totalMs: 1000 })
  const leave = await smallRoom.semaphore.acquire()
  const archive = rawZip([{ data: rawZip([{ data: Buffer.alloc(2_000_000), method: 0 }]) }])
  const scanning = scanner.scan(sourceOf(archive))
  const since = performance.now()

  await until(() => performance.now() - since > 1200)
  leave()
  const verdict = await scanning

  t.equal(verdict.verdict, 'clean')
  t.ok(verdict.waitedMs > 100, `${verdict.waitedMs}`)
})

t.test('reports an empty file as clean if clamd does', async (t) => {
  const { scanner } = await setUp(t)

  t.match(await scanner.scan(sourceOf(Buffer.alloc(0))), { verdict: 'clean' })
})

t.test('reports the signature of an infected file', async (t) => {
  const { scanner } = await setUp(t)

  t.match(await scanner.scan(sourceOf(infectedText())), { verdict: 'infected', signature: 'Test.EICAR' })
})

t.test(
  'distinguishes a virus from encryption and limits, which mean that clamd could not scan',
  async (t) => {
    const { fake, scanner } = await setUp(t)

    for (const signature of [
      'Heuristics.Encrypted.PDF',
      'Heuristics.Limits.Exceeded.MaxScanSize',
      'Heuristics.Zip.OverlappingFiles'
    ]) {
      fake.behaviour = {
        onBody: (socket) => {
          socket.end(`stream: ${signature} FOUND\0`)
        }
      }
      t.match(await scanner.scan(sourceOf(cleanText())), { verdict: 'unscannable', signature })
    }
  }
)

t.test(
  'gives no verdict on a file that exceeds the scan time of clamd, because the time depends on the load',
  async (t) => {
    const { fake, scanner } = await setUp(t)
    fake.behaviour = {
      onBody: (socket) => {
        socket.end('stream: Heuristics.Limits.Exceeded.MaxScanTime FOUND\0')
      }
    }

    await t.rejects(scanner.scan(sourceOf(cleanText())), { code: 'SCAN_UNAVAILABLE', retryable: false })
  }
)

t.test('does not send clamd an archive that the guard refuses', async (t) => {
  const { fake, scanner } = await setUp(t)

  const verdict = await scanner.scan(sourceOf(Buffer.from('377abcaf271c0004', 'hex')))

  t.match(verdict, {
    verdict: 'unscannable',
    signature: 'Filewright.Archive.ArchiveDamaged',
    reason: 'the archive is damaged or cut off',
    engine: 'ClamAV 1.4.6/27500'
  })
  t.strictSame(fake.received, [])
})

t.test(
  'scans the files inside an archive before the archive, and returns their verdict for the whole file',
  async (t) => {
    const { fake, scanner } = await setUp(t)
    const data = infectedText()
    const sparse = rawTar([{ data: paxRecord('GNU.sparse.map', `0,${data.length}`), type: 'x' }, { data }])

    t.match(await scanner.scan(sourceOf(sparse)), { verdict: 'infected', signature: 'Test.EICAR' })

    t.ok(fake.received.length === 1 && fake.received[0]?.includes(data), 'the file inside')
  }
)

t.test('an archive is clean only if clamd finds both its files and the archive clean', async (t) => {
  const { fake, scanner } = await setUp(t)
  const data = cleanText()
  const sparse = rawTar([{ data: paxRecord('GNU.sparse.map', `0,${data.length}`), type: 'x' }, { data }])

  t.match(await scanner.scan(sourceOf(sparse)), { verdict: 'clean' })
  t.equal(fake.received.length, 2)
  t.ok(fake.received[1]?.equals(sparse))

  fake.behaviour = {
    onBody: (socket, body) => {
      socket.end(`stream: ${body.equals(sparse) ? 'Late FOUND' : 'OK'}\0`)
    }
  }
  t.match(await scanner.scan(sourceOf(sparse)), { verdict: 'infected', signature: 'Late' })
})

t.test('gives no verdict when clamd fails on a file inside an archive', async (t) => {
  const { fake, scanner } = await setUp(t)
  const data = cleanText()
  const sparse = rawTar([{ data: paxRecord('GNU.sparse.map', `0,${data.length}`), type: 'x' }, { data }])
  fake.behaviour = {
    onBody: (socket) => {
      socket.destroy()
    }
  }

  await t.rejects(scanner.scan(sourceOf(sparse)), { code: 'SCAN_UNAVAILABLE', retryable: true })

  t.equal(fake.received.length, 1)
})

t.test(
  'throws BLOB_CORRUPT and does not complete the exchange with clamd when the bytes differ from the announced ones',
  async (t) => {
    const { fake, scanner } = await setUp(t)
    const bytes = cleanText()

    await t.rejects(scanner.scan(sourceOf(bytes, { sha256: '0'.repeat(64) })), {
      code: 'BLOB_CORRUPT',
      retryable: false
    })
    await t.rejects(scanner.scan(sourceOf(bytes, { sizeBytes: bytes.length + 1 })), { code: 'BLOB_CORRUPT' })
    await t.rejects(scanner.scan(sourceOf(bytes, { sizeBytes: bytes.length - 1 })), { code: 'BLOB_CORRUPT' })

    t.strictSame(fake.received, [])
    await until(() => fake.openSockets() === 0)
  }
)

t.test(
  'rejects with the error of a source that fails, and does not complete the exchange with clamd',
  async (t) => {
    const { fake, scanner } = await setUp(t)
    const broken = new AppError('STORAGE_UNAVAILABLE', 'the disk is gone')
    async function* breaking(): AsyncGenerator<Buffer> {
      yield Buffer.from('some bytes')
      throw broken
    }

    const failing = sourceOf(cleanText(), {
      sizeBytes: STREAMED_BYTES,
      open: async (range) =>
        range === undefined ? Readable.from(breaking()) : Readable.from([Buffer.from('text')])
    })
    await t.rejects(scanner.scan(failing), broken)
    await t.rejects(
      scanner.scan(sourceOf(cleanText(), { open: async () => Readable.from(breaking()) })),
      broken
    )
    await t.rejects(
      scanner.scan(
        sourceOf(cleanText(), {
          open: async () => {
            throw broken
          }
        })
      ),
      broken
    )

    t.strictSame(fake.received, [])
    await until(() => fake.openSockets() === 0)
  }
)

t.test('does not treat a source that closes early as complete', async (t) => {
  const { fake, scanner } = await setUp(t)
  const open = async (range?: unknown): Promise<Readable> => {
    if (range !== undefined) return Readable.from([Buffer.from('text')])
    const stream = new Readable({ read() {} })
    stream.push('some bytes')
    setImmediate(() => stream.destroy())
    return stream
  }

  await t.rejects(scanner.scan(sourceOf(cleanText(), { open, sizeBytes: STREAMED_BYTES })))
  const closing = async (): Promise<Readable> => await open()
  await t.rejects(scanner.scan(sourceOf(cleanText(), { open: closing })))

  t.strictSame(fake.received, [])
})

t.test('ends with CANCELLED at once, leaving nothing open, when aborted at any point', async (t) => {
  const { fake, scanner } = await setUp(t)
  await scanner.selfTest()
  let opened: Readable | undefined
  const endless = sourceOf(cleanText(), {
    sizeBytes: STREAMED_BYTES,
    open: async (range) => {
      if (range !== undefined) return Readable.from([Buffer.from('text')])
      opened = new Readable({ read() {} })
      opened.push('some bytes')
      return opened
    }
  })

  const already = AbortSignal.abort()
  await t.rejects(scanner.scan(sourceOf(cleanText()), { signal: already }), { code: 'CANCELLED' })

  const sending = new AbortController()
  const scan = scanner.scan(endless, { signal: sending.signal })
  fake.behaviour = {
    onStart: () => sending.abort()
  }
  await t.rejects(scan, { code: 'CANCELLED' })
  t.equal(opened?.destroyed, true)

  const thinking = new AbortController()
  fake.behaviour = {
    onBody: () => thinking.abort()
  }
  const before = Date.now()
  await t.rejects(scanner.scan(sourceOf(cleanText()), { signal: thinking.signal }), { code: 'CANCELLED' })
  t.ok(Date.now() - before < 1_000)

  const opening = new AbortController()
  const late = new Readable({ read() {} })
  let deliver = (): void => {}
  const slow = sourceOf(cleanText(), {
    sizeBytes: STREAMED_BYTES,
    open: async (range) => {
      if (range !== undefined) return Readable.from([Buffer.from('text')])
      setImmediate(() => opening.abort())
      return await new Promise<Readable>((resolve) => {
        deliver = () => resolve(late)
      })
    }
  })
  await t.rejects(scanner.scan(slow, { signal: opening.signal }), { code: 'CANCELLED' })
  deliver()
  await until(() => late.destroyed)
  await until(() => fake.openSockets() === 0)
})

t.test('rejects within the time limit when the source does not open or delivers nothing', async (t) => {
  const { scanner } = await setUp(t, { totalMs: 200, idleMs: 100 })
  const never = sourceOf(cleanText(), { open: async () => await new Promise<Readable>(() => {}) })
  const silent = sourceOf(cleanText(), { open: async () => new Readable({ read() {} }) })
  // Like a worker's lock timer: a pending promise alone does not keep the process alive.
  const alive = setInterval(() => {}, 1_000)
  t.teardown(() => clearInterval(alive))

  await t.rejects(scanner.scan(never), { code: 'SCAN_UNAVAILABLE', retryable: true })
  await t.rejects(scanner.scan(silent), { code: 'SCAN_UNAVAILABLE', retryable: true })
})

t.test(
  'refuses scans immediately after a self-test that reported EICAR as clean, until one passes',
  async (t) => {
    const { fake, scanner } = await setUp(t)
    fake.selfTest.eicar = 'stream: OK\0'
    await t.rejects(scanner.selfTest(), { code: 'SCAN_UNAVAILABLE', retryable: true, message: /EICAR/ })

    await t.rejects(scanner.scan(sourceOf(cleanText())), { code: 'SCAN_UNAVAILABLE' })
    t.match(scanner.health(), { ok: false, reason: /EICAR/ })
    t.strictSame(fake.received, [])

    fake.selfTest.eicar = 'stream: Test.EICAR FOUND\0'
    await scanner.selfTest()
    t.match(await scanner.scan(sourceOf(cleanText())), { verdict: 'clean' })
  }
)

t.test('refuses a clamd that reports a clean sample as infected', async (t) => {
  const { fake, scanner } = await setUp(t)
  fake.selfTest.clean = 'stream: Everything.Is.Bad FOUND\0'

  await t.rejects(scanner.selfTest(), { code: 'SCAN_UNAVAILABLE', message: /Everything\.Is\.Bad/ })
})

t.test('refuses a server that does not identify itself as clamd', async (t) => {
  const { fake, scanner } = await setUp(t, { connectMs: 300, idleMs: 300 })

  for (const version of ['', 'HTTP/1.1 400 Bad Request\r\n\r\n', 'x'.repeat(100_000)]) {
    fake.selfTest.version = version
    await t.rejects(scanner.selfTest(), { code: 'SCAN_UNAVAILABLE' })
  }
  await until(() => fake.openSockets() === 0)
})

t.test(
  'ends the self-test within its time limit if clamd accepts the connection but stays silent',
  async (t) => {
    const { fake, scanner } = await setUp(t, { connectMs: 200, idleMs: 200 })
    fake.behaviour = { deaf: true }

    await t.rejects(scanner.selfTest(), { code: 'SCAN_UNAVAILABLE', retryable: true })
  }
)

t.test('starts while clamd is down, reports it, and recovers once it is up', async (t) => {
  const { fake, scanner } = await setUp(t, { selfTestRetryMs: 20 })
  await fake.closeServer()
  t.strictSame(scanner.health(), { ok: false, checkedAt: null, reason: 'no self-test yet' })

  await scanner.start()
  t.match(scanner.health(), { ok: false, reason: /ECONNREFUSED/, checkedAt: Date })

  await fake.listen()
  await until(() => scanner.health().ok)
  t.match(scanner.health(), { ok: true, engine: 'ClamAV 1.4.6/27500' })
})

t.test('detects immediately, not at the next regular test, that clamd went down during a scan', async (t) => {
  const { fake, scanner } = await setUp(t)
  await scanner.start()
  t.equal(scanner.health().ok, true)

  await fake.closeServer()
  await t.rejects(scanner.scan(sourceOf(cleanText())), { code: 'SCAN_UNAVAILABLE' })

  await until(() => !scanner.health().ok)
})

t.test('repeats the self-test at its interval and detects when clamd no longer finds viruses', async (t) => {
  const { fake, scanner } = await setUp(t, { selfTestIntervalMs: 20 })
  await scanner.start()
  const first = scanner.health().checkedAt

  await until(() => scanner.health().checkedAt !== first)
  t.equal(scanner.health().ok, true)

  fake.selfTest.eicar = 'stream: OK\0'
  await until(() => !scanner.health().ok)
})

t.test('a probe detects at once that clamd is down, back, or replaced by another one', async (t) => {
  const { fake, scanner } = await setUp(t, { selfTestRetryMs: 20 })
  t.match(await scanner.probe(), { ok: false, reason: 'no self-test yet' })
  await scanner.start()
  t.match(await scanner.probe(), {
    ok: true,
    engine: 'ClamAV 1.4.6/27500',
    signaturesAt: new Date('2026-11-12T09:00:00Z')
  })

  await fake.closeServer()
  t.match(await scanner.probe(), { ok: false, reason: /ECONNREFUSED/ })
  await until(() => !scanner.health().ok)
  await fake.listen()
  await until(() => scanner.health().ok)
  t.match(await scanner.probe(), { ok: true })

  fake.selfTest.version = 'ClamAV 1.4.7\n'
  t.match(await scanner.probe(), { ok: true, engine: 'ClamAV 1.4.7', signaturesAt: null })
  fake.selfTest.version = 'ClamAV 1.4.8/1/not a date\n'
  fake.selfTest.eicar = 'stream: OK\0'
  t.match(await scanner.probe(), { ok: false, reason: /EICAR/ })
})

t.test('a clamd that is silent while it loads new signatures does not count as down', async (t) => {
  const { fake } = await setUp(t)
  const proxy = await startChaosProxy({ target: { host: fake.host, port: fake.port } })
  const scanner = createClamdScanner({
    host: proxy.host,
    port: proxy.port,
    logger: silentLogger,
    timeouts: { connectMs: 500, probeMs: 60_000 }
  })
  t.teardown(async () => {
    await scanner.close()
    await proxy.close()
  })
  await scanner.start()

  proxy.freeze()
  const probe = scanner.probe()
  // Longer than the connection timeout.
  const startedAt = Date.now()
  await until(() => Date.now() - startedAt > 1_000)
  proxy.thaw()

  t.match(await probe, { ok: true })
})

t.test(
  'refuses to scan without required official signatures, says why, and recovers once they are loaded',
  async (t) => {
    const { fake, scanner } = await setUp(t, {}, { maxAgeHours: 168, allowBaseline: false })
    fake.selfTest.version = 'ClamAV 1.4.6\n'
    await scanner.start()

    t.match(await scanner.probe(), { ok: false, reason: /no official signatures/, signaturesAt: null })
    await t.rejects(scanner.scan(sourceOf(cleanText())), {
      code: 'SCAN_UNAVAILABLE',
      message: /no official signatures/,
      retryable: false
    })
    t.strictSame(fake.received, [], 'clamd was not asked')

    fake.selfTest.version = `ClamAV 1.4.6/27501/${clamdDate(0)}\n`
    t.match(await scanner.probe(), { ok: true, engine: 'ClamAV 1.4.6/27501' })
    t.match(await scanner.scan(sourceOf(cleanText())), { verdict: 'clean' })
  }
)

t.test('warns about aging signatures, and refuses to scan with expired ones', async (t) => {
  const { fake, scanner } = await setUp(t, {}, { maxAgeHours: 168, allowBaseline: false })
  fake.selfTest.version = `ClamAV 1.4.6/27400/${clamdDate(100)}\n`
  await scanner.start()
  t.match(await scanner.probe(), { ok: true, warning: /100 hours old/ })
  t.match(await scanner.scan(sourceOf(cleanText())), { verdict: 'clean' })

  fake.selfTest.version = `ClamAV 1.4.6/27300/${clamdDate(200)}\n`
  t.match(await scanner.probe(), { ok: false, reason: /200 hours old/ })
  await t.rejects(scanner.scan(sourceOf(cleanText())), { code: 'SCAN_UNAVAILABLE' })
})

t.test('scans with only the baseline signatures if the operator allows it', async (t) => {
  const { fake, scanner } = await setUp(t, {}, { maxAgeHours: 168, allowBaseline: true })
  fake.selfTest.version = 'ClamAV 1.4.6\n'
  await scanner.start()

  t.match(await scanner.scan(sourceOf(cleanText())), { verdict: 'clean', engine: 'ClamAV 1.4.6' })
})

t.test('scans nothing and tests nothing after close', async (t) => {
  const { scanner } = await setUp(t)
  await scanner.start()

  await scanner.close()

  await t.rejects(scanner.scan(sourceOf(cleanText())), { code: 'SCAN_UNAVAILABLE' })
  await t.rejects(scanner.selfTest(), { code: 'SCAN_UNAVAILABLE' })
})

t.test('lets one waiting caller leave a self-test without disturbing the others', async (t) => {
  const { fake, scanner } = await setUp(t)
  const leaving = new AbortController()

  const left = scanner.selfTest({ signal: leaving.signal })
  const stayed = scanner.selfTest()
  leaving.abort()

  await t.rejects(left, { code: 'CANCELLED' })
  await stayed
  await t.rejects(scanner.selfTest({ signal: AbortSignal.abort() }), { code: 'CANCELLED' })
  await until(() => fake.openSockets() === 0)
})

t.test('cannot be created without an address', async (t) => {
  t.throws(() => createClamdScanner({ logger: silentLogger }), { code: 'CONFIG_INVALID' })
})
