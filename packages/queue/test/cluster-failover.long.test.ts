import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { isAppError } from '@filewright/runtime'
import { poll, startRedisCluster, type RedisCluster } from '@filewright/testing'
import { createProducerLink } from '../src/producer-link.js'
import { keyPrefix, NEW_NODES_MS, openCluster } from '../src/redis-cluster.js'
import {
  answer,
  createLatch,
  echo,
  logger,
  payloadOf,
  slowly,
  stackOn,
  untilAborted,
  type EchoPayload
} from './helpers.js'

t.setTimeout(600_000)

const PATIENCE = { timeoutMs: 120_000 }
/** Longer than a failover takes on a busy machine. */
const OUTAGE_MS = 90_000

async function startCluster(t: Test): Promise<RedisCluster> {
  const cluster = await startRedisCluster()
  t.teardown(async () => await cluster.stop())
  return cluster
}

t.test(
  'when the primary dies under load, every accepted job is answered, and the rest recovers',
  async (t) => {
    const cluster = await startCluster(t)
    const { client, worker, prefix } = stackOn(t, cluster)
    const latch = createLatch()
    await worker(async (payload, context) => {
      if (payload.text.startsWith('early')) await latch.opened
      return await slowly(payload, context)
    })
    const queues = client({ outageMs: OUTAGE_MS, noWorkerAfterMs: OUTAGE_MS })
    await poll(async () => await queues.hasWorker(echo).catch(() => false), PATIENCE)
    const ask = async (payload: EchoPayload): Promise<string> =>
      (await queues.request(echo, payload, { deadlineMs: 2 * OUTAGE_MS })).text
    const braced = keyPrefix(cluster.url, prefix)
    const owner = await cluster.ownerOf(`${braced}:ping`)

    let isDead = false
    const keys: string[] = []
    // A busy machine may refuse some at first. Once the primary is dead, no request is repeated.
    const askUntilTaken = async (i: number): Promise<string> => {
      const payload = payloadOf(`early ${i}`)
      keys[i] = `${braced}:echo:${echo.jobId(payload)}`
      return await ask(payload).catch(async (error: unknown) => {
        if (isDead || !isAppError(error, 'QUEUE_UNAVAILABLE')) throw error
        return await askUntilTaken(i)
      })
    }
    // More than the worker's slots: some run, some wait.
    const early = Array.from({ length: 60 }, async (_, i) => await askUntilTaken(i))
    await poll(async () => (await owner.command(`EXISTS ${keys.join(' ')}`)).startsWith(':60'), PATIENCE)
    const load = Array.from({ length: 100 }, async (_, i) => {
      await setTimeout(i * 50)
      return await ask(payloadOf(`load ${i}`)).catch((error: unknown) => {
        if (isAppError(error, 'QUEUE_UNAVAILABLE')) return 'refused'
        throw error
      })
    })
    isDead = true
    await owner.kill()
    latch.open()

    t.strictSame(
      await Promise.all(early),
      early.map((_, i) => `early ${i}`),
      'what was in the queue when the primary died'
    )
    const answers = await Promise.all(load)
    t.strictSame(
      answers.filter((text, i) => text !== `load ${i}` && text !== 'refused'),
      [],
      'what came meanwhile was answered or refused'
    )
    t.comment(`${answers.filter((text) => text === 'refused').length} of ${answers.length} refused`)
    t.not((await cluster.ownerOf(`${braced}:ping`)).port, owner.port)
    t.equal(await ask(payloadOf('after')), 'after')

    const stopped = createLatch()
    const started = createLatch()
    await worker(
      async (_payload, { signal }) => {
        started.open()
        return await untilAborted(signal).finally(stopped.open)
      },
      { definition: { ...echo, name: 'after' } }
    )
    const others = client({ definitions: [{ ...echo, name: 'after' }] })
    await poll(async () => await others.hasWorker({ ...echo, name: 'after' }).catch(() => false), PATIENCE)
    const controller = new AbortController()
    const cancelled = others.request({ ...echo, name: 'after' }, payloadOf('x'), {
      deadlineMs: OUTAGE_MS,
      signal: controller.signal
    })
    await started.opened
    controller.abort()
    await t.rejects(cancelled, { code: 'CANCELLED' })
    await stopped.opened
  }
)

t.test(
  'while a cluster hangs or is down, callers that cannot wait fail soon; it is used again afterwards',
  async (t) => {
    const cluster = await startCluster(t)
    const link = createProducerLink({ redisUrl: cluster.url, logger, what: 'test' })
    t.teardown(() => link.close())
    const call = async (): Promise<number> => await link.run(async () => await link.redis.exists('{x}:key'))
    const works = async (): Promise<boolean> =>
      await call().then(
        () => true,
        () => false
      )
    await poll(works, PATIENCE)

    for (const node of cluster.nodes) node.freeze()
    const hungFor = await timeOf(t.rejects(call(), { code: 'QUEUE_UNAVAILABLE' }))
    for (const node of cluster.nodes) node.thaw()
    await poll(works, PATIENCE)

    await Promise.all(cluster.nodes.map(async (node) => await node.kill()))
    await poll(async () => !(await works()), PATIENCE)
    const awayFor = await timeOf(t.rejects(call(), { code: 'QUEUE_UNAVAILABLE' }))
    await Promise.all(cluster.nodes.map(async (node) => await node.start()))
    await poll(works, PATIENCE)

    t.comment(`told after ${hungFor} ms and ${awayFor} ms`)
    t.ok(hungFor < 10_000 && awayFor < 10_000, 'bounded')
    t.equal(await call(), 0)
  }
)

t.test('workers and waiting requests survive a cluster that hangs', async (t) => {
  const cluster = await startCluster(t)
  const { client, worker } = stackOn(t, cluster)
  const latch = createLatch()
  await worker(async (payload, context) => {
    await latch.opened
    return await answer(payload, context)
  })
  const queues = client({ outageMs: OUTAGE_MS, noWorkerAfterMs: OUTAGE_MS })
  await poll(async () => await queues.hasWorker(echo).catch(() => false), PATIENCE)
  const waiting = queues.request(echo, payloadOf('patient'), { deadlineMs: 2 * OUTAGE_MS })
  await poll(async () => (await queues.counts(echo)).active === 1, PATIENCE)

  for (const node of cluster.nodes) node.freeze()
  latch.open()
  await t.rejects(queues.ping(), { code: 'QUEUE_UNAVAILABLE' })
  for (const node of cluster.nodes) node.thaw()

  t.match(await waiting, { text: 'patient' })
})

t.test('cancellations arrive again after the node that delivered them hangs', async (t) => {
  const cluster = await startCluster(t)
  const { client, worker } = stackOn(t, cluster)
  let stopped = 0
  await worker(async (_payload, { signal }) => await untilAborted(signal).finally(() => stopped++))
  const queues = client()
  await poll(async () => await queues.hasWorker(echo).catch(() => false), PATIENCE)
  const node = await poll(async () => {
    for (const each of cluster.nodes) {
      if (/sub=1 /.test(await each.command('CLIENT LIST'))) return each
    }
    return null
  }, PATIENCE)

  node.freeze()

  await poll(async () => {
    const controller = new AbortController()
    const request = queues.request(echo, payloadOf('x'), { deadlineMs: 30_000, signal: controller.signal })
    const outcome = request.catch(() => {})
    const active = async (): Promise<boolean> => (await queues.counts(echo)).active > 0
    await poll(active, { timeoutMs: 20_000 }).catch(() => {})
    controller.abort()
    await outcome
    return await poll(() => stopped > 0, { timeoutMs: 3_000 }).catch(() => false)
  }, PATIENCE)
  t.ok(stopped > 0)
  node.thaw()
})

t.test('a client that is closed while it searches for new nodes does not search again', async (t) => {
  const cluster = await startCluster(t)
  const redis = openCluster(cluster.url, {})
  let looks = 0
  const look = redis.refreshSlotsCache.bind(redis)
  const ended = once(redis, 'end')
  await once(redis, 'ready')
  redis.refreshSlotsCache = (done) => {
    looks++
    look(done)
    redis.disconnect()
  }

  await ended
  await setTimeout(2 * NEW_NODES_MS)

  t.equal(looks, 1)
})

async function timeOf(work: Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work
  return Math.round(performance.now() - startedAt)
}
