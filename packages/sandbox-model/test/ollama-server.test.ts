import t, { type Test } from 'tap'
import { startOllamaServer, type OllamaServer, type OllamaServerOptions } from '../src/index.js'

async function start(t: Test, options: OllamaServerOptions = {}): Promise<OllamaServer> {
  const server = await startOllamaServer({
    models: ['small', 'big:7b'],
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

t.test('chat streams one token per line and ends with counts and a reason', async (t) => {
  const server = await start(t)

  const response = await post(server, '/api/chat', { model: 'small', messages })

  const all = await lines(response)
  t.equal(response.headers.get('content-type'), 'application/x-ndjson')
  t.equal(all.map(({ message }) => message?.content).join(''), 'One, two and three.')
  t.match(all.at(-1), {
    done: true,
    done_reason: 'stop',
    eval_count: all.length - 1,
    prompt_eval_count: Number
  })
  t.ok(all.slice(0, -1).every(({ done }) => done === false))
})

t.test('chat without streaming is one object', async (t) => {
  const server = await start(t)
  const body = await (await post(server, '/api/chat', { model: 'small', messages, stream: false })).json()
  t.match(body, {
    message: { role: 'assistant', content: 'One, two and three.' },
    done: true,
    done_reason: 'stop'
  })
})

t.test('generate uses its own field, streaming or not, and passes the prompt as a message', async (t) => {
  const seen: unknown[] = []
  const server = await start(t, {
    respond: ({ messages }) => {
      seen.push(messages)
      return 'Yes, indeed.'
    }
  })

  const streamed = await lines(
    await post(server, '/api/generate', { model: 'small', system: 'Be brief.', prompt: 'Well?' })
  )
  const whole = await (
    await post(server, '/api/generate', { model: 'small', prompt: 'Well?', stream: false })
  ).json()

  t.equal(streamed.map(({ response }) => response).join(''), 'Yes, indeed.')
  t.match(whole, { response: 'Yes, indeed.', done: true })
  t.strictSame(seen[0], [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Well?' }
  ])
})

t.test('num_predict truncates the response and the reason says so', async (t) => {
  const server = await start(t)
  const body = await (
    await post(server, '/api/chat', { model: 'small', messages, stream: false, options: { num_predict: 2 } })
  ).json()
  t.match(body, { message: { content: 'One,' }, done_reason: 'length', eval_count: 2 })
})

t.test('a prompt longer than the context is counted up to it', async (t) => {
  const server = await start(t)
  const long = [{ role: 'user', content: 'word '.repeat(500) }]
  t.match(
    await (
      await post(server, '/api/chat', {
        model: 'small',
        messages: long,
        stream: false,
        options: { num_ctx: 100 }
      })
    ).json(),
    { prompt_eval_count: 100 }
  )
})

t.test('a call without messages loads the model', async (t) => {
  const server = await start(t)
  t.match(await (await post(server, '/api/chat', { model: 'big:7b', messages: [], stream: false })).json(), {
    done: true,
    done_reason: 'load'
  })
  t.match(await (await fetch(`${server.url}/api/ps`)).json(), { models: [{ name: 'big:7b' }] })
})

t.test('version, tags, show and the root answer as Ollama does', async (t) => {
  const server = await start(t)
  t.equal(await (await fetch(server.url)).text(), 'Ollama is running')
  t.match(await (await fetch(`${server.url}/api/version`)).json(), { version: /^\d+\.\d+\.\d+$/ })
  t.match(await (await fetch(`${server.url}/api/tags`)).json(), {
    models: [{ name: 'small:latest', digest: /^[0-9a-f]{64}$/ }, { name: 'big:7b' }]
  })
  t.match(await (await post(server, '/api/show', { model: 'small' })).json(), {
    capabilities: ['completion']
  })
  t.equal((await post(server, '/api/show', { name: 'none' })).status, 404)
})

t.test('a pull streams its steps and adds the model', async (t) => {
  const server = await start(t)

  const steps = await lines(await post(server, '/api/pull', { name: 'new:1b' }))

  t.equal(steps.at(0)?.['status'], 'pulling manifest')
  t.equal(steps.at(-1)?.['status'], 'success')
  t.equal((await post(server, '/api/show', { model: 'new:1b' })).status, 200)
  t.strictSame(await (await post(server, '/api/pull', { model: 'other', stream: false })).json(), {
    status: 'success'
  })
})

t.test('bad requests get the status and the error field of Ollama', async (t) => {
  const server = await start(t)
  t.match(await (await post(server, '/api/chat', { model: 'none', messages })).json(), {
    error: "model 'none' not found"
  })
  t.equal((await post(server, '/api/chat', { model: 'none', messages })).status, 404)
  for (const [path, body] of [
    ['/api/chat', '{'],
    ['/api/chat', {}],
    ['/api/chat', ''],
    ['/api/pull', {}],
    ['/api/generate', { model: 7 }]
  ] as const) {
    const response = await post(server, path, body)
    t.equal(response.status, 400)
    t.type(((await response.json()) as { error: unknown }).error, 'string')
  }
  t.equal((await fetch(`${server.url}/api/none`)).status, 404)
  t.equal((await post(server, '/api/chat', `"${'x'.repeat(17 << 20)}"`)).status, 400)
})

t.test('a responder that throws causes a 500, not a crash', async (t) => {
  const server = await start(t, {
    respond: () => {
      throw new Error('secret')
    }
  })
  const response = await post(server, '/api/chat', { model: 'small', messages })
  t.equal(response.status, 500)
  t.strictSame(await response.json(), { error: 'internal error' })
  t.equal((await fetch(`${server.url}/api/version`)).status, 200)
})

t.test('tokens arrive at the set pace', async (t) => {
  const server = await start(t, { pace: { firstTokenMs: 40, perTokenMs: 20 }, respond: () => 'a b c' })
  const startedAt = Date.now()
  await lines(await post(server, '/api/chat', { model: 'small', messages }))
  t.ok(Date.now() - startedAt >= 90)
})

t.test('requests are logged with their bodies, up to the limit', async (t) => {
  const server = await start(t, { logLimit: 2 })
  for (const content of ['a', 'b', 'c']) {
    await (await post(server, '/api/chat', { model: 'small', messages: [{ role: 'user', content }] })).text()
  }
  t.match(server.requests, [
    { body: { messages: [{ content: 'b' }] } },
    { method: 'POST', path: '/api/chat', body: { messages: [{ content: 'c' }] } }
  ])
})
