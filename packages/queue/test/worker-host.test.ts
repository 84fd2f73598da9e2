import t from 'tap'
import { AppError, type Logger } from '@filewright/runtime'
import { poll, startRedisServer } from '@filewright/testing'
import { answer, createLatch, echo, logger, payloadOf, stackOn, untilAborted } from './helpers.js'

const redis = await startRedisServer()
t.teardown(async () => await redis.stop())
t.setTimeout(600_000)

t.test('closing waits for the running job within its grace', async (t) => {
  const { client, worker } = stackOn(t, redis)
  const running = createLatch()
  const gate = createLatch()
  const host = await worker(async (payload, context) => {
    running.open()
    await gate.opened
    return await answer(payload, context)
  })
  const outcome = client().request(echo, payloadOf('last'), { deadlineMs: 20_000 })
  await running.opened

  const closed = host.close({ graceMs: 10_000 })
  t.equal(host.isRunning(), false)
  gate.open()

  t.strictSame(await outcome, { text: 'last', attempt: 1 })
  await closed
})

t.test(
  'closing aborts a job that outlasts the grace period and returns it: the next worker finishes it as the same attempt',
  async (t) => {
    const { client, worker } = stackOn(t, redis)
    const running = createLatch()
    const host = await worker(async (_payload, { signal }) => {
      running.open()
      return await untilAborted(signal)
    })
    const outcome = client().request(echo, payloadOf('handed over'), { deadlineMs: 20_000 })
    await running.opened

    await host.close({ graceMs: 50 })
    await worker()

    t.strictSame(await outcome, { text: 'handed over', attempt: 1 })
  }
)

t.test('closing returns the job of a handler that ignores its signal', async (t) => {
  const { client, worker } = stackOn(t, redis)
  const running = createLatch()
  const host = await worker(async () => {
    running.open()
    return await new Promise(() => {})
  })
  const outcome = client().request(echo, payloadOf('pried loose'), { deadlineMs: 20_000 })
  await running.opened

  await host.close({ graceMs: 50 })
  await worker()

  t.equal((await outcome).text, 'pried loose')
})

t.test('a host that was never started, or was closed, does nothing', async (t) => {
  const { worker } = stackOn(t, redis)
  const host = await worker()
  await poll(() => host.isRunning())
  await host.ping()

  await Promise.all([host.close(), host.close()])
  await host.start()

  t.equal(host.isRunning(), false)
  await t.rejects(host.ping(), { code: 'QUEUE_UNAVAILABLE' })
})

t.test('a job that lost its lock has its signal aborted', async (t) => {
  const { client, worker, prefix } = stackOn(t, redis)
  const running = createLatch()
  const lost = createLatch()
  let runs = 0
  await worker(
    async (payload, context) => {
      if (++runs > 1) return await answer(payload, context)
      running.open()
      context.signal.addEventListener('abort', lost.open)
      return await untilAborted(context.signal)
    },
    { lockDurationMs: 1_000 }
  )
  const payload = payloadOf('x')
  const outcome = client().request(echo, payload, { deadlineMs: 30_000 })
  await running.opened

  await redis.command(`SET ${prefix}:echo:echo-${payload.id}:lock thief PX 300`)

  await lost.opened
  t.equal((await outcome).text, 'x')
})

t.test('finished jobs are removed from Redis after their time, also when nothing else happens', async (t) => {
  const { client, worker, prefix } = stackOn(t, redis)
  const brief = { ...echo, jobOptions: { ...echo.jobOptions, keepFinished: { age: 1, count: 10 } } }
  const host = await worker()
  const queues = client()
  await queues.request(echo, payloadOf('a-secret'), { deadlineMs: 5_000 })
  await host.close()
  const events = async (): Promise<string> => await redis.command(`XRANGE ${prefix}:echo:events - +`)
  t.match(await events(), /a-secret/)

  await poll(
    async () => {
      const janitor = await worker(answer, { definition: brief })
      await poll(async () => (await redis.command(`EXISTS ${prefix}:slots:echo`)).startsWith(':1'))
      await janitor.close()
      return (await queues.counts(echo)).completed === 0 && !(await events()).includes('a-secret')
    },
    { what: 'an empty queue', intervalMs: 300 }
  )
  t.pass('nothing is left')
})

t.test('a refusal is logged as info without a stack; a failure is a warning with one', async (t) => {
  const { client, worker } = stackOn(t, redis)
  const lines: [level: string, fields: Record<string, unknown>, message: string][] = []
  const recorder = Object.assign(Object.create(logger) as Logger, {
    info: (fields: Record<string, unknown>, message: string) => {
      lines.push(['info', fields, message])
    },
    warn: (fields: Record<string, unknown>, message: string) => {
      lines.push(['warn', fields, message])
    }
  })
  await worker(
    async ({ text }) => {
      throw text === 'refused'
        ? new AppError('NOT_OPTIMIZABLE', 'nothing to improve')
        : new AppError('MODEL_OUTPUT_INVALID', 'no list')
    },
    { logger: recorder }
  )
  const queues = client()

  await t.rejects(queues.request(echo, payloadOf('refused'), { deadlineMs: 20_000 }), {
    code: 'NOT_OPTIMIZABLE'
  })
  await t.rejects(queues.request(echo, payloadOf('failed'), { deadlineMs: 20_000 }), {
    code: 'MODEL_OUTPUT_INVALID'
  })

  const jobs = lines.filter(([, , message]) => message.startsWith('job '))
  t.match(jobs, [
    ['info', { queue: 'echo', code: 'NOT_OPTIMIZABLE', reason: 'nothing to improve' }, 'job refused'],
    ['warn', { queue: 'echo', err: { code: 'MODEL_OUTPUT_INVALID' } }, 'job failed']
  ])
  t.notOk('err' in jobs[0]![1], 'no stack')
})
