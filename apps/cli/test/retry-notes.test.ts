import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { ConnectionError, ServiceError } from '@filewright/client'
import { freePort } from '@filewright/testing'
import { createNotes } from '../src/io.js'
import { createRetryNotes } from '../src/retry-notes.js'
import { filewright, type Shell } from './helpers.js'

t.setTimeout(120_000)

const shellAt = (url: string): Shell => ({
  cwd: '/',
  env: { XDG_CONFIG_HOME: '/nowhere', FILEWRIGHT_URL: url, FILEWRIGHT_TOKEN: 'token-token-token-token' }
})

t.test('an unreachable server is reported at once, and given up after ten seconds', async (t) => {
  const url = `http://127.0.0.1:${await freePort()}`
  const began = performance.now()

  const { code, note } = await filewright(shellAt(url), 'ls')

  t.equal(code, 1)
  const [first, ...rest] = note.trim().split('\n')
  t.equal(first, `Nothing listens at ${url}; trying again for 10 s`)
  t.equal(
    rest.at(-1),
    `Nothing listens at ${url}; check the address, or start the local server with: npm start`
  )
  const tookMs = performance.now() - began
  t.ok(tookMs > 9_000 && tookMs < 30_000, `${tookMs} ms`)
})

t.test('the command waits as long as the server requests, and says so once', async (t) => {
  let requests = 0
  const server = createServer((_request, response) => {
    requests++
    if (requests === 1) {
      response.writeHead(429, { 'retry-after': '1' }).end('{"error":"Too many requests, try again later"}')
    } else response.end('{"projects":[]}')
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo

  const { code, note } = await filewright(shellAt(`http://127.0.0.1:${port}`), 'ls')

  t.equal(code, 0)
  t.match(note, /^Rate limit reached; continuing in [12] s\n/)
})

t.test('many retries for one reason print one note, and another reason prints another', (t) => {
  let notes = ''
  const onRetry = createRetryNotes({
    note: (text) => {
      notes += text
    }
  })
  const lost = new ConnectionError('The connection was lost', { code: 'connection-lost' })
  const down = new ServiceError('Service temporarily unavailable, try again later', {
    code: 'service-error',
    status: 503
  })

  for (const error of [lost, lost, down, down]) onRetry(error, 2_000)

  t.equal(
    notes,
    'The connection was lost; trying again until it is back\nService temporarily unavailable; trying again in 2 s\n'
  )
  t.end()
})

t.test('a note is printed above the status lines, which are redrawn', async (t) => {
  let screen = ''
  const { note, draw } = createNotes((text) => {
    screen += text
  }, true)

  draw(['1 of 3'])
  note('waiting\n')
  draw([])

  t.equal(screen, '1 of 3\n\u001b[1A\u001b[Jwaiting\n1 of 3\n\u001b[1A\u001b[J')
})
