import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import {
  numbersFrom,
  poll,
  randomFault,
  testSeed,
  type Fault,
  type OllamaServer,
  type OllamaServerOptions
} from '@filewright/testing'
import {
  estimatePromptTokens,
  isModelError,
  type ModelClient,
  type ModelFailure,
  type OllamaClientOptions
} from '../src/index.js'
import { failureOf, impatient, never, patient, request } from './ollama/setup.js'

/** A fake server with faults, and a client for it. Closes both, and checks that no connection is left. */
export type Setup = (
  t: Test,
  server?: OllamaServerOptions,
  client?: Partial<Omit<OllamaClientOptions, 'host'>>
) => Promise<{ peer: OllamaServer; client: ModelClient }>

/** The tests that every model client must pass, whatever its runtime's protocol. */
export function testModelContract(t: Test, setup: Setup): void {
  t.setTimeout(180_000)
  t.test('the response is complete, with its model and its own token counts', async (t) => {
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

  t.test('a response truncated at its limit says so', async (t) => {
    const { client } = await setup(t)

    const result = await client.chat({ ...request, maxOutputTokens: 2 }, { signal: never })

    t.match(result, { text: 'One two', finish: 'length', outputTokens: 2 })
  })

  t.test('counts that the runtime omits are estimated', async (t) => {
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

  t.test('a request that cannot fit the context is refused before the runtime is called', async (t) => {
    const { client, peer } = await setup(t, {}, { contextCap: 2_048, defaultOutputTokens: 1_024 })
    const messages = [{ role: 'user' as const, content: 'word '.repeat(2_000) }]

    await t.rejects(client.chat({ ...request, messages }, { signal: never }), { code: 'INVALID_AI_REQUEST' })

    t.strictSame(peer.requests, [])
  })

  t.test("the reader's own time does not count against the model", async (t) => {
    const { client } = await setup(t, {}, { timeouts: { ...patient, idleMs: 1_000 } })
    let deltas = 0

    const result = await client.chat(request, {
      signal: never,
      onText: async () => {
        if (deltas++ === 0) await sleep(1_500)
      }
    })

    t.equal(result.text, 'One two three four five.')
  })

  t.test('an error of the reader is thrown unchanged and ends the call', async (t) => {
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

  t.test('consecutive calls share connections, and closing the client ends them', async (t) => {
    const { client, peer } = await setup(t)
    for (let i = 0; i < 10; i++) await client.chat(request, { signal: never })
    // undici reuses a connection from the next turn of the event loop on.
    t.ok(peer.openConnections() <= 2, `${peer.openConnections()} connections for ten calls`)
    await client.close()
    await poll(() => peer.openConnections() === 0, { what: 'the end of the connections' })
  })
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
    [
      'an endless answer of empty tokens',
      { kind: 'endless', token: '' },
      'too-large',
      'MODEL_OUTPUT_INVALID'
    ],
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
        // The silence of a working runtime on a busy machine must not count as a failure.
        const timeouts = reason === 'timeout' ? impatient : patient
        const { client } = await setup(t, { script: [fault] }, { timeouts })

        const error = await failureOf(client.chat({ ...request, maxOutputTokens: 100 }, { signal: never }))

        t.match(error, { reason, code }, error.message)
        t.strictSame(
          said.flatMap((calls) => calls().map(({ args }) => args)),
          []
        )
        const next = async (): Promise<string> => (await client.chat(request, { signal: never })).text
        // Half a second without a token may also mean a busy machine.
        const text = timeouts === patient ? await next() : await poll(next, { timeoutMs: 60_000 })
        t.equal(text, 'One two three four five.', 'and the next call works')
      }
    )
  }

  t.test('text that violates the requested schema is returned unchanged', async (t) => {
    const { client } = await setup(t, { script: [{ kind: 'schema-breaking', text: 'not { json' }] })
    t.equal(
      (await client.chat({ ...request, format: { type: 'object' } }, { signal: never })).text,
      'not { json'
    )
  })

  t.test('200 random faults end in a response or a typed failure within the deadlines', async (t) => {
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
    // There are 15 kinds. A seed may omit one.
    t.ok(hits.size >= 13, `nearly every kind of fault hit: ${hits.size}`)
    t.strictSame(
      [...outcomes.keys()].filter((outcome) => outcome === 'malformed' || outcome.startsWith('untyped')),
      []
    )
    t.ok(slowestMs < 60_000, `the slowest took ${slowestMs} ms`)
  })
  const phases: Array<[name: string, fault: Fault]> = [
    ['while the model loads', { kind: 'frozen' }],
    ['between two tokens', { kind: 'frozen', afterTokens: 3 }],
    ['while tokens stream in', { kind: 'slow', perTokenMs: 5 }]
  ]

  for (const [name, fault] of phases) {
    t.test(`cancelling ${name} closes the connection at once, 50 of 50`, async (t) => {
      const timeouts = { connectMs: 2_000, firstTokenMs: 30_000, idleMs: 30_000, totalMs: 60_000 }
      const { client, peer } = await setup(
        t,
        { script: () => fault, respond: () => 'word '.repeat(5_000) },
        { timeouts, defaultOutputTokens: 8_192 }
      )
      const waits: number[] = []

      for (let round = 0; round < 50; round++) {
        const cancel = new AbortController()
        const arrived = once(peer.events, 'request')
        const tokens = fault.kind === 'frozen' ? (fault.afterTokens ?? 0) : 3
        let seen = 0
        let third = (): void => {}
        const started = new Promise<void>((resolve) => {
          third = resolve
        })
        const failure = failureOf(
          client.chat(request, {
            signal: cancel.signal,
            onText: () => {
              if (++seen >= tokens) third()
            }
          })
        )
        await (tokens === 0 ? arrived : started)
        const closed = once(peer.events, 'closed-by-client')
        const cancelledAt = Date.now()
        cancel.abort(new Error('the client left'))
        const error = await failure
        await closed
        waits.push(Date.now() - cancelledAt)

        if (error.reason !== 'cancelled' || error.code !== 'CANCELLED') {
          t.fail(`round ${round}: ${error.reason}`)
        }
        if (tokens === 0 ? error.usage !== undefined : (error.usage?.outputTokens ?? 0) < 3) {
          t.fail(`round ${round}: usage ${JSON.stringify(error.usage)}`)
        }
      }

      t.equal(peer.closedByClient.length, 50)
      t.ok(Math.max(...waits) < 2_000, `the slowest took ${Math.max(...waits)} ms`)
    })
  }

  t.test('a call whose signal is already aborted sends nothing', async (t) => {
    const { client, peer } = await setup(t)

    const error = await failureOf(client.chat(request, { signal: AbortSignal.abort(new Error('gone')) }))

    t.match(error, { reason: 'cancelled', cause: { message: 'gone' } })
    t.strictSame(peer.requests, [])
  })

  t.test('cancelling while the reader hangs ends the call with the cost so far', async (t) => {
    const { client, peer } = await setup(t, { script: [{ kind: 'endless' }] })
    const cancel = new AbortController()

    const error = await failureOf(
      client.chat(request, {
        signal: cancel.signal,
        onText: async () => {
          cancel.abort()
          await new Promise(() => {})
        }
      })
    )

    t.match(error, { reason: 'cancelled', usage: { outputTokens: 1 } })
    t.ok((error.usage?.promptTokens ?? 0) > 0)
    t.equal(error.usage?.tokensUsed, (error.usage?.promptTokens ?? 0) + 1)
    await poll(() => peer.closedByClient.length === 1)
  })
}
