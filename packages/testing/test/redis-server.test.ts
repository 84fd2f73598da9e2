import { readdirSync } from 'node:fs'
import t from 'tap'
import { poll, startRedisServer } from '../src/index.js'

t.test(
  'a private Redis keeps its data through kill -9 only if told to, loses it when flushed, and leaves nothing behind',
  async (t) => {
    const redis = await startRedisServer({ appendOnly: true })
    t.teardown(async () => await redis.stop())
    const firstPid = redis.pid()
    t.match(await redis.command('SET key value'), '+OK')

    await redis.restart()
    t.not(redis.pid(), firstPid)
    t.match(await redis.command('GET key'), 'value')

    await redis.flush()
    t.match(await redis.command('GET key'), '$-1')

    const forgetful = await startRedisServer()
    t.teardown(async () => await forgetful.stop())
    await forgetful.command('SET key value')
    await forgetful.restart()
    t.match(await forgetful.command('GET key'), /^(\$-1|_)/)
    t.strictSame(readdirSync(forgetful.folder), [], 'nothing on disk')

    await redis.stop()
    t.equal(redis.pid(), undefined)
    await t.rejects(redis.command('PING'), { code: 'ECONNREFUSED' })
  }
)

t.test('a frozen Redis answers nothing until it thaws', async (t) => {
  const redis = await startRedisServer()
  t.teardown(async () => await redis.stop())

  redis.freeze()
  await t.rejects(redis.command('PING'), /did not answer/)
  redis.thaw()

  t.match(await redis.command('PING'), '+PONG')
})

t.test('a poll that times out reports what it waited for and the last error', async (t) => {
  await t.rejects(
    poll(() => false, { what: 'rain', timeoutMs: 30, intervalMs: 5 }),
    /rain did not come true within 30 ms/
  )
  await t.rejects(
    poll(
      () => {
        throw new Error('dry')
      },
      { timeoutMs: 30 }
    ),
    { cause: { message: 'dry' } }
  )
  t.equal(await poll(async () => 7), 7)
})
