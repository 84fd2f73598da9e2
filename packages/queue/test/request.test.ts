import t from 'tap'
import { Queue } from 'bullmq'
import { Type } from '@filewright/schema'
import { AppError } from '@filewright/runtime'
import { poll, startRedisServer } from '@filewright/testing'
import { createWorkerHost, defineQueue, scanFile } from '../src/index.js'
import { answer, createLatch, echo, logger, payloadOf, stackOn, untilAborted } from './helpers.js'

const redis = await startRedisServer()
t.teardown(async () => await redis.stop())
t.setTimeout(600_000)

t.test("a request gets the worker's result", async (t) => {
  const { client, worker } = stackOn(t, redis)
  await worker()
  const queues = client()

  t.strictSame(await queues.request(echo, payloadOf('hello'), { deadlineMs: 60_000 }), {
    text: 'hello',
    attempt: 1
  })
  t.equal(queues.waiters(), 0)
})

t.test('2,000 requests in parallel each get their own result', async (t) => {
  const { client, worker } = stackOn(t, redis)
  await worker()
  const queues = client()
  const texts = Array.from({ length: 2_000 }, (_, i) => `text ${i}`)

  const results = await Promise.all(
    texts.map(async (text) => await queues.request(echo, payloadOf(text), { deadlineMs: 60_000 }))
  )

  t.strictSame(
    results.map(({ text }) => text),
    texts
  )
  t.equal(queues.waiters(), 0)
  const { waiting, active, failed, completed } = await queues.counts(echo)
  t.strictSame({ waiting, active, failed }, { waiting: 0, active: 0, failed: 0 })
  t.ok(completed <= 1_000, 'Redis keeps a bounded number of results')
})

t.test('progress reaches the requester in order and before the result', async (t) => {
  const { client, worker } = stackOn(t, redis)
  await worker(async ({ text }, { attempt, report }) => {
    for (let step = 0; step < 50; step++) await report({ step })
    return { text, attempt }
  })
  const steps: number[] = []

  await client().request(echo, payloadOf('x'), {
    deadlineMs: 60_000,
    onProgress: ({ step }) => {
      steps.push(step)
    }
  })

  t.strictSame(
    steps,
    Array.from({ length: 50 }, (_, i) => i)
  )
})

t.test(
  'progress that violates its contract, or a listener that throws, does not affect the request',
  async (t) => {
    const { client, worker } = stackOn(t, redis)
    await worker(async ({ text }, { attempt, report }) => {
      await report({ step: 'one' } as unknown as { step: number })
      await report({ step: 1 })
      return { text, attempt }
    })
    const seen: number[] = []

    const result = await client().request(echo, payloadOf('x'), {
      deadlineMs: 60_000,
      onProgress: ({ step }) => {
        seen.push(step)
        throw new Error('listener')
      }
    })

    t.equal(result.text, 'x')
    t.strictSame(seen, [1])
  }
)

t.test('a retryable error is retried as the definition says', async (t) => {
  const { client, worker } = stackOn(t, redis)
  await worker(async ({ text }, { attempt }) => {
    if (attempt < 3) throw new AppError('SCAN_UNAVAILABLE', 'not yet', { retryable: true })
    return { text, attempt }
  })

  t.strictSame(await client().request(echo, payloadOf('x'), { deadlineMs: 60_000 }), {
    text: 'x',
    attempt: 3
  })
})

t.test('an unexpected error is retried and ends as JOB_FAILED', async (t) => {
  const { client, worker } = stackOn(t, redis)
  let tries = 0
  await worker(async () => {
    tries++
    throw new TypeError('boom')
  })

  await t.rejects(client().request(echo, payloadOf('x'), { deadlineMs: 60_000 }), {
    code: 'JOB_FAILED',
    retryable: true
  })
  t.equal(tries, 3)
})

t.test(
  'an error that is not retryable reaches the requester with its code after one attempt, and its message stays out of Redis',
  async (t) => {
    const { client, worker, prefix } = stackOn(t, redis)
    let tries = 0
    await worker(async () => {
      tries++
      throw new AppError('FILE_REJECTED', 'quotes user-data-4711')
    })
    const payload = payloadOf('x')

    await t.rejects(client().request(echo, payload, { deadlineMs: 60_000 }), {
      code: 'FILE_REJECTED',
      retryable: false
    })
    t.equal(tries, 1)
    t.notMatch(await redis.command(`HGETALL ${prefix}:echo:echo-${payload.id}`), /4711/)
  }
)

t.test("a result that violates the requester's contract is a typed error", async (t) => {
  const { client, prefix } = stackOn(t, redis)
  const older = defineQueue({
    name: 'echo',
    payload: Type.Unknown(),
    result: Type.Object({ other: Type.Boolean() }),
    jobOptions: { attempts: 1 },
    jobId: () => 'x'
  })
  const host = createWorkerHost({
    definition: older,
    redisUrl: redis.url,
    prefix,
    concurrency: 1,
    logger,
    handle: async () => ({ other: true })
  })
  t.teardown(async () => await host.close())
  await host.start()

  await t.rejects(client().request(echo, payloadOf('x'), { deadlineMs: 60_000 }), { code: 'JOB_FAILED' })
})

t.test('a worker whose result violates its contract fails the job at once', async (t) => {
  const { client, worker } = stackOn(t, redis)
  let tries = 0
  await worker(async () => {
    tries++
    return { text: 1 } as unknown as { text: string; attempt: number }
  })

  await t.rejects(client().request(echo, payloadOf('x'), { deadlineMs: 60_000 }), { code: 'JOB_FAILED' })
  t.equal(tries, 1)
})

t.test('a payload that violates its contract never reaches Redis', async (t) => {
  const { client } = stackOn(t, redis)
  const queues = client()

  await t.rejects(queues.request(echo, { id: 'x' } as ReturnType<typeof payloadOf>, { deadlineMs: 60_000 }), {
    code: 'JOB_FAILED'
  })
  t.equal(queues.waiters(), 0)
  t.equal((await queues.counts(echo)).waiting, 0)
})

t.test('a queue that the client was not created for is refused', async (t) => {
  const { client } = stackOn(t, redis)

  await t.rejects(client().counts(scanFile), /not among/)
})

t.test(
  'a request past its deadline ends with DEADLINE_EXCEEDED and its running job is stopped',
  async (t) => {
    const { client, worker } = stackOn(t, redis)
    const stopped = createLatch()
    await worker(async (_payload, { signal }) => {
      signal.addEventListener('abort', stopped.open)
      return await untilAborted(signal)
    })
    const queues = client()
    // A connection that takes longer than the deadline to open would be a different error.
    await queues.counts(echo)

    await t.rejects(queues.request(echo, payloadOf('x'), { deadlineMs: 300 }), {
      code: 'DEADLINE_EXCEEDED',
      retryable: true
    })
    await stopped.opened
    t.equal(queues.waiters(), 0)
  }
)

t.test('a cancelled request removes its waiting job', async (t) => {
  const { client } = stackOn(t, redis)
  const queues = client()
  const controller = new AbortController()
  const outcome = queues.request(echo, payloadOf('x'), { deadlineMs: 60_000, signal: controller.signal })
  outcome.catch(() => {})
  const { oldestWaitingMs } = await poll(async () => {
    const counts = await queues.counts(echo)
    return counts.waiting === 1 ? counts : null
  })
  t.type(oldestWaitingMs, 'number')

  controller.abort()

  await t.rejects(outcome, { code: 'CANCELLED' })
  await poll(async () => (await queues.counts(echo)).waiting === 0, { what: 'the removal of the job' })
})

t.test('a cancelled request aborts the handler that runs its job, and the slot is free again', async (t) => {
  const { client, worker } = stackOn(t, redis)
  const running = createLatch()
  const stopped = createLatch()
  await worker(
    async (payload, context) => {
      if (payload.text !== 'endless') return await answer(payload, context)
      running.open()
      context.signal.addEventListener('abort', stopped.open)
      return await untilAborted(context.signal)
    },
    { concurrency: 1 }
  )
  const queues = client()
  const controller = new AbortController()
  const outcome = queues.request(echo, payloadOf('endless'), {
    deadlineMs: 60_000,
    signal: controller.signal
  })
  outcome.catch(() => {})
  await running.opened

  controller.abort()

  await t.rejects(outcome, { code: 'CANCELLED' })
  await stopped.opened
  t.equal((await queues.request(echo, payloadOf('next'), { deadlineMs: 60_000 })).text, 'next')
})

t.test('a signal that is already aborted adds nothing', async (t) => {
  const { client } = stackOn(t, redis)
  const queues = client()

  await t.rejects(queues.request(echo, payloadOf('x'), { deadlineMs: 60_000, signal: AbortSignal.abort() }), {
    code: 'CANCELLED'
  })
  t.equal((await queues.counts(echo)).waiting, 0)
})

t.test('one request above the limit is refused with OVERLOADED and does not affect the others', async (t) => {
  const { client, worker } = stackOn(t, redis)
  const gate = createLatch()
  await worker(async (payload, context) => {
    await gate.opened
    return await answer(payload, context)
  })
  const queues = client({ maxWaiters: 5 })
  const outcomes = Array.from(
    { length: 5 },
    async (_, i) => await queues.request(echo, payloadOf(`${i}`), { deadlineMs: 60_000 })
  )

  await t.rejects(queues.request(echo, payloadOf('one more'), { deadlineMs: 60_000 }), {
    code: 'OVERLOADED',
    retryable: true
  })

  gate.open()
  t.strictSame(
    (await Promise.all(outcomes)).map(({ text }) => text),
    ['0', '1', '2', '3', '4']
  )
})

t.test(
  'a full queue refuses more jobs with OVERLOADED before any work, and accepts them again when it is shorter',
  async (t) => {
    const { client, worker } = stackOn(t, redis)
    const queues = client({ maxDepth: { echo: 3 } })
    const isFull = (): boolean => {
      try {
        queues.ensureRoom(echo)
        return false
      } catch (error) {
        return (error as { code: string }).code === 'OVERLOADED'
      }
    }
    const outcomes = Array.from(
      { length: 3 },
      async (_, i) => await queues.request(echo, payloadOf(`${i}`), { deadlineMs: 60_000 })
    )

    await poll(async () => isFull(), { what: 'the queue to be full' })
    await t.rejects(queues.request(echo, payloadOf('one more'), { deadlineMs: 60_000 }), {
      code: 'OVERLOADED',
      retryable: true
    })

    await worker()
    await Promise.all(outcomes)
    await poll(async () => !isFull(), { what: 'room in the queue' })
    t.equal((await queues.request(echo, payloadOf('again'), { deadlineMs: 60_000 })).text, 'again')
  }
)

t.test('two requests for the same id share one run', async (t) => {
  const { client, worker } = stackOn(t, redis)
  let runs = 0
  await worker(async (payload, context) => {
    runs++
    return await answer(payload, context)
  })
  const queues = client()
  const payload = payloadOf('shared')

  const results = await Promise.all(
    [1, 2].map(async () => await queues.request(echo, payload, { deadlineMs: 60_000 }))
  )
  const again = await queues.request(echo, payload, { deadlineMs: 60_000 })

  t.strictSame(
    [...results, again].map(({ text }) => text),
    ['shared', 'shared', 'shared']
  )
  t.equal(runs, 1)
})

t.test('a request whose id failed for an earlier request runs again', async (t) => {
  const { client, worker } = stackOn(t, redis)
  let healthy = false
  await worker(async (payload, context) => {
    if (!healthy) throw new AppError('FILE_REJECTED', 'no')
    return await answer(payload, context)
  })
  const queues = client()
  const payload = payloadOf('second')
  await t.rejects(queues.request(echo, payload, { deadlineMs: 60_000 }), { code: 'FILE_REJECTED' })
  healthy = true

  t.equal((await queues.request(echo, payload, { deadlineMs: 60_000 })).text, 'second')
})

t.test('a request whose running job is cancelled by another producer runs again', async (t) => {
  const { client, worker } = stackOn(t, redis)
  const running = createLatch()
  let runs = 0
  await worker(async (payload, context) => {
    if (++runs > 1) return await answer(payload, context)
    running.open()
    return await untilAborted(context.signal)
  })
  const [first, second] = [client(), client()]
  const payload = payloadOf('wanted')
  const leaving = new AbortController()
  const left = first.request(echo, payload, { deadlineMs: 60_000, signal: leaving.signal })
  left.catch(() => {})
  await running.opened
  const wanted = second.request(echo, payload, { deadlineMs: 60_000 })
  await poll(() => second.waiters() === 1)

  leaving.abort()

  await t.rejects(left, { code: 'CANCELLED' })
  t.equal((await wanted).text, 'wanted')
})

t.test('requests resolve by polling when the event stream is trimmed', async (t) => {
  const { client, worker, prefix } = stackOn(t, redis)
  const gate = createLatch()
  await worker(async (payload, context) => {
    await gate.opened
    return await answer(payload, context)
  })
  const queues = client()
  const outcomes = Array.from(
    { length: 20 },
    async (_, i) => await queues.request(echo, payloadOf(`${i}`), { deadlineMs: 60_000 })
  )
  await poll(async () => (await queues.counts(echo)).active === 20)
  const raw = new Queue('echo', { connection: { url: redis.url }, prefix })
  t.teardown(async () => await raw.close())
  const readers = (await redis.command('CLIENT LIST TYPE normal'))
    .split('\n')
    .filter((line) => line.includes('cmd=xread'))
  for (const line of readers) await redis.command(`CLIENT KILL ID ${/id=(\d+)/.exec(line)?.[1] ?? ''}`)
  gate.open()
  await raw.trimEvents(0)

  t.strictSame(
    (await Promise.all(outcomes)).map(({ text }) => text),
    Array.from({ length: 20 }, (_, i) => `${i}`)
  )
  t.ok(readers.length > 0, 'a reader was cut off')
})

t.test(
  'a request on a queue without workers ends with QUEUE_UNAVAILABLE long before its deadline',
  async (t) => {
    const { client } = stackOn(t, redis)
    const queues = client({ noWorkerAfterMs: 600 })

    await t.rejects(queues.request(echo, payloadOf('x'), { deadlineMs: 60_000 }), {
      code: 'QUEUE_UNAVAILABLE'
    })
    await poll(async () => (await queues.counts(echo)).waiting === 0, { what: 'the removal of the job' })
  }
)

t.test('a busy worker counts as a worker: requests wait for its queue', async (t) => {
  const { client, worker } = stackOn(t, redis)
  const gate = createLatch()
  await worker(
    async (payload, context) => {
      await gate.opened
      return await answer(payload, context)
    },
    { concurrency: 1 }
  )
  const queues = client({ noWorkerAfterMs: 600 })
  const startedAt = Date.now()
  const outcomes = ['a', 'b'].map(
    async (text) => await queues.request(echo, payloadOf(text), { deadlineMs: 20_000 })
  )
  await poll(() => Date.now() - startedAt > 1_500)

  gate.open()

  t.strictSame(
    (await Promise.all(outcomes)).map(({ text }) => text),
    ['a', 'b']
  )
})

t.test('a more urgent request overtakes the ones before it', async (t) => {
  const { client, worker } = stackOn(t, redis)
  const queues = client()
  const order: string[] = []
  const outcomes = [
    ['later', 10],
    ['sooner', 1]
  ].map(
    async ([text, priority]) =>
      await queues.request(echo, payloadOf(String(text)), { deadlineMs: 60_000, priority: Number(priority) })
  )
  await poll(async () => (await queues.counts(echo)).waiting === 2)

  await worker(
    async (payload, context) => {
      order.push(payload.text)
      return await answer(payload, context)
    },
    { concurrency: 1 }
  )
  await Promise.all(outcomes)

  t.strictSame(order, ['sooner', 'later'])
})

t.test('closing the client fails waiting requests with QUEUE_UNAVAILABLE, and all later ones', async (t) => {
  const { client } = stackOn(t, redis)
  const queues = client()
  const outcome = queues.request(echo, payloadOf('x'), { deadlineMs: 60_000 })
  outcome.catch(() => {})
  await poll(async () => (await queues.counts(echo)).waiting === 1)

  await queues.close()

  await t.rejects(outcome, { code: 'QUEUE_UNAVAILABLE' })
  await t.rejects(queues.request(echo, payloadOf('x'), { deadlineMs: 1_000 }), { code: 'QUEUE_UNAVAILABLE' })
  t.equal(queues.waiters(), 0)
})
