/**
 * The routes of Bull Board that the dashboard offers, by the pattern that its router has matched: there is no
 * second reading of the path that could differ from the router's. A route that is not here is refused, also
 * one that a later version brings.
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
 * What ADMIN_WRITE adds. Jobs are made by the gateway alone, and what is in one is never changed: a payload
 * typed into a form has passed none of its checks. Limits, schedules and priorities are the service's own.
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

/** @param route the matched pattern, without the path that the dashboard stands at */
export function isOffered(method: string, route: string, write: boolean): boolean {
  if (method === 'GET' || method === 'HEAD') return READ.has(route)
  return write && method === 'PUT' && WRITE.has(route)
}
