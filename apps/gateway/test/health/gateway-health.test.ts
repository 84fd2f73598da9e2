import t, { type Test } from 'tap'
import { AppError, createLogger, type HealthResult } from '@filewright/runtime'
import { poll } from '@filewright/testing'
import { createGatewayHealth } from '../../src/health/gateway-health.js'

const logger = createLogger({ name: 'test', level: 'silent' })
const well = async (): Promise<void> => {}

type Reports = Record<string, () => Promise<HealthResult[]>>

function healthOf(
  t: Test,
  reports: Reports,
  { ping = well, probe = well, look = well, requireLevel = well } = {}
) {
  const health = createGatewayHealth({
    database: { ping: well, requireLevel },
    queue: { ping, workers: async ({ name }) => await reports[name]!() },
    blobs: { probe },
    store: { look },
    hasWebhooks: false,
    logger
  })
  t.teardown(async () => await health.stop())
  health.start()
  return health
}

t.test("is ready when every dependency answers, and shows the workers' reports on theirs", async (t) => {
  const health = healthOf(t, {
    scan: async () => [{ ok: true, facts: { engine: 'ClamAV 1' } }],
    inference: async () => [{ ok: true }]
  })

  await poll(() => health.report().status === 'ok')
  t.match(Object.keys(health.report().checks), [
    'postgresql',
    'redis',
    'storage',
    'scan-queue',
    'clamd',
    'inference-queue',
    'ollama'
  ])
  t.match(health.report().checks.clamd, { state: 'ok', engine: 'ClamAV 1' })
})

t.test('a database with missing migrations is named, and the gateway is not ready', async (t) => {
  const health = healthOf(
    t,
    { scan: async () => [{ ok: true }], inference: async () => [{ ok: true }] },
    {
      requireLevel: async () => {
        throw new AppError('DATABASE_UNAVAILABLE', 'the database is not migrated: 2026_next is missing')
      }
    }
  )

  await poll(() => health.report('start').checks.postgresql?.state === 'down')
  t.match(health.report('start'), {
    status: 'unavailable',
    reason: /postgresql: the database is not migrated/
  })
})

t.test('a scanner whose signatures are getting old is degraded and keeps working', async (t) => {
  const health = healthOf(t, {
    scan: async () => [{ ok: true, warning: 'the signatures are 90 hours old' }],
    inference: async () => [{ ok: true }]
  })

  await poll(() => health.report().status === 'degraded')
  t.match(health.report(), {
    reason: /clamd: the signatures are 90 hours old/,
    checks: { clamd: { state: 'degraded' } }
  })
})

t.test('a scanner that is down is named, and its queue is not', async (t) => {
  const health = healthOf(t, {
    scan: async () => [{ ok: false, reason: 'cannot connect' }],
    inference: async () => [{ ok: true }]
  })

  await poll(() => health.report().checks.clamd?.state === 'down')
  t.match(health.report(), {
    status: 'unavailable',
    reason: /clamd: cannot connect/,
    checks: { 'scan-queue': { state: 'ok' } }
  })
  t.equal(health.report('start').checks.clamd, undefined)
})

t.test('AI problems are reported and block nothing', async (t) => {
  const health = healthOf(t, { scan: async () => [{ ok: true }], inference: async () => [] })

  await poll(() => health.report().status === 'degraded')
  await poll(() => health.report().checks['inference-queue']?.state === 'down')
  t.match(health.report().checks, {
    'inference-queue': { state: 'down', reason: 'no worker is alive' },
    ollama: { state: 'down', reason: 'no worker reports on it' }
  })
})

t.test('is ready if one worker has a working clamd, and reports the problems of the others', async (t) => {
  const away: HealthResult = { ok: false, reason: 'cannot connect' }
  const health = healthOf(t, {
    scan: async () => [away, { ok: true, facts: { engine: 'e' } }, away],
    inference: async () => [{ ok: true }]
  })

  await poll(() => health.report().status === 'degraded')
  t.match(health.report().checks, {
    'scan-queue': { state: 'ok' },
    clamd: { state: 'degraded', engine: 'e', reason: 'does not work for 2 of 3 workers: cannot connect' }
  })
})

t.test('missing workers and an unreachable Redis are named', async (t) => {
  let reports = async (): Promise<HealthResult[]> => [{ ok: true }]
  const health = healthOf(t, { scan: async () => await reports(), inference: async () => [{ ok: true }] })
  await poll(() => health.report().status === 'ok')

  reports = async () => []
  await poll(() => health.report().status === 'unavailable')
  t.match(health.report().reason, /scan-queue: no worker is alive; clamd: no worker reports on it/)

  reports = async () => {
    throw new AppError('QUEUE_UNAVAILABLE', 'Redis did not take the command')
  }
  await poll(() => health.report().reason?.includes('Redis did not take the command') === true)
  t.equal(health.report().status, 'unavailable')
})

t.test('a store of another installation is named, and no probe is written to it', async (t) => {
  let probes = 0
  const health = healthOf(
    t,
    { scan: async () => [{ ok: true }], inference: async () => [{ ok: true }] },
    {
      look: async () => {
        throw new AppError('STORE_MISMATCH', 'The blob store (folder x) has no marker')
      },
      probe: async () => {
        probes++
      }
    }
  )

  await poll(() => health.report().checks.storage?.state === 'down')

  t.match(health.report(), { status: 'unavailable', reason: /storage: The blob store \(folder x\)/ })
  t.equal(probes, 0)
})
