import t from 'tap'
import type { Redis } from 'ioredis'
import { poll, startRedisServer } from '@filewright/testing'
import { createFailFastConnection } from '../src/connections.js'
import type { RedisClient } from '../src/redis-cluster.js'
import { logger } from './helpers.js'

const server = await startRedisServer()
const redis = createFailFastConnection({ redisUrl: server.url, logger, what: 'Redis' })
await new Promise((resolve) => redis.once('ready', resolve))
t.teardown(async () => {
  redis.disconnect()
  await server.stop()
})

/** How often Redis has read from a connection. */
async function readsOf(client: RedisClient): Promise<number> {
  return Number(/^total_reads_processed:(\d+)/m.exec(await client.info('stats'))?.[1])
}

t.test('the commands of one event-loop turn reach Redis together and in order', async (t) => {
  const before = await readsOf(redis)

  const replies = await Promise.all(Array.from({ length: 50 }, () => redis.incr('turn')))

  t.strictSame(
    replies,
    Array.from({ length: 50 }, (_, i) => i + 1)
  )
  // This query itself is one more.
  t.ok((await readsOf(redis)) - before <= 5, 'in a few reads and not in 50')
})

t.test('a single command is sent at once', async (t) => {
  t.equal(await redis.set('alone', 'x'), 'OK')
  t.equal(await redis.get('alone'), 'x')
})

t.test(
  'commands of a turn in which the connection breaks are rejected, and the next connection works',
  async (t) => {
    const lost = Promise.allSettled([redis.get('alone'), redis.get('alone')])
    ;(redis as Redis).stream.destroy()
    for (const { status } of await lost) t.equal(status, 'rejected')

    await poll(async () => (await redis.get('alone').catch(() => null)) === 'x', {
      what: 'the next connection'
    })
  }
)
