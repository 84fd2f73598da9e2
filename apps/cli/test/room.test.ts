import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { filewright } from './helpers.js'

t.setTimeout(120_000)

const LIMIT = 10
const WINDOW_SECONDS = 2

/** Counts requests as the service does, and stores nothing. */
async function startLimitedServer() {
  let used = 0
  let endsAt = 0
  const usedInWindows: number[] = []
  const server = createServer((request, response) => {
    if (Date.now() >= endsAt) {
      usedInWindows.push(used)
      used = 0
      endsAt = Date.now() + WINDOW_SECONDS * 1_000
    }
    used++
    const reset = Math.max(1, Math.ceil((endsAt - Date.now()) / 1_000))
    const headers = {
      'ratelimit-limit': LIMIT,
      'ratelimit-remaining': Math.max(0, LIMIT - used),
      'ratelimit-reset': reset,
      ...(used > LIMIT ? { 'retry-after': String(reset) } : {})
    }
    request.resume().once('end', () => {
      response.writeHead(used > LIMIT ? 429 : 201, headers).end(
        JSON.stringify({
          file: {
            id: '0123456789abcdefghijkl',
            name: 'a.txt',
            size: 1,
            type: 'text/plain',
            url: 'http://localhost/a',
            created_at: '2026-01-01T00:00:00.000Z'
          }
        })
      )
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    usedInWindows: () => [...usedInWindows.slice(1), used],
    close: () => server.close()
  }
}

t.test('an upload of many files leaves a part of the limit for other requests, and says so', async (t) => {
  const server = await startLimitedServer()
  t.teardown(server.close)
  const cwd = t.testdir({
    many: Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`${i}.txt`, `${i}`]))
  })
  const env = {
    FILEWRIGHT_URL: server.url,
    FILEWRIGHT_TOKEN: 'x'.repeat(20),
    XDG_CONFIG_HOME: join(cwd, 'c')
  }

  const { code, note } = await filewright({ cwd, env }, 'upload', 'many', '--to', 'demo', '-p', '1')

  t.equal(code, 0, note)
  t.match(note, /^Leaving room for your other requests; continuing in [12] s$/m)
  t.notMatch(note, 'Rate limit reached')
  const most = Math.max(...server.usedInWindows())
  t.ok(most <= LIMIT * 0.8, `at most ${most} of ${LIMIT}`)
})
