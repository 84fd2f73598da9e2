import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { createQueueClient } from '@filewright/queue'
import { createLogger } from '@filewright/runtime'
import { startRedisServer } from '@filewright/testing'
import { startWatchdog, watchdogSeconds } from '../src/watchdog.js'
import { toy, type Behaviour } from './fixtures/toy-worker.js'

t.setTimeout(300_000)

const logger = createLogger({ name: 'test', level: 'silent' })
const redis = await startRedisServer()
t.teardown(redis.stop)

interface Toys {
  start: (behaviour: Behaviour, watchdogSeconds: number) => ChildProcess
  request: (text: string) => Promise<{ text: string; by: number }>
}

/** Workers in separate processes, and a client for them. */
function createToys(t: Test, prefix: string): Toys {
  const client = createQueueClient({ redisUrl: redis.url, prefix, logger, definitions: [toy] })
  t.teardown(() => client.close())
  return {
    start: (behaviour, seconds) => {
      const child = fork(fileURLToPath(new URL('./fixtures/toy-worker.js', import.meta.url)), [behaviour], {
        env: { REDIS_URL: redis.url, QUEUE_PREFIX: prefix, WATCHDOG_SECONDS: String(seconds) }
      })
      t.teardown(() => child.kill('SIGKILL'))
      return child
    },
    request: async (text) => await client.request(toy, { v: 1, text }, { deadlineMs: 120_000 })
  }
}

/** Waits for this message, because a worker also sends one at startup. */
async function hasJob(child: ChildProcess): Promise<void> {
  for (;;) {
    const [message] = await once(child, 'message')
    if (message === 'has a job') return
  }
}

for (const [behaviour, how] of [
  ['hangs', [1, null]],
  ['blocks', [null, 'SIGKILL']]
] as const) {
  t.test(`a worker that ${behaviour} exits, and another one finishes its job`, async (t) => {
    const toys = createToys(t, behaviour)
    const stuck = toys.start(behaviour, 2)
    const ended = once(stuck, 'exit')
    const outcome = toys.request('a')
    await hasJob(stuck)
    const other = toys.start('works', 2)

    t.strictSame(await ended, how)
    t.match(await outcome, { text: 'a', by: other.pid })
  })
}

t.test('a worker that was frozen for longer than the limit is not killed', async (t) => {
  const toys = createToys(t, 'frozen')
  const worker = toys.start('works when told', 6)
  // Requests to a frozen worker fail after ten seconds, because no worker is alive.
  const given = toys.request('a').catch(() => {})
  await hasJob(worker)

  worker.kill('SIGSTOP')
  // A process can only be frozen for real, for longer than the watchdog waits.
  await sleep(9_000)
  worker.kill('SIGCONT')
  worker.send('go on')
  await given

  t.match(await toys.request('b'), { by: worker.pid })
})

t.test('a long job is allowed while others end; a worker that finishes none is detected', async (t) => {
  let hasEnded = false
  const ended = new Promise<void>((resolve) => {
    const watchdog = startWatchdog({
      seconds: 5,
      logger,
      end: () => {
        hasEnded = true
        void watchdog.stop().then(resolve)
      }
    })
    void watchdog.watched(async () => await new Promise(() => {}))()
    const startedAt = performance.now()
    const quick = setInterval(() => {
      void watchdog.watched(async () => {})()
      if (performance.now() - startedAt < 8_000) return
      clearInterval(quick)
      t.notOk(hasEnded, 'after longer than the watchdog waits')
    }, 100)
  })

  await ended
  t.ok(hasEnded)
})

t.test('waits longer than the longest job may take', async (t) => {
  t.equal(watchdogSeconds(900, 120_000), 900)
  t.equal(watchdogSeconds(60, 120_000), 360, 'an operator who allows long answers need not think of it')
  t.equal(watchdogSeconds(0, 120_000), 0, 'off')
})
