import { once } from 'node:events'
import { readdir, writeFile } from 'node:fs/promises'
import { connect, createServer, Socket, type AddressInfo, type Server } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { createClamdScanner, type ClamdTimeouts, type Scanner } from '../../src/index.js'
import { connectClamd } from '../../src/clamd/clamd-address.js'
import { createClamdSession } from '../../src/clamd/session.js'
import { startClamd } from '../helpers/clamd.js'
import { cleanText, infectedText, sourceOf } from '../helpers/samples.js'
import { silentLogger } from '../helpers/silent-logger.js'
import { until } from '../helpers/until.js'

const clamd = await startClamd()
t.teardown(async () => await clamd.stop())

/** A text that no other sample contains. */
const MARK = 'a mark that is unknown at first'

interface Front {
  scanner: Scanner
  connections: () => number
  sessions: () => number
  openSockets: () => number
}

/** Simulates clamd in each scan of a session. Receives the number of the scan. */
type SessionPart = (socket: Socket, number: number) => void

interface SetUp {
  /** Default: clamd itself. */
  play?: SessionPart
  /** The reply to a ping. */
  pong?: string
  /** The number of data chunks after which a session with the real clamd ends. */
  pieces?: number
  timeouts?: Partial<ClamdTimeouts>
}

/** A scanner on the real clamd, behind a proxy that counts connections and can simulate sessions. */
async function setUp(
  t: Test,
  { play, pong = '1: PONG\0', pieces = Infinity, timeouts = {} }: SetUp = {}
): Promise<Front> {
  const open = new Set<Socket>()
  let connections = 0
  let sessions = 0
  const server = createServer((socket) => {
    connections++
    open.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => open.delete(socket))
    socket.once('data', (first: Buffer) => {
      const isSession = first.toString('latin1').startsWith('zIDSESSION')
      if (isSession) sessions++
      if (isSession && play !== undefined) return playSession(socket, first, { play, pong })
      const behind = connect(clamd.socketPath)
      behind.on('error', () => socket.destroy())
      socket.on('close', () => behind.destroy())
      let left = isSession ? pieces : Infinity
      socket.on('data', () => {
        if (--left < 0) socket.destroy()
      })
      behind.write(first)
      socket.pipe(behind).pipe(socket)
    })
  })
  const scanner = createClamdScanner({ ...(await listen(server)), logger: silentLogger, timeouts })
  t.teardown(async () => {
    await scanner.close()
    server.close()
  })
  await scanner.selfTest()
  return {
    scanner,
    connections: () => connections,
    sessions: () => sessions,
    openSockets: () => open.size
  }
}

async function listen(server: Server): Promise<{ host: string; port: number }> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port }
}

/** Replies to the ping that begins a session; the test simulates the rest. */
function playSession(
  socket: Socket,
  first: Buffer,
  { play, pong }: { play: SessionPart; pong: string }
): void {
  let input = first.toString('latin1')
  let number = 1
  const onData = (data: string): void => {
    input += data
    if (input.endsWith('zPING\0')) socket.write(pong)
    // A chunk of length 0 ends the file.
    else if (input.endsWith('\0\0\0\0')) play(socket, ++number)
    else return
    input = ''
  }
  socket.setEncoding('latin1')
  socket.on('data', onData)
  onData('')
}

async function scanMany(scanner: Scanner, count: number): Promise<string[]> {
  const wrong: string[] = []
  const numbers = [...Array(count).keys()]
  await Promise.all(
    [...Array(6).keys()].map(async () => {
      for (let number = numbers.shift(); number !== undefined; number = numbers.shift()) {
        const isInfected = number % 7 === 0
        const { verdict, signature = '' } = await scanner.scan(
          sourceOf(isInfected ? infectedText() : cleanText())
        )
        if (verdict !== (isInfected ? 'infected' : 'clean') || isInfected !== /eicar/i.test(signature)) {
          wrong.push(`${number}: ${verdict} ${signature}`)
        }
      }
    })
  )
  return wrong
}

t.test('many small files go over few connections, and each gets its own verdict', async (t) => {
  const { scanner, connections, sessions, openSockets } = await setUp(t)

  t.strictSame(await scanMany(scanner, 300), [])

  t.ok(sessions() > 0, `${sessions()} sessions`)
  t.ok(connections() < 100, `${connections()} connections for 300 files`)
  await until(() => openSockets() === 0)
  t.strictSame(await readdir(clamd.tempDir), [], 'clamd keeps no file of them')
})

t.test('a session uses signatures that clamd loaded after it was opened', async (t) => {
  const { scanner, sessions, connections } = await setUp(t)
  const marked = sourceOf(Buffer.from(`some text with ${MARK}\n`))
  const scanOften = async (): Promise<string[]> => {
    const verdicts = []
    for (let i = 0; i < 20; i++) verdicts.push((await scanner.scan(marked)).verdict)
    return verdicts
  }
  t.strictSame(new Set(await scanOften()), new Set(['clean']))
  const before = connections()

  await writeFile(
    join(clamd.databaseDir, 'later.ndb'),
    `Test.Later:0:*:${Buffer.from(MARK).toString('hex')}\n`
  )
  const reload = connect(clamd.socketPath)
  reload.end('zRELOAD\0').resume()
  await once(reload, 'close')
  while ((await scanner.scan(marked)).verdict !== 'infected') await sleep(50)

  t.strictSame(new Set(await scanOften()), new Set(['infected']))
  t.strictSame([sessions(), connections() - before], [1, 0], 'over the same session')
})

t.test('occasional single files open no session', async (t) => {
  const { scanner, sessions } = await setUp(t)

  t.match(await scanner.scan(sourceOf(cleanText())), { verdict: 'clean' })

  t.equal(sessions(), 0)
})

t.test('a session that breaks during a scan costs one more connection, but no verdict', async (t) => {
  const { scanner, sessions } = await setUp(t, { pieces: 9 })

  t.strictSame(await scanMany(scanner, 300), [])

  t.ok(sessions() > 10, `${sessions()} sessions`)
})

const lies: Record<string, SessionPart> = {
  'closes without a reply': (socket) => {
    socket.destroy()
  },
  'replies to another command': (socket, number) => {
    socket.write(`${number + 1}: stream: OK\0`)
  },
  'replies to the one before': (socket, number) => {
    socket.write(`${number - 1}: stream: OK\0`)
  },
  'replies without a number': (socket) => {
    socket.write('stream: OK\0')
  },
  'replies twice': (socket, number) => {
    socket.write(`${number}: stream: OK\0${number}: stream: OK\0`)
  },
  'cuts its reply short': (socket, number) => {
    socket.end(`${number}: stream: OK`)
  },
  'replies endlessly': (socket, number) => {
    socket.write(`${number}: ${'O'.repeat(10_000)}`)
  }
}

for (const [name, play] of Object.entries(lies)) {
  t.test(`a session that ${name} is discarded: the file is scanned over a new connection`, async (t) => {
    let played = 0
    const { scanner } = await setUp(t, {
      play: (socket, number) => {
        played++
        play(socket, number)
      }
    })

    t.strictSame(await scanMany(scanner, 30), [])
    t.ok(played > 0)
  })
}

t.test('a clamd without support for sessions gets one connection per file', async (t) => {
  const { scanner, connections, sessions } = await setUp(t, { play: () => {}, pong: 'UNKNOWN COMMAND\0' })

  t.strictSame(await scanMany(scanner, 60), [])
  t.equal(sessions(), 1, 'and not asked for one again and again')
  t.ok(connections() > 60)
})

t.test('a scan on a silent session fails at the timeout, and leaves nothing open', async (t) => {
  const { scanner, openSockets } = await setUp(t, { play: () => {}, timeouts: { totalMs: 300 } })
  const scan = async (): Promise<unknown> => await scanner.scan(sourceOf(cleanText()))
  const failures: unknown[] = []

  while (failures.length === 0) await scan().catch((error: unknown) => failures.push(error))

  t.match(failures, [{ code: 'SCAN_UNAVAILABLE', retryable: true, message: /no verdict within 300 ms/ }])
  await until(() => openSockets() === 0)
})

t.test('an abort ends the session of its scan at once', async (t) => {
  const abort = new AbortController()
  const { scanner, openSockets } = await setUp(t, {
    play: () => abort.abort()
  })
  const scan = async (): Promise<unknown> =>
    await scanner.scan(sourceOf(cleanText()), { signal: abort.signal })

  await t.rejects(
    async () => {
      while (!abort.signal.aborted) await scan()
    },
    { code: 'CANCELLED' }
  )

  await until(() => openSockets() === 0)
})

t.test('a command that was already aborted is not sent, and the session stays usable', async (t) => {
  const session = createClamdSession(connect(clamd.socketPath))
  t.teardown(session.destroy)
  const ping = [Buffer.from('zPING\0')]
  const timeouts = { idleMs: 5_000, totalMs: 5_000 }

  await t.rejects(session.ask(ping, { timeouts, signal: AbortSignal.abort() }), { code: 'CANCELLED' })

  t.equal(await session.ask(ping, { timeouts }), 'PONG')
})

t.test('a session is broken if clamd sends data before a command', async (t) => {
  const server = createServer((socket) => {
    socket.write('1: PONG\0')
  })
  t.teardown(() => {
    server.close()
  })
  const session = createClamdSession(connect(await listen(server)))

  await until(() => session.isBroken())

  const timeouts = { idleMs: 1_000, totalMs: 1_000 }
  t.equal(await session.ask([Buffer.from('zPING\0')], { timeouts }), null)
})

t.test('a TCP connection does not delay small writes', async (t) => {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
  })
  const calls = t.capture(Socket.prototype, 'setNoDelay', Socket.prototype.setNoDelay)

  const address = { host: '127.0.0.1', port: (server.address() as AddressInfo).port }
  const socket = await connectClamd(address, { timeoutMs: 10_000 })

  socket.destroy()
  t.match(calls(), [{ receiver: socket }], 'Nagle is off')
})
