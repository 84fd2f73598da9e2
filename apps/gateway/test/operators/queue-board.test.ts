import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { closedHeaders, createLogger } from '@filewright/runtime'
import { startRedisServer } from '@filewright/testing'
import { createQueueBoard, type QueueBoardOptions } from '../../src/operators/queue-board.js'

const redis = await startRedisServer()
t.teardown(async () => { await redis.stop() })
const logger = createLogger({ name: 'test', level: 'silent', pretty: false })
const password = 'correct horse'

async function startBoard (t: Test, options: Partial<QueueBoardOptions> = {}) {
  const board = createQueueBoard({ redisUrl: redis.url, prefix: 'board', password, write: false, logger, ...options })
  const server = createServer((request, response) => {
    if (!board.handle((request.url ?? '').split('?')[0] ?? '', request, response)) response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(async () => {
    server.closeAllConnections()
    server.close()
    await board.close()
  })
  return async (path: string, { user = 'admin', secret = password, ...init }: RequestInit & { user?: string, secret?: string } = {}) => {
    const authorization = `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, { ...init, headers: { authorization, ...init.headers } })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
}

t.test('the right user and password get in, nobody else does', async (t) => {
  const get = await startBoard(t)

  const page = await get('/queues')
  t.equal(page.status, 200)
  t.match(page.text, '<title>Filewright</title>')
  t.match(page.headers.get('content-security-policy'), /default-src 'self'/)
  t.match(Object.fromEntries(page.headers), { ...closedHeaders, 'content-security-policy': String, 'cache-control': String })
  t.match(Object.fromEntries((await get('/queues/api/queues')).headers), { 'cache-control': 'no-store' })
  t.match(Object.fromEntries((await get('/queues', { secret: 'wrong' })).headers), closedHeaders)
  t.equal((await get('/queues/')).status, 200)
  t.equal((await get('/queues/api/queues')).status, 200)
  for (const wrong of [{ secret: 'wrong' }, { secret: '' }, { user: 'root' }, { user: '', secret: '' }]) t.equal((await get('/queues', wrong)).status, 401)
  t.equal((await get('/queuesx')).status, 404, 'a longer path is not its own')
})

t.test('without a password configured nobody gets in, not even with an empty or made-up one', async (t) => {
  const get = await startBoard(t, { password: undefined })

  for (const secret of ['', 'undefined', password]) t.match(await get('/queues', { secret }), { status: 401, text: /ADMIN_PASSWORD/ })
})

t.test('read-only unless it was told otherwise; then still no jobs by hand, and nothing on behalf of another site', async (t) => {
  const reader = await startBoard(t)
  t.equal((await reader('/queues/api/queues/scan/pause', { method: 'PUT' })).status, 405)

  const writer = await startBoard(t, { write: true })
  t.equal((await writer('/queues/api/queues/scan/pause', { method: 'PUT', headers: { 'sec-fetch-site': 'cross-site' } })).status, 403)
  t.equal((await writer('/queues/api/queues/scan/add', { method: 'POST' })).status, 403)
  t.match(await writer('/queues/api/queues/scan/pause', { method: 'PUT', headers: { 'sec-fetch-site': 'same-origin' } }), { status: 200 })
  t.match((await writer('/queues/api/queues')).text, /"isPaused":true/)
  t.match(await writer('/queues/api/queues/scan/resume', { method: 'PUT' }), { status: 200 })
})

t.test('a Redis that is away costs an error, not a hang', async (t) => {
  const get = await startBoard(t, { redisUrl: 'redis://127.0.0.1:1' })

  t.ok((await get('/queues/api/queues', { signal: AbortSignal.timeout(30_000) })).status >= 500)
})
