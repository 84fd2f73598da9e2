import t from 'tap'
import type { HealthReport } from '@filewright/runtime'
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

function statusOf(report: Partial<HealthReport>, host = '127.0.0.1') {
  return createServiceService({
    health: { report: () => ({ status: 'ok', checks: well, ...report }) },
    limits: { requestsPerMinute: 600, aiRequestsPerMinute: 60, uploadsAtOnce: 128 },
    admin: { host, port: 3001 }
  }).status()
}

t.test('a part is as well as the worst of what it stands on', async (t) => {
  const { parts } = statusOf({
    checks: {
      ...well,
      'scan-queue': { ...entry, state: 'down', reason: 'connect ECONNREFUSED 10.0.0.3:6379' }
    }
  })

  t.strictSame(
    parts.map(({ name, state }) => `${name} ${state}`),
    ['records ok', 'queue ok', 'storage ok', 'scanner down', 'models ok']
  )
  t.notMatch(JSON.stringify(parts), '10.0.0.3', 'no addresses of other machines')
})

t.test('what stands behind scanner and models is said', async (t) => {
  t.match(statusOf({}).parts.slice(3), [{ detail: 'ClamAV 1.4.3' }, { detail: 'Ollama 0.9.1' }])
  const { parts } = statusOf({
    checks: {
      ...well,
      clamd: { ...entry, engine: 'ClamAV 1.4.3', signatures: 'baseline only' },
      ollama: { ...entry, version: '0.0.0-sandbox', missing_models: 'a' }
    }
  })
  t.match(parts.slice(3), [
    { detail: 'ClamAV 1.4.3, baseline signatures only' },
    { detail: 'sandbox, not installed: a' }
  ])
})

t.test('the dashboard is named where it listens to its own machine', async (t) => {
  t.equal(statusOf({}).dashboard_url, 'http://127.0.0.1:3001/queues')
  t.equal(statusOf({}, '0.0.0.0').dashboard_url, undefined)
})

t.test('the endpoint answers every token', async (t) => {
  const gateway = await startTestGateway(t)

  const answer = await gateway.get('/api/service')

  t.equal(answer.statusCode, 200)
  t.match(answer.json(), {
    parts: [{ name: 'records', state: 'unknown' }],
    limits: { file_bytes: 52_428_800 }
  })
  t.equal((await gateway.app.inject({ url: '/api/service' })).statusCode, 401)
})
