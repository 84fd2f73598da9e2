import { eventTypes, type EventBody, type EventType } from '@filewright/contracts'

const timestamp = '2026-01-15T09:30:00.000Z'
const file = {
  project_id: 'demo',
  file_id: '4fR8uW2cXz0LkJ9sQvYbNe',
  name: 'report.pdf',
  folder: 'reports/2026',
  size: 48_213
}
const sha256 = '5e'.repeat(32)
const generation = {
  generation_id: '1bHq7TzM5pKd3wVxR0eGuA',
  kind: 'generate' as const,
  model: 'alpha-4o-mini',
  tokens_used: 412,
  duration_ms: 3_205
}

const data: { [T in EventType]: EventBody<T>['data'] } = {
  'file.created': { ...file, type: 'application/pdf', sha256, scanned_at: timestamp, restored: false },
  'file.deleted': { ...file, permanent: false },
  'file.withdrawn': {
    ...file,
    sha256,
    signature: 'Win.Trojan.Agent-1',
    engine: 'ClamAV 1.4.3/27460',
    verdict_at: timestamp,
    token_ids: ['0MfB4hJtQpZ1xWvRk8sYdN']
  },
  'file.rejected': {
    project_id: 'demo',
    name: 'setup.exe',
    code: 'unsupported-type',
    reason: 'executable files are not accepted'
  },
  'project.quota.warning': {
    project_id: 'demo',
    threshold: 80,
    unit: 'bytes',
    used: 8_600_000,
    limit: 10_000_000
  },
  'generation.completed': generation,
  'generation.failed': { ...generation, tokens_used: null, error: 'MODEL_UNAVAILABLE' },
  'scanner.degraded': { since: timestamp },
  'scanner.recovered': { since: timestamp }
}

/** A body of each type of event. A test validates each one against its schema. */
export const eventExamples = eventTypes.map((type) => ({ type, timestamp, data: data[type] }))
