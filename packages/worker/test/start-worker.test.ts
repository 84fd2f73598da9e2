import { createServer } from 'node:net'
import { once } from 'node:events'
import t, { type Test } from 'tap'
import { createQueueClient, defineQueue } from '@filewright/queue'
import { createLogger, loadConfig, type HealthResult, type ShutdownStep } from '@filewright/runtime'
import { Type } from '@filewright/schema'
import { freePort, poll, startRedisServer } from '@filewright/testing'
import { startWorker, workerConfig, type WorkerConfig } from '../src/index.js'

t.setTimeout(300_000)

const PREFIX = 'worker'
const PATIENCE = { timeoutMs: 60_000 }
const logger = createLogger({ name: 'test', level: 'silent' })
const double = defineQueue<{ v: 1; value: number }, { value: number }>({
  name: 'double',
  payload: Type.Object({ v: Type.Literal(1), value: Type.Integer() }),
  result: Type.Object({ value: Type.Integer() }),
  jobOptions: { attempts: 1 },
  jobId: ({ value }) => `double-${value}`
})
const redis = await startRedisServer()
t.teardown(redis.stop)

interface Toy {
  config: WorkerConfig
  /** The events in order. */
  events: string[]
  start: () => Promise<ShutdownStep[]>
}

function createToy(port: number, { check, failsToStart = false }: ToyOptions = {}): Toy {
  const events: string[] = []
  const config = loadConfig<WorkerConfig>(Type.Object(workerConfig), {
    REDIS_URL: redis.url,
    QUEUE_PREFIX: PREFIX,
    PROBE_PORT: String(port)
  })
  return {
    config,
    events,
    start: async () =>
      await startWorker({
        service: 'toy',
        definition: double,
        concurrency: 1,
        longestJobMs: 1_000,
        config,
        logger,
        behind: { name: 'part', gate: 'ready' },
        create: () => ({
          defineMetrics: (prom, registry) => ({
            doubled: new prom.Counter({ name: 'toy_doubled_total', help: 'Jobs', registers: [registry] })
          }),
          handler:
            (record) =>
            async ({ value }) => {
              record(({ doubled }) => doubled.inc())
              return { value: 2 * value }
            },
          check: async () => check?.() ?? { ok: true },
          start: async () => {
            events.push('start')
            if (failsToStart) throw new Error('the part does not start')
          },
          started: () => {
            events.push('started')
          },
          stop: [
            {
              name: 'broken part',
              run: () => {
                events.push('broken part')
                throw new Error('does not close')
              }
            },
            { name: 'part', run: () => events.push('part') }
          ]
        })
      })
  }
}

interface ToyOptions {
  check?: () => HealthResult
  failsToStart?: boolean
}

async function stopAll(steps: readonly ShutdownStep[]): Promise<void> {
  for (const { run } of steps) {
    await (async () => {
      await run()
    })().catch(() => {})
  }
}

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer()
  server.listen(port, '127.0.0.1')
  const isHeld = await once(server, 'listening').then(
    () => false,
    () => true
  )
  if (!isHeld) server.close()
  return !isHeld
}

async function withPort(t: Test, options?: ToyOptions): Promise<Toy & { port: number }> {
  const port = await freePort()
  t.equal(await isFree(port), true)
  return { port, ...createToy(port, options) }
}

t.test('a worker processes jobs, counts them, and is ready if its dependency is', async (t) => {
  let report: HealthResult = { ok: true }
  const { port, events, start } = await withPort(t, { check: () => report })
  const queue = createQueueClient({ redisUrl: redis.url, prefix: PREFIX, logger, definitions: [double] })
  const steps = await start()
  t.teardown(async () => {
    await stopAll(steps)
    await queue.close()
  })
  const readiness = async (): Promise<number> => (await fetch(`http://127.0.0.1:${port}/health/ready`)).status

  t.strictSame(await queue.request(double, { v: 1, value: 21 }, { deadlineMs: 60_000 }), { value: 42 })
  const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  t.match(page, 'toy_doubled_total 1')
  t.match(page, 'filewright_worker_jobs_total{queue="double",outcome="ok"} 1')
  t.strictSame(events, ['start', 'started'])
  await poll(async () => (await readiness()) === 200, PATIENCE)
  report = { ok: false, reason: 'gone' }
  await poll(async () => (await readiness()) === 503, PATIENCE)
})

t.test('a worker closes everything that it opened if a part fails to start', async (t) => {
  const { port, events, start } = await withPort(t, { failsToStart: true })

  await t.rejects(start(), { message: 'the part does not start' })

  t.strictSame(events, ['start', 'broken part', 'part'], 'a part that does not close keeps none open')
  t.equal(await isFree(port), true, 'the probe port is free again')
})

t.test('a worker whose probe port is taken closes its parts and takes no job', async (t) => {
  const port = await freePort()
  const other = createServer().listen(port, '127.0.0.1')
  await once(other, 'listening')
  t.teardown(() => other.close())
  const { events, start } = createToy(port)

  await t.rejects(start(), { code: 'EADDRINUSE' })

  t.strictSame(events, ['broken part', 'part'])
})

t.test('parts are closed after the queue worker and before metrics and probe', async (t) => {
  const { start } = await withPort(t)
  const steps = await start()
  t.teardown(async () => await stopAll(steps))

  t.strictSame(
    steps.map(({ name }) => name),
    ['health', 'queue worker', 'watchdog', 'broken part', 'part', 'metrics', 'tracing', 'probe']
  )
})
