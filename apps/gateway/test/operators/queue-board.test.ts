import t, { type Test } from 'tap'
import { closedHeaders, createLogger } from '@filewright/runtime'
import { startRedisServer } from '@filewright/testing'
import { createLoginGuard } from '../../src/modules/limits/login-guard.js'
import type { QueueBoardOptions } from '../../src/operators/queue-board.js'
import { asAdmin, password, sendRaw, startBoardServer } from './board-server.js'

const redis = await startRedisServer()
t.teardown(async () => await redis.stop())

interface Login {
  user?: string
  secret?: string
}

async function startBoard(t: Test, options: Partial<QueueBoardOptions> = {}) {
  const port = await startBoardServer(t, { redisUrl: redis.url, ...options })
  const base = `http://127.0.0.1:${port}`
  const get = async (
    path: string,
    { user = 'admin', secret = password, ...init }: RequestInit & Login = {}
  ) => {
    const authorization = `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`
    const response = await fetch(`${base}${path}`, { ...init, headers: { authorization, ...init.headers } })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  return Object.assign(get, { port, base })
}

t.test('only the right user and password are accepted', async (t) => {
  const get = await startBoard(t)

  const page = await get('/queues')
  t.equal(page.status, 200)
  t.match(page.text, '<title>Filewright</title>')
  t.match(page.headers.get('content-security-policy'), /default-src 'self'/)
  t.match(Object.fromEntries(page.headers), {
    ...closedHeaders,
    'content-security-policy': String,
    'cache-control': String
  })
  t.match(Object.fromEntries((await get('/queues/api/queues')).headers), { 'cache-control': 'no-store' })
  t.match(Object.fromEntries((await get('/queues', { secret: 'wrong' })).headers), closedHeaders)
  t.equal((await get('/queues/')).status, 200)
  t.equal((await get('/queues/api/queues')).status, 200)
  for (const wrong of [{ secret: 'wrong' }, { secret: '' }, { user: 'root' }, { user: '', secret: '' }]) {
    t.equal((await get('/queues', wrong)).status, 401)
  }
  t.equal((await get('/queuesx')).status, 404, 'a longer path is not its own')
  t.match(await get('/queues/nowhere'), { status: 404, text: '{"error":"Not found"}' })
})

t.test(
  'without a configured password every login is refused, including an empty or random password',
  async (t) => {
    const get = await startBoard(t, { password: undefined })

    for (const secret of ['', 'undefined', password]) {
      t.match(await get('/queues', { secret }), { status: 401, text: /ADMIN_PASSWORD/ })
    }
  }
)

t.test(
  'is read-only by default; with writes enabled, operators can manage jobs but not create them',
  async (t) => {
    const reader = await startBoard(t)
    t.equal((await reader('/queues/api/queues/scan/pause', { method: 'PUT' })).status, 405)

    const writer = await startBoard(t, { write: true })
    const headers = { 'sec-fetch-site': 'same-origin' }
    for (const [method, path] of [
      ['POST', 'scan/add'],
      ['POST', 'scan/add/'],
      ['PATCH', 'scan/1/update-data'],
      ['PATCH', 'scan/1/priority'],
      ['PATCH', 'scan/1/delay'],
      ['PUT', 'scan/obliterate'],
      ['PUT', 'scan/concurrency'],
      ['PUT', 'scan/job-schedulers/1/run']
    ] as const) {
      const refused = await writer(`/queues/api/queues/${path}`, { method, headers })
      t.match(refused, { status: 403, text: /does not offer/ }, path)
    }
    t.match(await writer('/queues/api/queues/scan/1/flow'), { status: 200, text: /"flowRoot":null/ })
    t.equal((await writer('/queues/api/queues/scan/%61dd', { method: 'POST', headers })).status, 400)
    t.match(await writer('/queues/api/queues/scan/pause', { method: 'PUT', headers }), { status: 200 })
    t.match((await writer('/queues/api/queues')).text, /"isPaused":true/)
    t.match(await writer('/queues/api/queues/scan/resume', { method: 'PUT', headers }), { status: 200 })
  }
)

t.test('changes come from the dashboard itself or from a program that identifies itself', async (t) => {
  const { port, base } = await startBoard(t, { write: true })
  const put = async (headers: Record<string, string>): Promise<number> => {
    const all = { Host: `127.0.0.1:${port}`, Authorization: asAdmin, ...headers }
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
    return (await sendRaw(port, ['PUT /queues/api/queues/scan/resume HTTP/1.1', ...lines].join('\r\n')))
      .status
  }

  for (const headers of [
    { Origin: base },
    { 'Sec-Fetch-Site': 'same-origin' },
    { Origin: base, 'Sec-Fetch-Site': 'same-origin' },
    { 'X-Requested-With': 'curl' },
    { Host: 'localhost:3001', Origin: 'https://LOCALHOST:3001' }
  ]) {
    t.equal(await put(headers), 200, JSON.stringify(headers))
  }
  for (const headers of [
    {},
    { Origin: 'null' },
    { Origin: 'http://evil.example' },
    { Origin: `${base}.evil.example` },
    { Origin: `http://evil.example@127.0.0.1:${port}` },
    { Origin: `http://127.0.0.1:${port + 1}` },
    { Origin: 'http://evil.example', 'X-Requested-With': 'XMLHttpRequest' },
    { Origin: base, 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': 'none' },
    { 'Sec-Fetch-Site': 'cross-site', 'X-Requested-With': 'x' },
    { Origin: '' }
  ] as Array<Record<string, string>>) {
    t.equal(await put(headers), 403, JSON.stringify(headers))
  }
})

t.test(
  'wrong passwords are logged and counted; beyond the limit even the right one is refused',
  async (t) => {
    const lines: object[] = []
    const logger = Object.assign(createLogger({ name: 'test', level: 'silent' }), {
      warn: (fields: object, message: string) => {
        lines.push({ ...fields, message })
      }
    })
    const get = await startBoard(t, { guard: createLoginGuard(3), logger })

    for (let i = 0; i < 3; i++) t.equal((await get('/queues', { secret: 'guess-7741' })).status, 401)
    t.equal((await get('/queues')).status, 200, 'an operator who mistyped it can still get in')
    const beyond = await get('/queues', { secret: 'guess-7741' })

    t.equal(beyond.status, 429)
    t.match(beyond.headers.get('retry-after'), /^([1-9]|[1-5]\d|60)$/)
    t.equal((await get('/queues')).status, 429)
    t.equal((await fetch(`${get.base}/queues`)).status, 401, 'to ask for the password is no try')
    const message = 'wrong password for the dashboard'
    const failure = { address: '127.0.0.1', blocked: false, message }
    const expected = [failure, failure, failure, { ...failure, blocked: true }]
    t.strictSame(lines, expected, 'once each, and not while it is blocked')
    t.notMatch(JSON.stringify(lines), /guess-7741|Z3Vlc3M|correct horse/)
  }
)

t.test('an unreachable Redis causes an error, not a hang', async (t) => {
  const get = await startBoard(t, { redisUrl: 'redis://127.0.0.1:1' })

  t.ok((await get('/queues/api/queues', { signal: AbortSignal.timeout(30_000) })).status >= 500)
})

t.test('the page requests nothing from other origins', async (t) => {
  const get = await startBoard(t)

  const { status, text } = await get('/queues/')

  t.equal(status, 200)
  t.match(text, 'static/css/main')
  t.match(text, '</html>')
  t.notMatch(text, /(href|src)="(https?:)?\/\//)
})
