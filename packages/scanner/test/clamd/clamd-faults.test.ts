import { randomBytes } from 'node:crypto'
import t, { type Test } from 'tap'
import { startClamdPeer, type ClamdBehaviour, type ClamdPeer } from '@filewright/testing'
import { createClamdScanner, type ClamdTimeouts, type Scanner } from '../../src/index.js'
import { until } from '../helpers/until.js'
import { cleanText, sourceOf } from '../helpers/samples.js'
import { silentLogger } from '../helpers/silent-logger.js'

const hasty = { connectMs: 500, idleMs: 300, totalMs: 900 }

async function setUp(
  t: Test,
  timeouts: Partial<ClamdTimeouts> = hasty
): Promise<{ fake: ClamdPeer; scanner: Scanner }> {
  const fake = await startClamdPeer()
  const scanner = createClamdScanner({ host: fake.host, port: fake.port, logger: silentLogger, timeouts })
  t.teardown(async () => {
    await scanner.close()
    await fake.closeServer()
  })
  await scanner.selfTest()
  return { fake, scanner }
}

const answering = (text: string): ClamdBehaviour => ({
  onBody: (socket) => {
    socket.end(text)
  }
})

const faults: Record<string, ClamdBehaviour> = {
  'closes without an answer': {
    onBody: (socket) => {
      socket.end()
    }
  },
  'resets the connection': {
    onBody: (socket) => {
      socket.resetAndDestroy()
    }
  },
  'destroys the connection while bytes arrive': {
    onStart: (socket) => {
      socket.destroy()
    }
  },
  'never answers': { onBody: () => {} },
  'answers OK and keeps the connection open': {
    onBody: (socket) => {
      socket.write('stream: OK\0')
    }
  },
  'cuts its answer short': answering('stream: O'),
  'leaves out the final NUL': answering('stream: OK'),
  'ends with a line break instead of NUL': answering('stream: OK\n'),
  'answers twice': answering('stream: OK\0stream: OK\0'),
  'answers OK and FOUND': answering('stream: OK\0stream: X FOUND\0'),
  'answers an empty text': answering('\0'),
  'answers garbage': answering('\x80\xff\x01 OK\0'),
  'answers for a path instead of the stream': answering('/tmp/x: OK\0'),
  'answers in other letters': answering('stream: ok\0'),
  'adds a space': answering('stream: OK \0'),
  'reports an error': answering("stream: Can't open file or directory ERROR\0"),
  'reports a found virus without a name': answering('stream:  FOUND\0'),
  'reports its read timeout': answering('COMMAND READ TIMED OUT\0'),
  'reports its size limit while bytes arrive': {
    onStart: (socket) => {
      socket.end('INSTREAM size limit exceeded. ERROR\0')
    }
  },
  'answers OK before it has all bytes': {
    onStart: (socket) => {
      socket.write('stream: OK\0')
    }
  },
  'answers without end': {
    onBody: (socket) => {
      socket.write('stream: OK'.repeat(1_000))
    }
  },
  'answers one byte at a time, slowly': {
    onBody: (socket) => {
      const letters = [...'stream: OK\0']
      const timer = setInterval(() => {
        const letter = letters.shift()
        if (letter === undefined) socket.end()
        else socket.write(letter)
      }, 60)
      socket.on('close', () => clearInterval(timer))
    }
  }
}

for (const [name, behaviour] of Object.entries(faults)) {
  t.test(`gives no verdict and leaves no socket when clamd ${name}`, async (t) => {
    const { fake, scanner } = await setUp(t)
    fake.behaviour = behaviour
    // Larger than the socket buffers, if clamd should misbehave before the end.
    const bytes = behaviour.onStart === undefined ? cleanText() : randomBytes(16 * 1024 * 1024)

    await t.rejects(scanner.scan(sourceOf(bytes)), { code: 'SCAN_UNAVAILABLE', retryable: true })

    await until(() => fake.openSockets() === 0)
  })
}

t.test(
  'gives no verdict and leaves no socket when clamd stops reading in the middle of a file',
  async (t) => {
    const { fake, scanner } = await setUp(t)
    fake.behaviour = { deaf: true }

    await t.rejects(scanner.scan(sourceOf(randomBytes(8 * 1024 * 1024))), {
      code: 'SCAN_UNAVAILABLE',
      retryable: true
    })
  }
)

t.test('reports SCAN_UNAVAILABLE when clamd is not running', async (t) => {
  const { fake, scanner } = await setUp(t)
  await fake.closeServer()

  await t.rejects(scanner.scan(sourceOf(cleanText())), { code: 'SCAN_UNAVAILABLE', retryable: true })

  await fake.listen()
  t.match(await scanner.scan(sourceOf(cleanText())), { verdict: 'clean' }, 'and works again once it is back')
})

t.test('gives each of 200 concurrent scans its own result when every second one fails', async (t) => {
  const { fake, scanner } = await setUp(t, {})
  fake.behaviour = {
    onBody: (socket, body) => {
      if (body.includes('even')) socket.end('stream: OK\0')
      else socket.resetAndDestroy()
    }
  }

  const results = await Promise.allSettled(
    [...Array(200).keys()].map(async (i) => {
      return await scanner.scan(sourceOf(Buffer.from(`${i % 2 === 0 ? 'even' : 'odd'} ${i}`)))
    })
  )

  t.strictSame(
    results.map(({ status }) => status),
    [...Array(200).keys()].map((i) => (i % 2 === 0 ? 'fulfilled' : 'rejected'))
  )
  await until(() => fake.openSockets() === 0)
})
