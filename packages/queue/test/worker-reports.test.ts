import t from 'tap'
import { poll, startRedisServer } from '@filewright/testing'
import { ALIVE_MS } from '../src/worker-reports.js'
import { answer, createLatch, echo, payloadOf, stackOn, untilAborted } from './helpers.js'

const redis = await startRedisServer()
t.teardown(async () => await redis.stop())
t.setTimeout(600_000)

t.test('a live worker reports the state of its dependency without using a job', async (t) => {
  const { client, worker } = stackOn(t, redis)
  const report = { ok: false, reason: 'no model', facts: { version: '1', age: 3 } } as const
  await worker(answer, { check: async () => report })
  const queues = client()

  await poll(async () => (await queues.workers(echo)).length === 1)

  t.strictSame(await queues.workers(echo), [report])
  t.equal(await queues.hasWorker(echo), true, 'and takes jobs, unless it is told to pause')
  t.match(await queues.counts(echo), { waiting: 0, active: 0, completed: 0 })
})

t.test('a worker without a check is healthy; one whose check fails is not', async (t) => {
  const { client, worker } = stackOn(t, redis)
  const queues = client()
  await worker()
  await poll(async () => (await queues.workers(echo)).length === 1)
  t.strictSame(await queues.workers(echo), [{ ok: true }])

  await worker(answer, {
    check: async () => {
      throw new Error('the check broke')
    }
  })
  await poll(async () => (await queues.workers(echo)).length === 2)
  await poll(async () => (await queues.workers(echo)).some(({ ok }) => !ok))

  t.match(await queues.workers(echo), [{ ok: true }, { ok: false, reason: 'the check broke' }])
})

t.test('a busy worker with 30 long waiting jobs stays visible', async (t) => {
  const { client, worker } = stackOn(t, redis)
  const running = createLatch()
  await worker(
    async (_payload, { signal }) => {
      running.open()
      return await untilAborted(signal)
    },
    { concurrency: 1 }
  )
  const queues = client()
  const outcomes = Array.from({ length: 31 }, async (_, i) => {
    await queues.request(echo, payloadOf(`${i}`), { deadlineMs: 300_000 })
  })
  for (const outcome of outcomes) outcome.catch(() => {})
  await running.opened
  await poll(async () => (await queues.counts(echo)).waiting === 30)

  const startedAt = performance.now()
  const seen = new Set<string>()
  await poll(async () => {
    seen.add(JSON.stringify(await queues.workers(echo)))
    return performance.now() - startedAt > ALIVE_MS + 1_000
  })

  t.strictSame([...seen], ['[{"ok":true}]'])
})

t.test('a worker that stops or dies soon disappears', async (t) => {
  const { client, worker } = stackOn(t, redis)
  const queues = client()
  const host = await worker()
  await poll(async () => (await queues.workers(echo)).length === 1)

  await host.close()

  t.equal(await queues.hasWorker(echo), false, 'one that stops says so')
  await poll(async () => (await queues.workers(echo)).length === 0)
  t.pass('and is forgotten')
})

t.test('a wiped Redis does not make a live worker look dead', async (t) => {
  const { client, worker, prefix } = stackOn(t, redis)
  const queues = client()
  await worker()
  await poll(async () => (await queues.workers(echo)).length === 1)

  await redis.command('FLUSHALL')

  t.strictSame(await queues.workers(echo), [{ ok: true }])
  await poll(async () => (await redis.command(`EXISTS ${prefix}:workers:echo`)).startsWith(':1'))
  t.strictSame(await queues.workers(echo), [{ ok: true }])
})

t.test('an invalid report is ignored', async (t) => {
  const { client, prefix } = stackOn(t, redis)
  const queues = client()
  const later = Date.now() + 3_600_000
  const texts = { a: 'nonsense', b: JSON.stringify({ ok: false }), c: JSON.stringify({ ok: true }) }
  for (const [id, text] of Object.entries(texts)) {
    await redis.command(`SET ${prefix}:worker:echo:${id} ${JSON.stringify(text)}`)
    await redis.command(`ZADD ${prefix}:workers:echo ${later} ${id}`)
  }

  t.strictSame(await queues.workers(echo), [{ ok: true }])
})
