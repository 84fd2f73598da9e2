import type { Logger } from '@filewright/runtime'
import { gatherWrites } from './gather-writes.js'
import { createOutageLog } from './outage-log.js'
import { openRedis } from './redis-address.js'
import { clusterError, type RedisClient } from './redis-cluster.js'

const common = {
  connectTimeout: 2_000,
  keepAlive: 5_000,
  // Retries forever, with short delays: a Redis that returns is used again within a second.
  retryStrategy: (times: number) => Math.min(50 * 2 ** Math.min(times, 5), 1_000),
  // The subscriber resubscribes itself: ioredis' own resubscription causes an unhandled rejection when the
  // connection closes.
  autoResubscribe: false,
  // After a failover the old primary answers READONLY until the connection is reopened.
  reconnectOnError: (error: Error) => error.message.startsWith('READONLY')
}

/**
 * For callers that must answer soon: nothing queues up while Redis is away, and no command takes longer than
 * 1.5 s.
 */
const failFast = {
  ...common,
  enableOfflineQueue: false,
  maxRetriesPerRequest: 1,
  commandTimeout: 1_500,
  // The caller decides about resending, because it knows whether anyone still waits.
  autoResendUnfulfilledCommands: false,
  // A peer that vanished without a FIN leaves a socket that swallows commands forever.
  socketTimeout: 5_000
}

/**
 * For callers that can wait: commands survive an outage. BullMQ requires it for workers and event readers.
 */
export const patientOptions = {
  ...common,
  maxRetriesPerRequest: null,
  // Longer than the 10 s that a blocking read may take.
  socketTimeout: 15_000
}

interface ConnectionDeps {
  redisUrl: string
  logger: Logger
  what: string
}

export function createFailFastConnection(
  deps: ConnectionDeps,
  overrides: { commandTimeout?: number } = {}
): RedisClient {
  return create(deps, { ...failFast, ...overrides })
}

export function createPatientConnection(deps: ConnectionDeps): RedisClient {
  return create(deps, patientOptions)
}

function create(
  { redisUrl, logger, what }: ConnectionDeps,
  options: typeof failFast | typeof patientOptions
): RedisClient {
  const redis = openRedis(redisUrl, options)
  gatherWrites(redis)
  const log = createOutageLog(logger, what)
  // Without a handler the first refused connection would crash the process.
  redis.on('error', (error) => log.report(clusterError(error)))
  redis.on('ready', log.recovered)
  return redis
}
