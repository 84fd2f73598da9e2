import t, { type Test } from 'tap'
import { createId } from '@filewright/runtime'
import { poll, startRedisServer } from '@filewright/testing'
import { createWindowCounter, type WindowCounter, type WindowCounterOptions } from '../src/index.js'
import { logger } from './helpers.js'

const redis = await startRedisServer()
t.teardown(async () => await redis.stop())

async function counterOf(t: Test, options: Partial<WindowCounterOptions> = {}): Promise<WindowCounter> {
  const counter = createWindowCounter({
    redisUrl: redis.url,
    prefix: 'test',
    logger,
    windowMs: 60_000,
    restMs: 100,
    ...options
  })
  t.teardown(() => counter.close())
  await poll(async () => (await counter.hit([{ name: createId(), by: 1 }])) !== null, {
    what: 'the connection'
  })
  return counter
}

t.test('counts are shared by all counters', async (t) => {
  const [one, two] = [await counterOf(t), await counterOf(t)]
  const name = createId()

  await Promise.all(
    Array.from({ length: 20 }, async (_, i) => await (i % 2 === 0 ? one : two).hit([{ name, by: 1 }]))
  )

  const counts = await one.hit([
    { name, by: 1 },
    { name: createId(), by: 1 }
  ])
  t.match(counts, [{ count: 21 }, { count: 1 }])
  t.ok(counts?.every(({ resetMs }) => resetMs > 0 && resetMs <= 60_000))
})

t.test('a window ends, and the count starts again', async (t) => {
  const counter = await counterOf(t, { windowMs: 100 })
  const name = createId()
  for (let i = 0; i < 3; i++) await counter.hit([{ name, by: 1 }])

  await poll(async () => (await counter.hit([{ name, by: 1 }]))?.[0]?.count === 1, {
    what: 'a new window',
    intervalMs: 150
  })
})

t.test('a key that lost its expiry gets one again', async (t) => {
  const counter = await counterOf(t)
  const name = createId()
  await redis.command(`SET test:rate:${name} 7`)

  t.match(await counter.hit([{ name, by: 1 }]), [{ count: 8, resetMs: 60_000 }])
})

t.test(
  'a frozen Redis delays the first request briefly and later ones not at all; it is used again when it resumes',
  async (t) => {
    const counter = await counterOf(t, { restMs: 3_000 })
    redis.freeze()
    t.teardown(() => redis.thaw())

    t.equal(await counter.hit([{ name: 'a', by: 1 }]), null)
    const startedAt = performance.now()
    for (let i = 0; i < 100; i++) t.equal(await counter.hit([{ name: 'a', by: 1 }]), null)
    t.ok(performance.now() - startedAt < 1_500, 'a hundred refusals take less than six timeouts')

    redis.thaw()
    await poll(async () => (await counter.hit([{ name: 'a', by: 1 }])) !== null, {
      what: 'Redis to be used again',
      timeoutMs: 30_000
    })
  }
)

t.test('a Redis that is down returns null at once, and counting continues after its return', async (t) => {
  const counter = await counterOf(t)
  await redis.kill()

  t.equal(await counter.hit([{ name: 'b', by: 1 }]), null)
  await redis.start()
  await poll(async () => (await counter.hit([{ name: 'b', by: 1 }])) !== null, {
    what: 'Redis to be used again',
    timeoutMs: 30_000
  })
})
