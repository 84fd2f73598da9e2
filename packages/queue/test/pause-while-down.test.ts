import t, { type Test } from 'tap'
import type { HealthResult } from '@filewright/runtime'
import { poll, startRedisServer } from '@filewright/testing'
import { answer, createLatch, echo, payloadOf, stackOn, untilAborted, type EchoHandle } from './helpers.js'

const redis = await startRedisServer()
t.teardown(async () => await redis.stop())
t.setTimeout(600_000)

const DOWN: HealthResult = { ok: false, reason: 'the part is away' }

/** Workers with a required dependency, each with a switch for it. */
function gatedStack(t: Test) {
  const stack = stackOn(t, redis)
  return {
    ...stack,
    gated: async (handle: EchoHandle, part = { isUp: true }) => {
      const host = await stack.worker(handle, {
        pauseWhileDown: true,
        check: async () => (part.isUp ? { ok: true } : DOWN)
      })
      return { host, part }
    }
  }
}

t.test('a worker whose dependency is down takes no jobs, says why, and resumes when it works', async (t) => {
  const { client, gated } = gatedStack(t)
  const queues = client()
  const { host, part } = await gated(answer, { isUp: false })
  await poll(async () => (await queues.workers(echo)).length === 1)
  const outcome = queues.request(echo, payloadOf('patient'), { deadlineMs: 60_000 })
  await poll(async () => (await queues.counts(echo)).waiting === 1)

  t.strictSame(await queues.workers(echo), [DOWN])
  t.strictSame(host.report(), DOWN)
  t.equal(await queues.hasWorker(echo), false)
  t.equal(host.isRunning(), false)

  part.isUp = true

  t.strictSame(await outcome, { text: 'patient', attempt: 1 })
  t.strictSame(host.report(), { ok: true })
  t.equal(host.isRunning(), true)
})

t.test('a job that fails with its dependency costs no attempt, and goes to another worker', async (t) => {
  const { client, gated, worker } = gatedStack(t)
  const queues = client()
  let runs = 0
  const { host, part } = await gated(async () => {
    runs++
    part.isUp = false
    throw new Error('the connection to the part broke')
  })
  const outcome = queues.request(echo, payloadOf('passed on'), { deadlineMs: 60_000 })
  // Before its first check the host has nothing good to report either.
  await poll(() => runs === 1 && !host.report().ok)

  await worker()

  t.strictSame(await outcome, { text: 'passed on', attempt: 1 })
  t.equal(runs, 1)
})

t.test('a prioritized job that is returned to the queue wakes an idle worker', async (t) => {
  const { client, gated, prefix } = gatedStack(t)
  let hasBroken = false
  const { host, part } = await gated(async (payload, context) => {
    if (hasBroken) return await answer(payload, context)
    hasBroken = true
    part.isUp = false
    throw new Error('the connection to the part broke')
  })
  const outcome = client().request(echo, payloadOf('urgent'), { deadlineMs: 60_000, lane: 'a' })
  await poll(() => hasBroken && !host.report().ok)

  await poll(async () => (await redis.command(`ZCARD ${prefix}:echo:prioritized`)).startsWith(':1'))
  await poll(async () => (await redis.command(`ZCARD ${prefix}:echo:marker`)).startsWith(':1'), {
    what: 'the marker that BullMQ wakes workers by'
  })

  part.isUp = true
  t.strictSame(await outcome, { text: 'urgent', attempt: 1 })
})

t.test('jobs that run when the dependency is found down are stopped and returned to the queue', async (t) => {
  const { client, gated, worker } = gatedStack(t)
  const queues = client()
  let running = 0
  const { part } = await gated(async (_payload, { signal }) => {
    running++
    return await untilAborted(signal)
  })
  const outcomes = ['a', 'b', 'c'].map(
    async (text) => await queues.request(echo, payloadOf(text), { deadlineMs: 60_000 })
  )
  await poll(() => running === 3)

  part.isUp = false
  await poll(async () => (await queues.counts(echo)).waiting === 3)
  await worker()

  t.strictSame(
    (await Promise.all(outcomes)).map(({ attempt }) => attempt),
    [1, 1, 1]
  )
})

t.test('a failure while the dependency works costs an attempt', async (t) => {
  const { client, gated } = gatedStack(t)
  await gated(async (payload, context) => {
    if (context.attempt < 3) throw new Error('not yet')
    return await answer(payload, context)
  })

  t.strictSame(await client().request(echo, payloadOf('third time'), { deadlineMs: 60_000 }), {
    text: 'third time',
    attempt: 3
  })
})

t.test(
  'a job that breaks the dependency each time is returned at most three times, then costs attempts',
  async (t) => {
    const { client, worker } = stackOn(t, redis)
    let runs = 0
    let isBroken = false
    await worker(
      async () => {
        runs++
        isBroken = true
        throw new Error('the part broke')
      },
      {
        pauseWhileDown: true,
        // It works again right after a check has seen it down.
        check: async () => {
          const report: HealthResult = isBroken ? DOWN : { ok: true }
          isBroken = false
          return report
        }
      }
    )

    await t.rejects(client().request(echo, payloadOf('poison'), { deadlineMs: 120_000 }), {
      code: 'JOB_FAILED'
    })
    // A fetch that was in progress when the worker was paused also counts, and is not a run.
    t.ok(runs >= echo.jobOptions.attempts && runs <= 3 + echo.jobOptions.attempts, `${runs} runs`)
  }
)

t.test(
  'while no worker has its dependency, requests end with QUEUE_UNAVAILABLE long before their deadline',
  async (t) => {
    const { client, gated } = gatedStack(t)
    const queues = client({ noWorkerAfterMs: 600 })
    const { part } = await gated(answer, { isUp: false })

    await t.rejects(queues.request(echo, payloadOf('x'), { deadlineMs: 300_000 }), {
      code: 'QUEUE_UNAVAILABLE'
    })

    part.isUp = true
    await poll(async () => await queues.hasWorker(echo))
    t.equal((await queues.request(echo, payloadOf('y'), { deadlineMs: 60_000 })).text, 'y')
  }
)

t.test('a paused worker can be closed, also while it runs jobs', async (t) => {
  const { client, gated, worker } = gatedStack(t)
  const { host: idle } = await gated(answer, { isUp: false })
  await idle.close()
  const running = createLatch()
  const { host, part } = await gated(async () => {
    running.open()
    return await new Promise(() => {})
  })
  const queues = client()
  const outcome = queues.request(echo, payloadOf('pried loose'), { deadlineMs: 60_000 })
  await running.opened
  part.isUp = false
  await poll(() => !host.report().ok)

  await host.close({ graceMs: 50 })
  await worker()

  t.strictSame(await outcome, { text: 'pried loose', attempt: 1 })
})
