import t from 'tap'
import type { HealthReport } from '@filewright/runtime'
import type { Principal } from '../../../src/modules/tokens/principal.js'
import { createServiceService } from '../../../src/modules/service/service.service.js'
import { startTestGateway } from '../../helpers/test-gateway.js'

const entry = { state: 'ok' as const, age_seconds: 1 }
const well: HealthReport['checks'] = {
  postgresql: entry,
  redis: entry,
  storage: entry,
  'scan-queue': entry,
  clamd: { ...entry, engine: 'ClamAV 1.4.3' },
  'inference-queue': entry,
  ollama: { ...entry, version: '0.9.1' }
}
const principal: Principal = {
  tokenId: 'token-1',
  tokenName: 'ci',
  isOperator: false,
  expiresAt: null,
  projects: '*',
  quota: { maxFiles: null, maxBytes: null }
}

async function statusOf(report: Partial<HealthReport>, asker: Partial<Principal> = {}) {
  const service = createServiceService({
    health: { report: () => ({ status: 'ok', checks: well, ...report }) },
    limits: { requestsPerMinute: 600, aiRequestsPerMinute: 60, uploadsAtOnce: 128, trashDays: 7 },
    quotas: { usageOf: async () => ({ files: 2, bytes: 30, maxFiles: 10, maxBytes: null }) }
  })
  return await service.status({ ...principal, ...asker })
}

t.test('a component has the status of its worst dependency', async (t) => {
  const { parts } = await statusOf({
    checks: {
      ...well,
      'scan-queue': { ...entry, state: 'down', reason: 'connect ECONNREFUSED 10.0.0.3:6379' }
    }
  })

  t.strictSame(
    parts.map(({ name, state }) => `${name} ${state}`),
    ['records ok', 'queue ok', 'storage ok', 'scanner down', 'models ok']
  )
})

t.test('a component that uses a substitute is degraded, and so is the service', async (t) => {
  const { status, parts } = await statusOf({
    checks: {
      ...well,
      clamd: { ...entry, engine: 'ClamAV 1.4.3', signatures: 'baseline only' },
      ollama: { ...entry, version: '0.0.0-sandbox' }
    }
  })

  t.equal(status, 'degraded')
  t.strictSame(parts.slice(3), [
    { name: 'scanner', state: 'degraded', note: 'baseline-signatures' },
    { name: 'models', state: 'degraded', note: 'sandbox' }
  ])
  t.equal((await statusOf({})).status, 'ok')
})

t.test('a component that is down has no other note', async (t) => {
  const { parts } = await statusOf({
    checks: { ...well, clamd: { ...entry, state: 'down', signatures: 'baseline only' } }
  })

  t.strictSame(parts[3], { name: 'scanner', state: 'down' })
})

t.test('versions, models, addresses and reasons are shown only to operators', async (t) => {
  const answer = await statusOf({
    checks: {
      ...well,
      redis: { ...entry, state: 'down', reason: 'connect ECONNREFUSED 10.0.0.3:6379' },
      ollama: { ...entry, version: '0.9.1', missing_models: 'qwen2.5-coder:14b' }
    }
  })

  t.match(answer.parts[4], { note: 'models-missing' })
  t.notMatch(JSON.stringify(answer), /1\.4\.3|0\.9\.1|qwen|10\.0\.0\.3|3001/)
})

t.test("only the local stack's token, which opens every project, is reported as local", async (t) => {
  const tokenOf = async (asker: Partial<Principal>) => (await statusOf({}, asker)).token

  t.match(await tokenOf({}), { name: 'ci', is_local: false })
  t.strictSame(await tokenOf({ tokenName: 'local' }), {
    id: 'token-1',
    name: 'local',
    is_local: true,
    projects: null,
    expires_at: null,
    is_operator: false
  })
  t.match(await tokenOf({ tokenName: 'local', projects: new Set(['demo', 'a']) }), {
    is_local: false,
    projects: ['a', 'demo']
  })
  t.match(await tokenOf({ expiresAt: new Date(0) }), { expires_at: '1970-01-01T00:00:00.000Z' })
})

t.test('the endpoint answers every token, with its usage and limits', async (t) => {
  const gateway = await startTestGateway(t, { quotas: { token: { maxFiles: 5 } } })
  await gateway.store({ content: 'hello' })

  const answer = await gateway.get('/api/service')

  t.equal(answer.statusCode, 200)
  t.match(answer.json(), {
    parts: [{ name: 'records', state: 'unknown' }],
    limits: { file_bytes: 52_428_800 },
    usage: { files: 1, bytes: 5, max_files: 5, max_bytes: null },
    token: { name: 'test', is_local: false }
  })
  t.equal((await gateway.app.inject({ url: '/api/service' })).statusCode, 401)
})
