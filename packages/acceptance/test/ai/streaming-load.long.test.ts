import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { poll } from '@filewright/testing'
import { inFlight, redisMb, residentMb } from '../../src/index.js'
import { code, request, startScriptedStack } from './scripted-stack.js'

t.setTimeout(600_000)
const REQUESTS = 800
const broken = '```js\nexport const = 1\n```'
const { model, peer, stack, redis, ai } = await startScriptedStack(t)

t.test("a client that disconnects closes the model's connection within 2 s, 50 of 50", async (t) => {
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
  const sound = model.respond
  for (const { name, number, leave, repairs = false } of ways) {
    model.respond = repairs ? () => broken : sound
    for (let round = 0; round < number; round++) {
      model.calls = 0
      model.fault = (call) =>
        repairs && call === 0 ? { kind: 'none' } : { kind: 'frozen', afterTokens: round % 4 }
      const leaving = new AbortController()
      const left = leave(leaving.signal).then(
        () => 'answered',
        () => 'left'
      )
      await poll(() => model.calls === (repairs ? 2 : 1), {
        what: `${name}: the call to the model`,
        intervalMs: 2
      })
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
  model.respond = sound
  t.equal(times.length, 50)
  t.comment(
    `model stopped after ${Math.round(times.reduce((sum, each) => sum + each, 0) / times.length)} ms on average, ${Math.max(...times)} ms at most`
  )
  t.ok(Math.max(...times) < 2_000, `${times.filter((ms) => ms < 2_000).length} of 50 within 2 s`)
})

t.test('64 concurrent clients of an instant model: no failure, and stable memory', async (t) => {
  model.fault = () => ({ kind: 'none' })
  const pids = { gateway: stack.pid('gateway')!, worker: stack.pid('inference-worker-1')! }
  const memory = async (): Promise<{ gateway: number; worker: number; redis: number }> => ({
    gateway: await residentMb(pids.gateway),
    worker: await residentMb(pids.worker),
    redis: await redisMb(redis)
  })
  const failures = new Map<string, number>()
  const ask = async (number: number): Promise<void> => {
    // Mostly many small responses, which cost the service most per second, and some of everything else.
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
  await inFlight(300, 64, ask)
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
  t.teardown(() => clearInterval(watch))

  const startedAt = Date.now()
  await inFlight(REQUESTS, 64, ask)

  const seconds = (Date.now() - startedAt) / 1000
  const after = await memory()
  const shown = ({ gateway, worker, redis }: typeof before): string =>
    `gateway ${Math.round(gateway)} MB, worker ${Math.round(worker)} MB, Redis ${redis.toFixed(1)} MB`
  t.comment(
    `${REQUESTS} requests in ${seconds.toFixed(1)} s, ${Math.round(REQUESTS / seconds)}/s; before: ${shown(before)}; after: ${shown(after)}; Redis at most ${peakRedis.toFixed(1)} MB`
  )
  t.strictSame([...failures], [])
  t.ok(after.gateway - before.gateway < 60, 'the gateway')
  t.ok(after.worker - before.worker < 60, 'the worker')
  t.ok(Math.max(peakRedis, after.redis) < 40, 'Redis')
  t.strictSame(
    { gateway: stack.pid('gateway'), worker: stack.pid('inference-worker-1') },
    pids,
    'nobody died'
  )
})
