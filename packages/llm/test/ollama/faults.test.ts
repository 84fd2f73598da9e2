import t from 'tap'
import { freePort, startOllamaServer } from '@filewright/testing'
import { chunk, clientFor, failureOf, impatient, never, patient, rawServer, request, setup } from './setup.js'

t.test('JSON lines that are not protocol objects are a typed failure', async (t) => {
  for (const body of ['7\n', 'null\n', '[]\n', '{"message":{"content":7},"done":false}\n']) {
    const url = await rawServer(t, (response) => {
      response.end(body)
    })
    t.equal((await failureOf(clientFor(url).chat(request, { signal: never }))).reason, 'protocol', body)
  }
})

t.test('a failure that is not JSON is reported in part', async (t) => {
  const url = await rawServer(t, (response) => {
    response.writeHead(502, { 'content-type': 'text/html' }).end(`<h1>Bad gateway</h1>${'x'.repeat(1 << 20)}`)
  })

  const error = await failureOf(clientFor(url).chat(request, { signal: never }))

  t.match(error, { reason: 'failed', message: /answered 502$/ })
  t.ok(error.message.length < 1_000)
})

t.test('a line that arrives byte by byte does not count as progress', async (t) => {
  const url = await rawServer(t, (response) => {
    response.write(chunk('a'))
    const timer = setInterval(() => {
      response.write(' ')
    }, 20)
    response.once('close', () => {
      clearInterval(timer)
    })
  })

  const client = clientFor(url, { timeouts: { ...patient, idleMs: 400 } })
  const error = await failureOf(client.chat(request, { signal: never }))

  t.match(error, { reason: 'timeout', message: /next token/ })
})

t.test('the total deadline holds while tokens keep coming and while the reader hangs', async (t) => {
  const timeouts = { ...patient, totalMs: 300 }
  const { client } = await setup(
    t,
    { script: [{ kind: 'slow', perTokenMs: 100 }], respond: () => 'word '.repeat(100) },
    { timeouts }
  )

  t.match(await failureOf(client.chat(request, { signal: never })), {
    reason: 'timeout',
    message: /300 ms/
  })
  t.match(
    await failureOf(
      client.chat(request, {
        signal: never,
        onText: async () => {
          await new Promise(() => {})
        }
      })
    ),
    { reason: 'timeout', message: /300 ms/ }
  )
})

t.test('a runtime that is down is reported soon, as not retryable', async (t) => {
  const down = `http://127.0.0.1:${await freePort()}`
  // Reserved for documentation: packets to it are dropped or refused, depending on the network.
  for (const host of [down, 'http://192.0.2.1:11434', 'http://filewright.invalid']) {
    const startedAt = Date.now()

    const error = await failureOf(clientFor(host, { timeouts: impatient }).chat(request, { signal: never }))

    t.match(error, { reason: 'down', code: 'MODEL_UNAVAILABLE', retryable: false }, host)
    t.ok(Date.now() - startedAt < 15_000, `took ${Date.now() - startedAt} ms`)
    t.equal(error.usage, undefined)
  }
})

t.test('a runtime that comes back works again with the same client', async (t) => {
  const port = await freePort()
  const client = clientFor(`http://127.0.0.1:${port}`)
  t.equal((await failureOf(client.chat(request, { signal: never }))).reason, 'down')

  const peer = await startOllamaServer({ port, models: ['small:1b'], respond: () => 'back' })
  t.teardown(async () => {
    await peer.close()
  })

  t.equal((await client.chat(request, { signal: never })).text, 'back')
})
