import t from 'tap'
import { startRedisServer } from '@filewright/testing'
import type { QueueDefinition } from '../src/index.js'
import { answer, createLatch, echo, payloadOf, stackOn, untilAborted } from './helpers.js'

const redis = await startRedisServer()
t.teardown(async () => {
  await redis.stop()
})
const definition = echo as QueueDefinition

t.test('a canary brings back what its worker says of itself, and the handler never sees it', async (t) => {
  const { client, worker } = stackOn(t, redis)
  const report = { ok: false, reason: 'no scanner', facts: { engine: 'e', age: 3 } }
  await worker(
    async () => {
      throw new Error('a canary is no work')
    },
    { canary: async () => report }
  )

  t.strictSame(await client().canary(definition, { deadlineMs: 20_000 }), report)
})

t.test('a worker that has nothing to say is well', async (t) => {
  const { client, worker } = stackOn(t, redis)
  await worker()

  t.strictSame(await client().canary(definition, { deadlineMs: 20_000 }), { ok: true })
})

t.test('a canary goes before everything that waits', async (t) => {
  const { client, worker } = stackOn(t, redis)
  const producer = client()
  const order: string[] = []
  const waiting = ['a', 'b', 'c'].map(
    async (text) => await producer.request(echo, payloadOf(text), { deadlineMs: 20_000 })
  )
  while ((await producer.counts(definition)).waiting < 3) await producer.ping()
  const canary = producer.canary(definition, { deadlineMs: 20_000 })
  while ((await producer.counts(definition)).waiting < 4) await producer.ping()
  await worker(
    async (payload, context) => {
      order.push(payload.text)
      return await answer(payload, context)
    },
    {
      concurrency: 1,
      canary: async () => {
        order.push('canary')
        return { ok: true }
      }
    }
  )

  await Promise.all([canary, ...waiting])
  t.equal(order[0], 'canary')
})

t.test('without a worker it fails, and is not left in the queue', async (t) => {
  const { client } = stackOn(t, redis)
  const producer = client()

  await t.rejects(producer.canary(definition, { deadlineMs: 2_000 }), { code: 'DEADLINE_EXCEEDED' })
  while ((await producer.counts(definition)).waiting > 0) await producer.ping()
})

t.test('workers that are all busy but get on with it are alive; ones that are stuck are not', async (t) => {
  const { client, worker } = stackOn(t, redis)
  const producer = client({ maxWaiters: 1 })
  const running = createLatch()
  let report = async (): Promise<void> => {}
  await worker(
    async (_payload, context) => {
      report = async () => {
        await context.report({ step: 1 })
      }
      running.open()
      return await untilAborted(context.signal)
    },
    { concurrency: 1 }
  )
  const outcome = producer.request(echo, payloadOf('long'), { deadlineMs: 60_000, onProgress: () => {} })
  outcome.catch(() => {})
  await running.opened

  await t.rejects(producer.canary(definition, { deadlineMs: 200 }), { code: 'DEADLINE_EXCEEDED' })
  const canary = producer.canary(definition, { deadlineMs: 2_000 })
  await report()
  t.equal(await canary, null)
})
