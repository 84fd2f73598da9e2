import { once } from 'node:events'
import t, { type Test } from 'tap'
import { poll, startOllamaServer, type OllamaServer, type OllamaServerOptions } from '../../src/index.js'

async function start(t: Test, options: OllamaServerOptions = {}): Promise<OllamaServer> {
  const server = await startOllamaServer({
    models: ['small'],
    respond: () => 'One, two and three.',
    ...options
  })
  t.teardown(async () => await server.close())
  return server
}

async function post(server: OllamaServer, path: string, body: unknown): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return await fetch(server.url + path, { method: 'POST', body: text, signal: AbortSignal.timeout(10_000) })
}

type Line = Record<string, unknown> & { message?: { content: string }; response?: string }

async function lines(response: Response): Promise<Line[]> {
  return (await response.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
}

const messages = [{ role: 'user', content: 'Count.' }]

t.test('a client that leaves is noticed and logged with its time', async (t) => {
  const server = await start(t, { script: [{ kind: 'endless' }] })
  const leave = new AbortController()
  const response = await fetch(`${server.url}/api/chat`, {
    method: 'POST',
    body: JSON.stringify({ model: 'small', messages }),
    signal: leave.signal
  })
  await response.body?.getReader().read()
  const closed = once(server.events, 'closed-by-client')
  const leftAt = Date.now()

  leave.abort()
  await closed

  t.match(server.closedByClient, [{ path: '/api/chat' }])
  t.ok((server.closedByClient[0]?.at ?? 0) >= leftAt)
})

t.test('connections that the server cut itself do not count as left by the client', async (t) => {
  const server = await start(t, {
    script: [
      { kind: 'cut', how: 'fin' },
      { kind: 'cut', how: 'rst' }
    ]
  })
  for (let round = 0; round < 2; round++) {
    await t.rejects(async () => {
      await (await post(server, '/api/chat', { model: 'small', messages })).text()
    })
  }
  await poll(() => server.openConnections() === 0)
  t.strictSame(server.closedByClient, [])
})

t.test('a script plays its faults in order and answers properly afterwards', async (t) => {
  const server = await start(t, {
    script: [
      { kind: 'status', status: 503, message: 'busy' },
      { kind: 'wrong-model' },
      { kind: 'wrong-model', model: 'other' },
      { kind: 'no-counts' },
      { kind: 'length', afterTokens: 2 },
      { kind: 'error-line' },
      { kind: 'invalid-json' },
      { kind: 'html' },
      { kind: 'empty' }
    ]
  })
  const ask = async (): Promise<Response> => await post(server, '/api/chat', { model: 'small', messages })

  const busy = await ask()
  t.strictSame([busy.status, await busy.json()], [503, { error: 'busy' }])
  t.equal((await ask()).status, 404)
  t.equal((await ask()).status, 200)
  t.notOk('eval_count' in ((await lines(await ask())).at(-1) ?? {}))
  t.match((await lines(await ask())).at(-1), { done_reason: 'length', eval_count: 2 })
  t.match((await lines(await ask())).at(-1), { error: String })
  await t.rejects(lines(await ask()), SyntaxError)
  t.match(await (await ask()).text(), /^<!doctype html>/)
  t.equal(await (await ask()).text(), '')
  t.match((await lines(await ask())).at(-1), { done_reason: 'stop' })
})

t.test('closing the server ends every open answer', async (t) => {
  const server = await startOllamaServer({ models: ['small'], script: [{ kind: 'frozen', afterTokens: 1 }] })
  const response = await post(server, '/api/chat', { model: 'small', messages })

  await server.close()

  await t.rejects(response.text())
  t.equal(server.openConnections(), 0)
})
