import t from 'tap'
import { freePort, poll, startRedisServer } from '@filewright/testing'
import { isAppError } from '@filewright/runtime'
import { createWorkerHost } from '../src/index.js'
import { answer, createLatch, echo, logger, payloadOf, slowly, stackOn, untilAborted } from './helpers.js'

const redis = await startRedisServer()
t.teardown(async () => await redis.stop())
t.setTimeout(600_000)

const unhandled: unknown[] = []
process.on('unhandledRejection', (reason) => unhandled.push(reason))

t.test(
  'Redis with persistence, killed and restarted under load: requests in flight get their results',
  async (t) => {
    const redis = await startRedisServer({ appendOnly: true })
    t.teardown(async () => await redis.stop())
    const { client, worker } = stackOn(t, redis)
    await worker(slowly)
    const queues = client()
    await queues.ping()
    const texts = Array.from({ length: 300 }, (_, i) => `${i}`)
    const outcomes = Promise.all(
      texts.map(
        async (text) => await queues.request(echo, payloadOf(text), { lane: 'a', deadlineMs: 30_000 })
      )
    )
    outcomes.catch(() => {})
    await poll(async () => (await queues.counts(echo)).completed > 20)

    t.ok(queues.waiters() > 0, 'the kill hits')
    await redis.restart()

    t.strictSame(
      (await outcomes).map(({ text }) => text),
      texts
    )
  }
)

t.test(
  'Redis without persistence, killed and restarted under load: requests in flight get their results',
  async (t) => {
    const { client, worker } = stackOn(t, redis)
    await worker(slowly)
    const queues = client()
    await queues.ping()
    const texts = Array.from({ length: 200 }, (_, i) => `${i}`)
    const outcomes = Promise.all(
      texts.map(
        async (text) => await queues.request(echo, payloadOf(text), { lane: 'a', deadlineMs: 30_000 })
      )
    )
    outcomes.catch(() => {})
    await poll(async () => (await queues.counts(echo)).completed > 20)

    t.ok(queues.waiters() > 0, 'the kill hits')
    await redis.restart()

    t.strictSame(
      (await outcomes).map(({ text }) => text),
      texts
    )
  }
)

t.test(
  'Redis frozen during add: QUEUE_UNAVAILABLE soon, and the late job is removed when it resumes',
  async (t) => {
    const { client } = stackOn(t, redis)
    const queues = client()
    await queues.ping()
    redis.freeze()
    const startedAt = Date.now()

    const outcomes = await Promise.allSettled(
      Array.from(
        { length: 100 },
        async () => await queues.request(echo, payloadOf('x'), { deadlineMs: 30_000 })
      )
    )
    const tookMs = Date.now() - startedAt
    redis.thaw()

    t.ok(
      outcomes.every(
        (outcome) => outcome.status === 'rejected' && isAppError(outcome.reason, 'QUEUE_UNAVAILABLE')
      )
    )
    t.ok(tookMs < 20_000, `took ${tookMs} ms`)
    t.equal(queues.waiters(), 0)
    await poll(async () => (await queues.counts(echo)).waiting === 0, {
      what: 'the removal of the late jobs'
    })
  }
)

t.test(
  'Redis down: requests and pings fail soon with QUEUE_UNAVAILABLE, at once after a while, and work again when it is back',
  async (t) => {
    const { client, worker } = stackOn(t, redis)
    const host = await worker()
    const queues = client({ outageMs: 500 })
    await queues.request(echo, payloadOf('x'), { lane: 'a', deadlineMs: 5_000 })
    await redis.kill()

    await t.rejects(queues.request(echo, payloadOf('x'), { lane: 'a', deadlineMs: 30_000 }), {
      code: 'QUEUE_UNAVAILABLE'
    })
    await poll(
      async () => {
        const startedAt = Date.now()
        await t.rejects(queues.request(echo, payloadOf('x'), { lane: 'a', deadlineMs: 30_000 }), {
          code: 'QUEUE_UNAVAILABLE'
        })
        return Date.now() - startedAt < 500
      },
      { what: 'failing at once' }
    )
    await t.rejects(queues.ping(), { code: 'QUEUE_UNAVAILABLE' })
    await t.rejects(host.ping(), { code: 'QUEUE_UNAVAILABLE' })
    await redis.start()

    await poll(
      async () => {
        await host.ping()
        return await queues.request(echo, payloadOf('back'), { lane: 'a', deadlineMs: 10_000 })
      },
      { what: 'a request after the outage', timeoutMs: 30_000 }
    )
    t.equal(host.isRunning(), true)
  }
)

t.test(
  'Redis down for longer than a request may bridge: the request in flight ends with QUEUE_UNAVAILABLE',
  async (t) => {
    const { client, worker } = stackOn(t, redis)
    const running = createLatch()
    await worker(async (_payload, { signal }) => {
      running.open()
      return await untilAborted(signal)
    })
    const queues = client({ outageMs: 500 })
    const outcome = queues.request(echo, payloadOf('x'), { lane: 'a', deadlineMs: 60_000 })
    const brief = queues.request(echo, payloadOf('x'), { lane: 'a', deadlineMs: 60_000 })
    outcome.catch(() => {})
    brief.catch(() => {})
    await running.opened

    await redis.kill()

    await t.rejects(outcome, { code: 'QUEUE_UNAVAILABLE' })
    await t.rejects(brief, { code: 'QUEUE_UNAVAILABLE' })
    await redis.start()
  }
)

t.test('a deadline that passes while Redis is down is QUEUE_UNAVAILABLE, not a slow worker', async (t) => {
  const { client } = stackOn(t, redis)
  const queues = client()
  await queues.ping()
  const outcome = queues.request(echo, payloadOf('x'), { lane: 'a', deadlineMs: 1_500 })
  outcome.catch(() => {})
  await poll(async () => (await queues.counts(echo)).waiting === 1)

  await redis.kill()

  await t.rejects(outcome, { code: 'QUEUE_UNAVAILABLE' })
  await redis.start()
})

t.test('client and worker started before Redis wait for it; closed before that, they end', async (t) => {
  const redisUrl = `redis://127.0.0.1:${await freePort()}`
  const { client } = stackOn(t, redis)
  const queues = client({ redisUrl })
  const host = createWorkerHost({
    definition: echo,
    redisUrl,
    prefix: 'early',
    concurrency: 1,
    logger,
    handle: answer
  })
  await t.rejects(host.ping(), { code: 'QUEUE_UNAVAILABLE' })
  await host.start()
  await t.rejects(queues.request(echo, payloadOf('x'), { lane: 'a', deadlineMs: 30_000 }), {
    code: 'QUEUE_UNAVAILABLE'
  })
  await t.rejects(host.ping(), { code: 'QUEUE_UNAVAILABLE' })

  await Promise.all([queues.close(), host.close()])

  t.equal(host.isRunning(), false)
})

t.test('no promise was left unhandled', async (t) => {
  t.strictSame(unhandled, [])
})
