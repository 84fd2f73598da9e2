import t from 'tap'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { poll, startChaosProxy, startRedisServer } from '@filewright/testing'
import { createLatch, echo, payloadOf, slowly, stackOn, untilAborted } from './helpers.js'

const redis = await startRedisServer()
t.teardown(async () => await redis.stop())
t.setTimeout(600_000)

const unhandled: unknown[] = []
process.on('unhandledRejection', (reason) => unhandled.push(reason))

t.test(
  'a worker killed in the middle of a job loses nothing: another finishes and the same request gets its result',
  async (t) => {
    const { client, worker, prefix } = stackOn(t, redis)
    const queues = client()
    const doomed = fork(fileURLToPath(new URL('./fixtures/hanging-worker.js', import.meta.url)), [
      redis.url,
      prefix
    ])
    t.teardown(() => {
      doomed.kill('SIGKILL')
    })
    const outcome = queues.request(echo, payloadOf('survivor'), { lane: 'a', deadlineMs: 40_000 })
    outcome.catch(() => {})
    t.strictSame(await once(doomed, 'message'), ['survivor', undefined])

    doomed.kill('SIGKILL')
    await worker()

    t.equal((await outcome).text, 'survivor')
  }
)

t.test('a FLUSHALL under load loses no request', async (t) => {
  const { client, worker } = stackOn(t, redis)
  await worker(slowly)
  const queues = client()
  const texts = Array.from({ length: 300 }, (_, i) => `${i}`)
  const outcomes = Promise.all(
    texts.map(async (text) => await queues.request(echo, payloadOf(text), { lane: 'a', deadlineMs: 30_000 }))
  )
  outcomes.catch(() => {})

  for (let flushes = 0; flushes < 3; flushes++) {
    await poll(async () => (await queues.counts(echo)).active > 0, { what: 'jobs under way' })
    t.ok(queues.waiters() > 0, 'the flush hits')
    await redis.flush()
  }

  t.strictSame(
    (await outcomes).map(({ text }) => text),
    texts
  )
})

t.test('a job that runs through a FLUSHALL is joined when it is added again, not run twice', async (t) => {
  const { client, worker } = stackOn(t, redis)
  const running = createLatch()
  const gate = createLatch()
  let runs = 0
  // A long lock: its renewal, which notices the loss and stops the run, comes after the job is back.
  await worker(
    async (payload, context) => {
      runs++
      running.open()
      await gate.opened
      return await slowly(payload, context)
    },
    { lockDurationMs: 60_000 }
  )
  const queues = client()
  const outcome = queues.request(echo, payloadOf('once'), { lane: 'a', deadlineMs: 30_000 })
  outcome.catch(() => {})
  await running.opened

  await redis.flush()
  await poll(async () => (await queues.counts(echo)).active === 1, { what: 'the job to arrive again' })
  gate.open()

  t.equal((await outcome).text, 'once')
  t.equal(runs, 1)
})

t.test('repeatedly cut and reset connections lose no request, and cancellations still arrive', async (t) => {
  const proxy = await startChaosProxy({ target: { host: '127.0.0.1', port: redis.port } })
  t.teardown(async () => await proxy.close())
  const redisUrl = `redis://127.0.0.1:${proxy.port}`
  const { client, worker } = stackOn(t, redis)
  const endless = createLatch()
  const stopped = createLatch()
  await worker(
    async (payload, context) => {
      if (payload.text !== 'endless') return await slowly(payload, context)
      endless.open()
      context.signal.addEventListener('abort', stopped.open)
      return await untilAborted(context.signal)
    },
    { redisUrl }
  )
  const queues = client({ redisUrl })
  await queues.ping()
  const texts = Array.from({ length: 200 }, (_, i) => `${i}`)
  const outcomes = Promise.all(
    texts.map(async (text) => await queues.request(echo, payloadOf(text), { lane: 'a', deadlineMs: 30_000 }))
  )
  outcomes.catch(() => {})
  let hits = 0
  for (let round = 0; round < 4; round++) {
    const waiting = queues.waiters()
    await poll(() => queues.waiters() < Math.max(1, waiting))
    hits += round % 2 === 0 ? proxy.cut() : proxy.reset()
    await poll(() => proxy.openConnections() >= 4, { what: 'the reconnect' })
  }
  t.ok(hits > 8, `${hits} connections were hit`)
  t.strictSame(
    (await outcomes).map(({ text }) => text),
    texts
  )

  const leaving = new AbortController()
  const left = queues.request(echo, payloadOf('endless'), {
    lane: 'a',
    deadlineMs: 30_000,
    signal: leaving.signal
  })
  left.catch(() => {})
  await endless.opened
  leaving.abort()

  await t.rejects(left, { code: 'CANCELLED' })
  await stopped.opened
})

t.test('no promise was left unhandled', async (t) => {
  t.strictSame(unhandled, [])
})
