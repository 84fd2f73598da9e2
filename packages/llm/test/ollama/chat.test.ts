import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { isAppError } from '@filewright/runtime'
import { poll } from '@filewright/testing'
import { estimatePromptTokens } from '../../src/index.js'
import { chunk, clientFor, failureOf, never, rawServer, request, setup } from './setup.js'

t.test('the answer comes whole, with the model that gave it and its own token counts', async (t) => {
  const { client } = await setup(t)
  const deltas: string[] = []

  const result = await client.chat(request, {
    signal: never,
    onText: (delta) => {
      deltas.push(delta)
    }
  })

  t.equal(result.text, 'One two three four five.')
  t.equal(deltas.join(''), result.text)
  t.ok(deltas.length > 4, 'in pieces')
  t.match(result, { model: 'small:1b', finish: 'stop' })
  t.equal(result.outputTokens, deltas.length)
  t.ok(result.promptTokens > 0)
  t.equal(result.tokensUsed, result.promptTokens + result.outputTokens)
})

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

t.test("the context is the catalogue's when the cap is above it", async (t) => {
  const { client, peer } = await setup(t, {}, { contextCap: 1_000_000 })

  await client.chat({ ...request, model: 'gamma' }, { signal: never })

  t.match(peer.requests[0]?.body, { options: { num_ctx: 32_768 } })
})

t.test('an answer cut at its limit says so', async (t) => {
  const { client } = await setup(t)

  const result = await client.chat({ ...request, maxOutputTokens: 2 }, { signal: never })

  t.match(result, { text: 'One two', finish: 'length', outputTokens: 2 })
})

t.test('a full output counts as cut when the runtime gives no reason', async (t) => {
  const url = await rawServer(t, (response) => {
    response.end(chunk('a') + chunk('b') + chunk('', { done: true, eval_count: 2 }))
  })

  t.equal((await clientFor(url).chat({ ...request, maxOutputTokens: 2 }, { signal: never })).finish, 'length')
  t.equal((await clientFor(url).chat({ ...request, maxOutputTokens: 3 }, { signal: never })).finish, 'stop')
})

t.test('counts that the runtime leaves out are estimated', async (t) => {
  const { client } = await setup(t, { script: [{ kind: 'no-counts' }] })
  let pieces = 0

  const result = await client.chat(request, {
    signal: never,
    onText: () => {
      pieces++
    }
  })

  t.equal(result.outputTokens, pieces)
  t.equal(result.promptTokens, estimatePromptTokens(request.messages))
})

t.test('a request that cannot fit the context is refused before the runtime is asked', async (t) => {
  const { client, peer } = await setup(t, {}, { contextCap: 2_048, defaultOutputTokens: 1_024 })
  const messages = [{ role: 'user' as const, content: 'word '.repeat(2_000) }]

  await t.rejects(client.chat({ ...request, messages }, { signal: never }), { code: 'INVALID_AI_REQUEST' })

  t.strictSame(peer.requests, [])
})

t.test('characters and lines torn by the network arrive whole', async (t) => {
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

t.test('text is taken one piece at a time and the model is read no faster', async (t) => {
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
    maxOutputBytes: 200 << 20,
    timeouts: { connectMs: 500, firstTokenMs: 2_000, idleMs: 2_000, totalMs: 30_000 }
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
  // The writer is stuck once the buffers between are full: nothing moves for a while.
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

t.test('time that the reader of the text takes is not held against the model', async (t) => {
  const { client } = await setup(
    t,
    {},
    { timeouts: { connectMs: 500, firstTokenMs: 150, idleMs: 150, totalMs: 5_000 } }
  )

  const result = await client.chat(request, {
    signal: never,
    onText: async () => {
      await sleep(200)
    }
  })

  t.equal(result.text, 'One two three four five.')
})

t.test('an error of the reader of the text comes out as it is and ends the call', async (t) => {
  const { client, peer } = await setup(t, { script: [{ kind: 'endless' }] })
  const mine = new Error('mine')

  await t.rejects(
    client.chat(request, {
      signal: never,
      onText: async () => {
        throw mine
      }
    }),
    mine
  )

  await poll(() => peer.closedByClient.length === 1)
})

t.test('a missing model is replaced by its fallback', async (t) => {
  const mapping = { model: 'big:70b', fallback: 'small:1b' }
  const { client, peer } = await setup(
    t,
    {},
    { models: { 'alpha-4o-mini': mapping, 'alpha-4o': mapping, 'beta-3': mapping, gamma: mapping } }
  )

  const result = await client.chat(request, { signal: never })

  t.match(result, { model: 'small:1b', text: 'One two three four five.' })
  t.strictSame(
    peer.requests.map(({ body }) => (body as { model: string }).model),
    ['big:70b', 'small:1b']
  )
})

t.test('a model too big for the memory is replaced by its fallback', async (t) => {
  const mapping = { model: 'big:70b', fallback: 'small:1b' }
  const message = 'model requires more system memory (40.1 GiB) than is available (7.5 GiB)'
  const { client } = await setup(
    t,
    { script: [{ kind: 'status', status: 500, message }] },
    { models: { 'alpha-4o-mini': mapping, 'alpha-4o': mapping, 'beta-3': mapping, gamma: mapping } }
  )

  t.match(await client.chat(request, { signal: never }), { model: 'small:1b' })
})

t.test('a fallback that is missing as well, or is the same model, is a missing model', async (t) => {
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

t.test('other failures do not fall back', async (t) => {
  const mapping = { model: 'small:1b', fallback: 'other' }
  const { client, peer } = await setup(
    t,
    { script: [{ kind: 'status', status: 500 }] },
    { models: { 'alpha-4o-mini': mapping, 'alpha-4o': mapping, 'beta-3': mapping, gamma: mapping } }
  )

  t.equal((await failureOf(client.chat(request, { signal: never }))).reason, 'failed')
  t.equal(peer.requests.length, 1)
})

t.test('an address that is none is refused when the client is made', async (t) => {
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

t.test('calls one after the other share connections, and closing the client ends them', async (t) => {
  const { client, peer } = await setup(t)
  for (let i = 0; i < 10; i++) await client.chat(request, { signal: never })
  // undici uses a connection again from the next turn of the event loop on.
  t.ok(peer.openConnections() <= 2, `${peer.openConnections()} connections for ten calls`)
  await client.close()
  await poll(() => peer.openConnections() === 0, { what: 'the end of the connections' })
})
