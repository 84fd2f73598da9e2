import { once } from 'node:events'
import { Queue } from 'bullmq'
import type { Logger } from '@filewright/runtime'
import { createFailFastConnection } from './connections.js'
import type { QueueDefinition } from './define-queue.js'
import { keyPrefix } from './redis-cluster.js'
import { settleWithin } from './settle-within.js'

const CONNECT_MS = 1_500

export interface QueueViews {
  queues: Queue[]
  close: () => Promise<void>
}

export interface QueueViewsOptions {
  redisUrl: string
  prefix: string
  logger: Logger
  definitions: readonly QueueDefinition[]
}

/** The queues for a dashboard, on their own connection that fails soon when Redis is down. */
export async function openQueueViews({
  redisUrl,
  prefix,
  logger,
  definitions
}: QueueViewsOptions): Promise<QueueViews> {
  const connection = createFailFastConnection({ redisUrl, logger, what: 'Redis (dashboard)' })
  // The first call would otherwise fail only because the connection is not open yet.
  await settleWithin(once(connection, 'ready'), CONNECT_MS)
  const queues = definitions.map(({ name }) => {
    const queue = new Queue(name, {
      connection,
      prefix: keyPrefix(redisUrl, prefix),
      skipVersionCheck: true,
      skipWaitingForReady: true,
      skipMetasUpdate: true
    })
    queue.on('error', () => {}) // The connection's own handler has logged it.
    return queue
  })
  return {
    queues,
    close: async () => {
      await Promise.all(queues.map(async (queue) => await queue.close()))
      connection.disconnect()
    }
  }
}
