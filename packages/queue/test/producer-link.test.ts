import t, { type Test } from 'tap'
import { startRedisServer, type RedisServer } from '@filewright/testing'
import { createProducerLink, type ProducerLink } from '../src/producer-link.js'
import { logger } from './helpers.js'

t.setTimeout(120_000)

/** Longer than a command may take. */
const STANDSTILL_MS = 2_000

async function linkTo(t: Test, redis: RedisServer): Promise<ProducerLink> {
  const link = createProducerLink({ redisUrl: redis.url, logger, what: 'test' })
  t.teardown(link.close)
  await link.run(async () => await link.redis.ping())
  return link
}

/** As a burst of other work or a busy machine does. */
function blockEventLoop(): void {
  const until = Date.now() + STANDSTILL_MS
  while (Date.now() < until);
}

for (const [name, turns] of Object.entries({ 'before its commands were written': 0, 'after them': 1 })) {
  t.test(`a process that stood still ${name} gets its replies, not timeouts`, async (t) => {
    const redis = await startRedisServer()
    t.teardown(async () => await redis.stop())
    const link = await linkTo(t, redis)

    const replies = Array.from(
      { length: 200 },
      async () => await link.run(async () => await link.redis.ping())
    )
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
    blockEventLoop()

    t.strictSame(new Set(await Promise.all(replies)), new Set(['PONG']))
  })
}

t.test('a process that was blocked while it connected gets its reply', async (t) => {
  const redis = await startRedisServer()
  t.teardown(async () => await redis.stop())
  const link = createProducerLink({ redisUrl: redis.url, logger, what: 'test' })
  t.teardown(link.close)

  const reply = link.run(async () => await link.redis.ping())
  blockEventLoop()

  t.equal(await reply, 'PONG')
})

t.test('a call that waited long behind others is tried again like any other', async (t) => {
  const redis = await startRedisServer()
  t.teardown(async () => await redis.stop())
  const link = await linkTo(t, redis)
  let release = (): void => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  // More than are in flight at a time.
  const others = Array.from(
    { length: 100 },
    async () =>
      await link.run(async () => {
        await held
      })
  )
  let attempts = 0
  const late = link.run(async () => {
    if (++attempts === 1) throw new Error('Command timed out')
    return await link.redis.ping()
  })
  const realNow = Date.now.bind(Date)

  t.intercept(Date, 'now', { value: () => realNow() + 60_000 })
  release()
  await Promise.all(others)

  t.equal(await late, 'PONG')
  t.equal(attempts, 2)
})
