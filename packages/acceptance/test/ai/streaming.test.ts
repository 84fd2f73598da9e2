import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import t from 'tap'
import { Value } from 'typebox/value'
import { GenerationResult } from '@filewright/contracts'
import { poll, startOllamaServer, startStack, type Fault } from '@filewright/testing'
import { createAiClient, defaultModels, inFlight, redisMb, residentMb } from '../../src/index.js'

t.setTimeout(600_000)
const code = Array.from({ length: 12 }, (_, line) => `export const value${line} = ${line}`).join('\n')
const broken = '```js\nexport const = 1\n```'
let respond = (): string => `\`\`\`js\n${code}\n\`\`\``
let fault: (call: number) => Fault = () => ({ kind: 'none' })
let calls = 0
const peer = await startOllamaServer({
  models: defaultModels,
  respond: () => respond(),
  script: () => fault(calls++)
})
t.teardown(async () => {
  await peer.close()
})
const stack = await startStack(t, {
  env: { OLLAMA_HOST: peer.url, AI_RATE_LIMIT_PER_MINUTE: '0', RATE_LIMIT_PER_MINUTE: '0' }
})
const ai = createAiClient(stack.baseUrl, stack.token)
const redis = new Redis(stack.info().redisUrl)
t.teardown(() => {
  redis.disconnect()
})
const request = { prompt: 'Some values.', type: 'code', language: 'javascript' }

t.test('streaming', async (t) => {
  t.test('the first event reaches the client while the model still writes', async (t) => {
    fault = () => ({ kind: 'frozen', afterTokens: 5 })
    const leaving = new AbortController()

    const { status, events } = await ai.stream(request, { signal: leaving.signal })
    const { value } = await events[Symbol.asyncIterator]().next()

    t.equal(status, 200)
    t.match(value, { event: 'token', data: { text: /^`/ } }, 'although the model never gets any further')
    const closed = once(peer.events, 'closed-by-client', { signal: AbortSignal.timeout(10_000) })
    leaving.abort()
    await closed
  })

  t.test("the tokens are the model's text, and the result is the body without streaming", async (t) => {
    fault = () => ({ kind: 'slow', perTokenMs: 4 })
    const { events } = await ai.stream(request)
    const tokens: string[] = []
    let result: any
    for await (const { event, data } of events) {
      if (event === 'token') tokens.push(data.text)
      if (event === 'result') result = data
    }
    fault = () => ({ kind: 'none' })
    const { body } = await ai.post('generate', request)

    t.ok(tokens.length > 2, `${tokens.length} batches`)
    t.equal(tokens.join(''), respond())
    t.ok(Value.Check(GenerationResult, result))
    t.strictSame({ ...result, id: body.id, created_at: body.created_at }, body)
    t.equal(body.content, code)
  })

  t.test('a model that fails in mid-answer is asked again, and nothing is sent twice', async (t) => {
    fault = (call) => (call === 0 ? { kind: 'cut', how: 'fin', afterTokens: 20 } : { kind: 'none' })
    calls = 0
    const { events } = await ai.stream(request)
    let text = ''
    let result: any
    for await (const { event, data } of events) {
      if (event === 'token') text += data.text
      if (event === 'result') result = data
    }

    t.equal(calls, 2, 'it was asked twice')
    t.equal(text, respond())
    t.equal(result.content, code)
  })
})

t.test('a client that leaves closes the connection to the model within 2 s, 50 of 50', async (t) => {
  const times: number[] = []
  const ways = [
    {
      name: 'waiting',
      number: 15,
      leave: async (signal: AbortSignal) => {
        await ai.post('generate', request, { signal })
      }
    },
    {
      name: 'reading along',
      number: 10,
      leave: async (signal: AbortSignal) => {
        for await (const event of (await ai.stream(request, { signal })).events) void event
      }
    },
    {
      name: 'analyzing',
      number: 8,
      leave: async (signal: AbortSignal) => {
        await ai.post('analyze', { code, language: 'js' }, { signal })
      }
    },
    {
      name: 'optimizing',
      number: 7,
      leave: async (signal: AbortSignal) => {
        await ai.post('optimize', { code, language: 'js' }, { signal })
      }
    },
    {
      name: 'during a repair',
      number: 10,
      leave: async (signal: AbortSignal) => {
        await ai.post('generate', request, { signal })
      },
      repairs: true
    }
  ]
  const sound = respond
  for (const { name, number, leave, repairs = false } of ways) {
    respond = repairs ? () => broken : sound
    for (let round = 0; round < number; round++) {
      calls = 0
      fault = (call) =>
        repairs && call === 0 ? { kind: 'none' } : { kind: 'frozen', afterTokens: round % 4 }
      const leaving = new AbortController()
      const left = leave(leaving.signal).then(
        () => 'answered',
        () => 'left'
      )
      await poll(() => calls === (repairs ? 2 : 1), { what: `${name}: the call to the model`, intervalMs: 2 })
      // At different moments of the call.
      await sleep(round * 3)

      const closed = once(peer.events, 'closed-by-client', { signal: AbortSignal.timeout(10_000) })
      const leftAt = Date.now()
      leaving.abort()
      await closed

      times.push(Date.now() - leftAt)
      t.equal(await left, 'left', name)
    }
  }
  respond = sound
  t.equal(times.length, 50)
  t.comment(
    `model stopped after ${Math.round(times.reduce((sum, each) => sum + each, 0) / times.length)} ms on average, ${Math.max(...times)} ms at most`
  )
  t.ok(Math.max(...times) < 2_000, `${times.filter((ms) => ms < 2_000).length} of 50 within 2 s`)
})

t.test('a client that leaves before the model was asked leaves no job behind', async (t) => {
  fault = () => ({ kind: 'frozen' })
  await inFlight(100, 10, async (number) => {
    await ai.post('generate', request, { signal: AbortSignal.timeout(1 + (number % 25)) }).catch(() => {})
  })

  await poll(
    async () =>
      (await redis.llen('fw:inference:active')) +
        (await redis.llen('fw:inference:wait')) +
        peer.openConnections() ===
      0,
    { what: 'the end of all jobs', timeoutMs: 15_000 }
  )
  fault = () => ({ kind: 'none' })
  t.equal((await ai.post('generate', request)).status, 200)
})

t.test('64 clients at once on an instant model: no failure, and memory stays where it was', async (t) => {
  const pids = { gateway: stack.pid('gateway')!, worker: stack.pid('inference-worker-1')! }
  const memory = async (): Promise<{ gateway: number; worker: number; redis: number }> => ({
    gateway: await residentMb(pids.gateway),
    worker: await residentMb(pids.worker),
    redis: await redisMb(redis)
  })
  const failures = new Map<string, number>()
  const ask = async (number: number): Promise<void> => {
    // Mostly what costs the service most per second: many small answers. Some of everything else.
    const { status, body } =
      number % 40 === 0
        ? await ai.post('analyze', { code, language: 'js' })
        : await ai.post('generate', { ...request, type: number % 4 === 0 ? 'code' : 'content' })
    if (status !== 200) {
      failures.set(
        `${status} ${JSON.stringify(body)}`,
        (failures.get(`${status} ${JSON.stringify(body)}`) ?? 0) + 1
      )
    }
  }
  await inFlight(600, 64, ask)
  const before = await memory()
  let peakRedis = 0
  const watch = setInterval(() => {
    void redisMb(redis).then(
      (mb) => {
        peakRedis = Math.max(peakRedis, mb)
      },
      () => {}
    )
  }, 100)
  t.teardown(() => {
    clearInterval(watch)
  })

  const startedAt = Date.now()
  await inFlight(2_000, 64, ask)

  const seconds = (Date.now() - startedAt) / 1000
  const after = await memory()
  const shown = ({ gateway, worker, redis }: typeof before): string =>
    `gateway ${Math.round(gateway)} MB, worker ${Math.round(worker)} MB, Redis ${redis.toFixed(1)} MB`
  t.comment(
    `2,000 requests in ${seconds.toFixed(1)} s, ${Math.round(2_000 / seconds)}/s; before: ${shown(before)}; after: ${shown(after)}; Redis at most ${peakRedis.toFixed(1)} MB`
  )
  t.strictSame([...failures], [])
  t.ok(after.gateway - before.gateway < 100, 'the gateway')
  t.ok(after.worker - before.worker < 100, 'the worker')
  t.ok(Math.max(peakRedis, after.redis) < 40, 'Redis')
  t.strictSame(
    { gateway: stack.pid('gateway'), worker: stack.pid('inference-worker-1') },
    pids,
    'nobody died'
  )
})
