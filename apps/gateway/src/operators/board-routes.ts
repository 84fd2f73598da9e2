/**
 * The Bull Board routes that the dashboard offers, by the pattern that its router matched, so the path is
 * never parsed twice. Any other route is refused, also one that a later version adds.
 */
const READ = new Set([
  '/',
  '/metrics-history',
  '/job-schedulers',
  '/queue/:queueName',
  '/queue/:queueName/:jobId',
  '/static/*',
  '/api/redis/stats',
  '/api/queues',
  '/api/job-schedulers',
  '/api/queues/:queueName/metrics',
  '/api/queues/:queueName/default-job-options',
  '/api/queues/:queueName/workers',
  '/api/queues/:queueName/rate-limit',
  '/api/queues/:queueName/job-data-schema',
  '/api/queues/:queueName/:jobId',
  '/api/queues/:queueName/:jobId/logs'
])

/**
 * The routes that ADMIN_WRITE adds. Only the gateway creates jobs, and payloads are never changed: a payload
 * typed into a form would skip all checks. Limits, schedules and priorities belong to the service.
 */
const WRITE = new Set([
  '/api/queues/pause',
  '/api/queues/resume',
  '/api/queues/:queueName/pause',
  '/api/queues/:queueName/resume',
  '/api/queues/:queueName/promote',
  '/api/queues/:queueName/empty',
  '/api/queues/:queueName/retry/:queueStatus',
  '/api/queues/:queueName/clean/:queueStatus',
  '/api/queues/:queueName/:jobId/retry',
  '/api/queues/:queueName/:jobId/clean',
  '/api/queues/:queueName/:jobId/promote'
])

/** @param route the matched pattern, without the dashboard's own path prefix */
export function isOffered(method: string, route: string, write: boolean): boolean {
  if (method === 'GET' || method === 'HEAD') return READ.has(route)
  return write && method === 'PUT' && WRITE.has(route)
}
