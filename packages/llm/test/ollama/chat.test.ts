import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { isAppError } from '@filewright/runtime'
import { poll } from '@filewright/testing'
import { estimatePromptTokens } from '../../src/index.js'
import { chunk, clientFor, failureOf, never, rawServer, request, setup } from './setup.js'

t.test('every request streams and sets context, output limit, seed and temperature', async (t) => {
  const { client, peer } = await setup(t, {}, { contextCap: 8_192, defaultOutputTokens: 100 })
  const format = { type: 'object' }

  await client.chat(request, { signal: never })
  await client.chat({ ...request, format, maxOutputTokens: 3, temperature: 0.5, seed: 9 }, { signal: never })
  await client.chat({ ...request, model: 'gamma' }, { signal: never })

  t.match(peer.requests[0]?.body, {
    model: 'small:1b',
    stream: true,
    think: false,
    options: { num_ctx: 8_192, num_predict: 100, temperature: 0, seed: 1 }
  })
  t.notOk('format' in (peer.requests[0]?.body as object))
  t.match(peer.requests[1]?.body, {
    format,
    options: { num_ctx: 8_192, num_predict: 3, temperature: 0.5, seed: 9 }
  })
})

t.test("the context is the catalogue's when the limit is higher", async (t) => {
  const { client, peer } = await setup(t, {}, { contextCap: 1_000_000 })

  await client.chat({ ...request, model: 'gamma' }, { signal: never })

  t.match(peer.requests[0]?.body, { options: { num_ctx: 32_768 } })
})

t.test('a full output counts as truncated when the runtime gives no reason', async (t) => {
  const url = await rawServer(t, (response) => {
    response.end(chunk('a') + chunk('b') + chunk('', { done: true, eval_count: 2 }))
  })

  t.equal((await clientFor(url).chat({ ...request, maxOutputTokens: 2 }, { signal: never })).finish, 'length')
  t.equal((await clientFor(url).chat({ ...request, maxOutputTokens: 3 }, { signal: never })).finish, 'stop')
})

t.test('a prefill is sent where the runtime continues it, and is part of the text', async (t) => {
  const begun = { ...request, prefill: '```js\n', stop: ['<<<code 1'] }
  for (const [reply, text] of [
    ['a()\n```', '```js\na()\n```'],
    ['```js\na()\n```', '```js\na()\n```'],
    ['', '```js\n']
  ] as const) {
    const { client, peer } = await setup(t, { respond: () => reply }, { prefill: true })
    const deltas: string[] = []

    const result = await client.chat(begun, {
      signal: never,
      onText: (delta) => {
        deltas.push(delta)
      }
    })

    t.equal(result.text, text)
    t.equal(deltas.join(''), text)
    const body = peer.requests[0]?.body as { messages: unknown[]; options: object }
    t.strictSame(body.messages.at(-1), { role: 'assistant', content: '```js\n' })
    t.match(body.options, { stop: ['<<<code 1'] })
  }
  const { client, peer } = await setup(t, { respond: () => 'a()' })
  t.equal((await client.chat(begun, { signal: never })).text, 'a()', 'not without the setting')
  t.match(peer.requests[0]?.body, { messages: request.messages })
})

t.test('implausible counts are replaced by our own', async (t) => {
  for (const count of ['1e15', '-5', '2147483648', '"7"', '1.5', 'null', '{}']) {
    const url = await rawServer(t, (response) => {
      response.end(
        `${chunk('a')}${chunk('b')}{"done":true,"done_reason":"stop","eval_count":${count},"prompt_eval_count":${count}}\n`
      )
    })

    const result = await clientFor(url).chat(request, { signal: never })

    t.equal(result.outputTokens, 2, count)
    t.equal(result.promptTokens, estimatePromptTokens(request.messages), count)
  }
})

t.test('characters and lines split by the network arrive complete', async (t) => {
  const bytes = Buffer.from(
    `\n${chunk('grüße 👋')}\r\n${chunk('', { done: true, done_reason: 'stop' }).trim()}`
  )
  const url = await rawServer(t, (response) => {
    void (async () => {
      for (const byte of bytes) {
        response.write(Buffer.of(byte))
        await new Promise(setImmediate)
      }
      response.end()
    })()
  })

  t.equal((await clientFor(url).chat(request, { signal: never })).text, 'grüße 👋')
})

t.test('text is consumed one chunk at a time and the model is read no faster', async (t) => {
  let writtenBytes = 0
  const url = await rawServer(t, (response) => {
    const line = chunk('x'.repeat(64 * 1024))
    const write = (): void => {
      while (writtenBytes < 100 << 20) {
        writtenBytes += line.length
        if (!response.write(line)) {
          response.once('drain', write)
          return
        }
      }
      response.end(chunk('', { done: true }))
    }
    write()
  })
  const client = clientFor(url, {
    maxOutputBytes: 200 << 20
  })
  const cancel = new AbortController()
  let calls = 0

  const answer = failureOf(
    client.chat(request, {
      signal: cancel.signal,
      onText: async () => {
        calls++
        await new Promise(() => {})
      }
    })
  )
  let before = -1
  // The writer blocks once the buffers in between are full: nothing moves for a while.
  await poll(async () => {
    before = writtenBytes
    await sleep(150)
    return calls === 1 && writtenBytes === before && writtenBytes > 0
  })
  cancel.abort()

  t.equal((await answer).reason, 'cancelled')
  t.equal(calls, 1)
  t.ok(writtenBytes < 30 << 20, `${writtenBytes} bytes were written`)
})

t.test('a model too large for memory is replaced by its fallback', async (t) => {
  const mapping = { model: 'big:70b', fallback: 'small:1b' }
  const message = 'model requires more system memory (40.1 GiB) than is available (7.5 GiB)'
  const { client } = await setup(
    t,
    { script: [{ kind: 'status', status: 500, message }] },
    { models: { 'alpha-4o-mini': mapping, 'alpha-4o': mapping, 'beta-3': mapping, gamma: mapping } }
  )

  t.match(await client.chat(request, { signal: never }), { model: 'small:1b' })
})

t.test('a fallback that is also missing, or is the same model, is a missing model', async (t) => {
  for (const [mapping, asked] of [
    [{ model: 'a', fallback: 'b' }, 2],
    [{ model: 'a', fallback: 'a:latest' }, 1],
    [{ model: 'a' }, 1]
  ] as const) {
    const { client, peer } = await setup(
      t,
      {},
      { models: { 'alpha-4o-mini': mapping, 'alpha-4o': mapping, 'beta-3': mapping, gamma: mapping } }
    )

    const error = await failureOf(client.chat(request, { signal: never }))

    t.match(error, { reason: 'missing', code: 'MODEL_UNAVAILABLE', retryable: false })
    t.equal(peer.requests.length, asked)
  }
})

t.test('an invalid address is refused when the client is created', async (t) => {
  t.throws(() => clientFor('http://:99999:x/'), { code: 'CONFIG_INVALID' })
  t.ok(
    isAppError(
      await clientFor('127.0.0.1:1')
        .chat(request, { signal: never })
        .catch((error: unknown) => error),
      'MODEL_UNAVAILABLE'
    ),
    'no scheme is fine'
  )
})
