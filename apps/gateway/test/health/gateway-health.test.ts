import t, { type Test } from 'tap'
import type { CanaryReport } from '@filewright/queue'
import { AppError, createLogger } from '@filewright/runtime'
import { poll } from '@filewright/testing'
import { createGatewayHealth } from '../../src/health/gateway-health.js'

const logger = createLogger({ name: 'test', level: 'silent' })
const well = async (): Promise<void> => {}

type Canaries = Record<string, () => Promise<CanaryReport | null>>

function healthOf(
  t: Test,
  canaries: Canaries,
  { ping = well, probe = well, look = well, requireLevel = well } = {}
) {
  const health = createGatewayHealth({
    database: { ping: well, requireLevel },
    queue: { ping, canary: async ({ name }) => await canaries[name]!() },
    blobs: { probe },
    store: { look },
    logger
  })
  t.teardown(async () => {
    await health.stop()
  })
  health.start()
  return health
}

t.test('ready when every part answers, with what the workers say of theirs', async (t) => {
  const health = healthOf(t, {
    scan: async () => ({ ok: true, facts: { engine: 'ClamAV 1' } }),
    inference: async () => ({ ok: true })
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

t.test(
  'a database that is not migrated to the level of this version is named, and the gateway is not ready',
  async (t) => {
    const health = healthOf(
      t,
      { scan: async () => ({ ok: true }), inference: async () => ({ ok: true }) },
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
  }
)

t.test('a scanner whose signatures grow old is degraded and goes on', async (t) => {
  const health = healthOf(t, {
    scan: async () => ({ ok: true, warning: 'the signatures are 90 hours old' }),
    inference: async () => ({ ok: true })
  })

  await poll(() => health.report().status === 'degraded')
  t.match(health.report(), {
    reason: /clamd: the signatures are 90 hours old/,
    checks: { clamd: { state: 'degraded' } }
  })
})

t.test('a scanner that is down is named, and its queue is not', async (t) => {
  const health = healthOf(t, {
    scan: async () => ({ ok: false, reason: 'cannot connect' }),
    inference: async () => ({ ok: true })
  })

  await poll(() => health.report().checks.clamd?.state === 'down')
  t.match(health.report(), {
    status: 'unavailable',
    reason: /clamd: cannot connect/,
    checks: { 'scan-queue': { state: 'ok' } }
  })
  t.equal(health.report('start').checks.clamd, undefined)
})

t.test('AI trouble is shown and blocks nothing', async (t) => {
  const gone = async (): Promise<never> => {
    throw new AppError('DEADLINE_EXCEEDED', 'job canary-1 did not finish')
  }
  const health = healthOf(t, { scan: async () => ({ ok: true }), inference: gone })

  await poll(() => health.report().status === 'degraded')
  t.match(health.report().checks, {
    'inference-queue': { state: 'down', reason: /no worker took a canary/ },
    ollama: { state: 'down', reason: 'no worker reports on it' }
  })
})

t.test('busy workers are well', async (t) => {
  const reports: Array<CanaryReport | null> = [{ ok: true, facts: { engine: 'e' } }]
  const health = healthOf(t, { scan: async () => reports.shift() ?? null, inference: async () => null })

  await poll(() => health.report().checks['inference-queue']?.state === 'ok')
  t.match(health.report().checks, {
    'scan-queue': { state: 'ok' },
    clamd: { state: 'ok', engine: 'e' },
    ollama: { state: 'unknown' }
  })
})

t.test('a store that is not ours is named, and no probe is written to it', async (t) => {
  let probes = 0
  const health = healthOf(
    t,
    { scan: async () => ({ ok: true }), inference: async () => ({ ok: true }) },
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
