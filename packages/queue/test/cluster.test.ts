import t from 'tap'
import { poll, startRedisCluster, startRedisServer } from '@filewright/testing'
import { createWindowCounter, inspectRedis, openQueueViews } from '../src/index.js'
import { createPatientConnection } from '../src/connections.js'
import { slotsKey } from '../src/keys.js'
import { clusterError, keyPrefix, publish } from '../src/redis-cluster.js'
import { answer, createLatch, echo, logger, payloadOf, stackOn, untilAborted } from './helpers.js'

t.setTimeout(300_000)

const cluster = await startRedisCluster()
t.teardown(async () => await cluster.stop())
const PATIENCE = { timeoutMs: 60_000 }

t.test('a request goes through a queue of a cluster and back, with progress', async (t) => {
  const { client, worker } = stackOn(t, cluster)
  await worker(async (payload, context) => {
    await context.report({ step: 1 })
    return await answer(payload, context)
  })
  const queues = client()
  await poll(async () => await queues.hasWorker(echo).catch(() => false), PATIENCE)
  const steps: number[] = []

  const texts = Array.from({ length: 50 }, (_, i) => `text ${i}`)
  const answers = await Promise.all(
    texts.map(
      async (text) =>
        await queues.request(echo, payloadOf(text), {
          deadlineMs: 30_000,
          onProgress: ({ step }) => steps.push(step)
        })
    )
  )

  t.strictSame(
    answers.map(({ text }) => text),
    texts
  )
  t.equal(steps.length, 50, 'each progress report came by the stream of events')
  await queues.ping()
  t.match(await queues.counts(echo), { waiting: 0, active: 0, completed: 50 })
  t.strictSame(await queues.workers(echo), [{ ok: true }])
})

t.test('a cancellation reaches the worker wherever in the cluster it listens', async (t) => {
  const { client, worker } = stackOn(t, cluster)
  let stopped = 0
  const started = createLatch()
  // Each listens at any node.
  for (let i = 0; i < 3; i++) {
    await worker(
      async (_payload, { signal }) => {
        started.open()
        return await untilAborted(signal).finally(() => stopped++)
      },
      { concurrency: 1 }
    )
  }
  const queues = client()
  await poll(async () => await queues.hasWorker(echo).catch(() => false), PATIENCE)
  const controllers = [0, 1, 2].map(() => new AbortController())
  const outcomes = controllers.map(
    async ({ signal }) =>
      await t.rejects(queues.request(echo, payloadOf('long'), { deadlineMs: 60_000, signal }), {
        code: 'CANCELLED'
      })
  )
  await started.opened
  await poll(async () => (await queues.counts(echo)).active === 3, PATIENCE)

  for (const controller of controllers) controller.abort()

  await Promise.all(outcomes)
  await poll(() => stopped === 3, PATIENCE)
  t.equal(stopped, 3)
})

t.test('a publisher in a cluster learns of subscribers at other nodes', async (t) => {
  const [subscriber, publisher] = ['a', 'b'].map((what) =>
    createPatientConnection({ redisUrl: cluster.url, logger, what })
  )
  if (subscriber === undefined || publisher === undefined) return
  t.teardown(() => {
    subscriber.disconnect()
    publisher.disconnect()
  })
  const heard: string[] = []
  subscriber.on('message', (_channel: string, message: string) => {
    if (message !== 'first') heard.push(message)
  })
  t.equal(await publish(publisher, 'news', 'too early'), 0)
  await subscriber.subscribe('news')
  // A cluster that has just started may not know all its nodes yet.
  await poll(async () => (await publish(publisher, 'news', 'first')) === 1, PATIENCE)

  // Each may go to another node.
  for (let i = 0; i < 10; i++) t.equal(await publish(publisher, 'news', String(i)), 1)

  await poll(() => heard.length === 10, PATIENCE)
  t.strictSame(new Set(heard).size, 10)
})

t.test('lanes take turns in a cluster: one token does not get all slots', async (t) => {
  const { client, worker, prefix } = stackOn(t, cluster)
  const latch = createLatch()
  const running: string[] = []
  await worker(
    async (payload, context) => {
      if (payload.text === 'first') return await answer(payload, context)
      running.push(payload.text)
      await latch.opened
      return await answer(payload, context)
    },
    { concurrency: 4 }
  )
  // A client that does not know the workers' slots assumes eight for a second.
  const redis = createPatientConnection({ redisUrl: cluster.url, logger, what: 'test' })
  t.teardown(() => redis.disconnect())
  await poll(async () => (await redis.zcard(slotsKey(`{${prefix}}`, echo.name))) === 1, PATIENCE)
  const queues = client()
  await poll(async () => await queues.hasWorker(echo).catch(() => false), PATIENCE)
  // The share of the slots is known once the workers were counted.
  await queues.request(echo, payloadOf('first'), { deadlineMs: 30_000, lane: 'c' })
  const ask = async (lane: string): Promise<unknown> =>
    await queues.request(echo, payloadOf(lane), { deadlineMs: 60_000, lane })

  const greedy = Array.from({ length: 8 }, async () => await ask('a'))
  await poll(() => running.filter((lane) => lane === 'a').length === 3, PATIENCE)
  const modest = ask('b')
  await poll(() => running.includes('b'), PATIENCE)

  t.strictSame(running.sort(), ['a', 'a', 'a', 'b'])
  latch.open()
  await Promise.all([...greedy, modest])
})

t.test('gateways share their counts in a cluster, many keys in one call', async (t) => {
  const { prefix } = stackOn(t, cluster)
  const [one, other] = [0, 1].map(() => {
    const counter = createWindowCounter({
      redisUrl: cluster.url,
      prefix,
      logger,
      windowMs: 60_000,
      restMs: 0
    })
    t.teardown(() => counter.close())
    return counter
  })
  const hits = ['requests:a', 'ai:a', 'requests:b'].map((name, i) => ({ name, by: i + 1 }))

  await poll(async () => (await one?.hit(hits)) !== null, PATIENCE)
  const before = (await one?.hit(hits)) ?? []
  await poll(async () => (await other?.hit([{ name: 'warm', by: 1 }])) !== null, PATIENCE)
  const after = (await other?.hit(hits)) ?? []

  t.equal(after.length, 3)
  t.strictSame(
    after.map(({ count }, i) => count - (before[i]?.count ?? 0)),
    [1, 2, 3]
  )
})

t.test('the dashboard sees the queues of a cluster, under a prefix with or without braces', async (t) => {
  const { client, worker, prefix } = stackOn(t, cluster)
  await worker()
  const queues = client()
  await poll(async () => await queues.hasWorker(echo).catch(() => false), PATIENCE)
  await queues.request(echo, payloadOf('seen'), { deadlineMs: 30_000 })

  for (const same of [prefix, `{${prefix}}`]) {
    const views = await openQueueViews({ redisUrl: cluster.url, prefix: same, logger, definitions: [echo] })
    const [queue] = views.queues
    t.equal((await queue?.getJobs(['completed']))?.[0]?.data.text, 'seen')
    await views.close()
  }
})

t.test('the checks of a cluster cover every node', async (t) => {
  const last = cluster.nodes.at(-1)
  t.match(await inspectRedis(cluster.url), {
    version: /^\d/,
    maxmemoryPolicy: 'noeviction',
    appendOnly: false
  })

  await last?.command('CONFIG SET maxmemory-policy allkeys-lru')
  t.match(await inspectRedis(cluster.url), { maxmemoryPolicy: 'allkeys-lru' })
  await last?.command('CONFIG SET maxmemory-policy noeviction')
})

t.test('a wrong address is reported in one sentence', async (t) => {
  await t.rejects(inspectRedis('redis+cluster://127.0.0.1:1,127.0.0.1:2'), {
    code: 'QUEUE_UNAVAILABLE',
    message: /^no node of the Redis cluster can be used: /
  })
  const single = await startRedisServer()
  t.teardown(async () => await single.stop())
  await t.rejects(inspectRedis(`redis+cluster://127.0.0.1:${single.port}`), {
    message: /cluster support disabled/
  })
  t.throws(() => stackOn(t, { url: 'redis+cluster://' }).client(), /redis\+cluster:\/\/:password@node-1/)
})

t.test('a wrong password is reported in one sentence, and the right one is accepted', async (t) => {
  for (const node of cluster.nodes) {
    await node.command('CONFIG SET masterauth secret')
    await node.command('CONFIG SET requirepass secret')
  }
  const withPassword = (password: string): string => cluster.url.replace('://', `://:${password}@`)

  await t.rejects(inspectRedis(withPassword('guess')), { message: /can be used: WRONGPASS/ })
  await t.rejects(inspectRedis(cluster.url), { message: /can be used: NOAUTH/ })

  const { client, worker } = stackOn(t, { url: withPassword('secret') })
  await worker()
  const queues = client()
  await poll(async () => await queues.hasWorker(echo).catch(() => false), PATIENCE)
  t.match(await queues.request(echo, payloadOf('let in'), { deadlineMs: 30_000 }), { text: 'let in' })
})

t.test('only a cluster changes the prefix, and only one without a hash tag', async (t) => {
  const prefixes = (address: string): string[] =>
    ['fw', '{fw}', 'a{b}c', '{}', 'a}b'].map((prefix) => keyPrefix(address, prefix))

  t.strictSame(prefixes('redis://x'), ['fw', '{fw}', 'a{b}c', '{}', 'a}b'])
  t.strictSame(prefixes('rediss+cluster://x'), ['{fw}', '{fw}', 'a{b}c', '{{}}', '{a}b}'])
  t.equal(clusterError('no error'), 'no error')
})
