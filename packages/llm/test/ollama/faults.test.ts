import t from 'tap'
import {
  freePort,
  numbersFrom,
  randomFault,
  startOllamaServer,
  testSeed,
  type Fault
} from '@filewright/testing'
import { isModelError, type ModelFailure } from '../../src/index.js'
import { chunk, clientFor, failureOf, never, rawServer, request, setup } from './setup.js'

const rows: Array<[name: string, fault: Fault, reason: ModelFailure, code: string]> = [
  ['a runtime that never answers', { kind: 'frozen' }, 'timeout', 'DEADLINE_EXCEEDED'],
  [
    'a runtime that freezes in mid-answer',
    { kind: 'frozen', afterTokens: 3 },
    'timeout',
    'DEADLINE_EXCEEDED'
  ],
  ['a first token that comes late', { kind: 'slow', firstTokenMs: 60_000 }, 'timeout', 'DEADLINE_EXCEEDED'],
  ['tokens that come too far apart', { kind: 'slow', perTokenMs: 60_000 }, 'timeout', 'DEADLINE_EXCEEDED'],
  ['an endless answer', { kind: 'endless' }, 'too-large', 'MODEL_OUTPUT_INVALID'],
  ['an endless answer of empty tokens', { kind: 'endless', token: '' }, 'too-large', 'MODEL_OUTPUT_INVALID'],
  ['100 MB in lines', { kind: 'huge' }, 'too-large', 'MODEL_OUTPUT_INVALID'],
  ['100 MB in one line', { kind: 'huge', shape: 'line' }, 'too-large', 'MODEL_OUTPUT_INVALID'],
  ['a line that is no JSON', { kind: 'invalid-json', afterTokens: 2 }, 'protocol', 'MODEL_OUTPUT_INVALID'],
  ['a first line that is no JSON', { kind: 'invalid-json' }, 'protocol', 'MODEL_OUTPUT_INVALID'],
  ['a web page', { kind: 'html' }, 'protocol', 'MODEL_OUTPUT_INVALID'],
  ['an empty body', { kind: 'empty' }, 'cut-off', 'MODEL_UNAVAILABLE'],
  [
    'a connection closed in mid-answer',
    { kind: 'cut', how: 'fin', afterTokens: 2 },
    'cut-off',
    'MODEL_UNAVAILABLE'
  ],
  [
    'a connection reset in mid-answer',
    { kind: 'cut', how: 'rst', afterTokens: 2 },
    'cut-off',
    'MODEL_UNAVAILABLE'
  ],
  [
    'a connection closed before the answer',
    { kind: 'cut', how: 'fin', afterTokens: 0 },
    'cut-off',
    'MODEL_UNAVAILABLE'
  ],
  [
    'a connection reset before the answer',
    { kind: 'cut', how: 'rst', afterTokens: 0 },
    'cut-off',
    'MODEL_UNAVAILABLE'
  ],
  ['an error in mid-answer', { kind: 'error-line', afterTokens: 2 }, 'failed', 'MODEL_UNAVAILABLE'],
  ['an error in the first line', { kind: 'error-line', afterTokens: 0 }, 'failed', 'MODEL_UNAVAILABLE'],
  ['status 500', { kind: 'status', status: 500 }, 'failed', 'MODEL_UNAVAILABLE'],
  ['status 502', { kind: 'status', status: 502 }, 'failed', 'MODEL_UNAVAILABLE'],
  ['status 503', { kind: 'status', status: 503 }, 'overloaded', 'MODEL_UNAVAILABLE'],
  ['status 429', { kind: 'status', status: 429 }, 'overloaded', 'MODEL_UNAVAILABLE'],
  ['status 400', { kind: 'status', status: 400 }, 'refused', 'MODEL_UNAVAILABLE'],
  ['status 404 of something else', { kind: 'status', status: 404 }, 'protocol', 'MODEL_OUTPUT_INVALID'],
  ['status 302', { kind: 'status', status: 302 }, 'refused', 'MODEL_UNAVAILABLE'],
  ['a model that is not there', { kind: 'wrong-model' }, 'missing', 'MODEL_UNAVAILABLE']
]

for (const [name, fault, reason, code] of rows) {
  t.test(
    `${name} is a typed failure within the deadlines, says nothing on the console and leaves no connection`,
    async (t) => {
      const said = (['log', 'warn', 'error'] as const).map((level) => t.capture(console, level))
      const { client } = await setup(t, { script: [fault] })
      const startedAt = Date.now()

      const error = await failureOf(client.chat({ ...request, maxOutputTokens: 100 }, { signal: never }))

      t.match(error, { reason, code }, error.message)
      t.ok(Date.now() - startedAt < 15_000, `took ${Date.now() - startedAt} ms`)
      t.strictSame(
        said.flatMap((calls) => calls().map(({ args }) => args)),
        []
      )
      t.equal(
        (await client.chat(request, { signal: never })).text,
        'One two three four five.',
        'and the next call works'
      )
    }
  )
}

t.test('text that breaks the asked schema is passed on for others to judge', async (t) => {
  const { client } = await setup(t, { script: [{ kind: 'schema-breaking', text: 'not { json' }] })
  t.equal(
    (await client.chat({ ...request, format: { type: 'object' } }, { signal: never })).text,
    'not { json'
  )
})

t.test('lines that are JSON but no objects of the protocol are a typed failure', async (t) => {
  for (const body of ['7\n', 'null\n', '[]\n', '{"message":{"content":7},"done":false}\n']) {
    const url = await rawServer(t, (response) => {
      response.end(body)
    })
    t.equal((await failureOf(clientFor(url).chat(request, { signal: never }))).reason, 'protocol', body)
  }
})

t.test('a failure told in something other than JSON is told on in part', async (t) => {
  const url = await rawServer(t, (response) => {
    response.writeHead(502, { 'content-type': 'text/html' }).end(`<h1>Bad gateway</h1>${'x'.repeat(1 << 20)}`)
  })

  const error = await failureOf(clientFor(url).chat(request, { signal: never }))

  t.match(error, { reason: 'failed', message: /answered 502$/ })
  t.ok(error.message.length < 1_000)
})

t.test('a line that trickles in byte by byte does not count as progress', async (t) => {
  const url = await rawServer(t, (response) => {
    response.write(chunk('a'))
    const timer = setInterval(() => {
      response.write(' ')
    }, 20)
    response.once('close', () => {
      clearInterval(timer)
    })
  })

  const error = await failureOf(clientFor(url).chat(request, { signal: never }))

  t.match(error, { reason: 'timeout', message: /next token/ })
})

t.test(
  "the deadline of the whole holds while tokens keep coming and while the text's reader hangs",
  async (t) => {
    const timeouts = { connectMs: 500, firstTokenMs: 2_000, idleMs: 2_000, totalMs: 300 }
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
  }
)

t.test('a runtime that is down is reported soon, not to be retried', async (t) => {
  const down = `http://127.0.0.1:${await freePort()}`
  // Reserved for documentation: packets to it are dropped or refused, depending on the network.
  for (const host of [down, 'http://192.0.2.1:11434', 'http://filewright.invalid']) {
    const startedAt = Date.now()

    const error = await failureOf(clientFor(host).chat(request, { signal: never }))

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

t.test('200 random faults end in an answer or a typed failure within the deadlines', async (t) => {
  const seed = testSeed(t)
  const random = numbersFrom(seed)
  const faults = Array.from({ length: 200 }, () => randomFault(random))
  const hits = new Map<string, number>()
  const script = (_request: unknown, index: number): Fault | undefined => {
    const fault = faults[index]
    if (fault !== undefined) hits.set(fault.kind, (hits.get(fault.kind) ?? 0) + 1)
    return fault
  }
  const timeouts = { connectMs: 1_000, firstTokenMs: 500, idleMs: 300, totalMs: 2_000 }
  const { client } = await setup(t, { script }, { timeouts, maxOutputBytes: 64 * 1024 })
  const outcomes = new Map<string, number>()
  let slowestMs = 0

  async function run(count: number): Promise<void> {
    for (let index = 0; index < count; index++) {
      const startedAt = Date.now()
      const outcome = await client
        .chat({ ...request, maxOutputTokens: 20 }, { signal: new AbortController().signal })
        .then(
          ({ text, tokensUsed, finish }) =>
            typeof text === 'string' && tokensUsed > 0 ? finish : 'malformed',
          (error: unknown) => (isModelError(error) ? error.reason : `untyped: ${String(error)}`)
        )
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      slowestMs = Math.max(slowestMs, Date.now() - startedAt)
    }
  }
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      await run(20)
    })
  )

  t.comment(
    `seed ${seed}, hits ${JSON.stringify(Object.fromEntries(hits))}, outcomes ${JSON.stringify(Object.fromEntries(outcomes))}, slowest ${slowestMs} ms`
  )
  t.equal(
    [...hits.values()].reduce((sum, count) => sum + count, 0),
    200
  )
  // Of 15 kinds. A seed may leave one out.
  t.ok(hits.size >= 13, `nearly every kind of fault hit: ${hits.size}`)
  t.strictSame(
    [...outcomes.keys()].filter((outcome) => outcome === 'malformed' || outcome.startsWith('untyped')),
    []
  )
  t.ok(slowestMs < 5_000, `the slowest took ${slowestMs} ms`)
})
