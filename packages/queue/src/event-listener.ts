import { setTimeout as sleep } from 'node:timers/promises'
import { QueueEvents } from 'bullmq'
import type { Logger } from '@filewright/runtime'
import { patientOptions } from './connections.js'
import { connectionTo } from './redis-address.js'
import { clusterError, isClusterAddress, openCluster } from './redis-cluster.js'
import { createOutageLog } from './outage-log.js'
import { settleWithin } from './settle-within.js'

export interface QueueListener {
  onCompleted: (jobId: string, returnValue: unknown) => void
  onFailed: (jobId: string, reason: string) => void
  onProgress: (jobId: string, progress: unknown) => void
  /** A job with an existing id was added: it may already be finished, and then no other event follows. */
  onDuplicated: (jobId: string) => void
}

const CLOCK_SKEW_MS = 5_000

interface EventListenerDeps {
  name: string
  redisUrl: string
  prefix: string
  logger: Logger
  listener: QueueListener
}

/** One reader of a queue's event stream. Polling replaces events missed during an outage. */
export function startEventListener({ name, redisUrl, prefix, logger, listener }: EventListenerDeps): {
  close: () => Promise<void>
} {
  const events = new QueueEvents(name, {
    // For a cluster it opens a copy, so this one never connects.
    connection: isClusterAddress(redisUrl)
      ? openCluster(redisUrl, { ...patientOptions, lazyConnect: true })
      : { ...patientOptions, ...connectionTo(redisUrl) },
    prefix,
    autorun: false,
    // By default it starts after its first read, and events of a request made while it still connects would
    // be lost. Ids are milliseconds of Redis' clock; a few seconds of older events do no harm, because only
    // awaited jobs are used.
    lastEventId: `${Date.now() - CLOCK_SKEW_MS}-0`,
    // Also BullMQ's watchdog: a read that was lost with its connection is repeated after this time.
    blockingTimeout: 5_000,
    // Without these two, a Redis that is down at the start could make `close` wait forever.
    skipVersionCheck: true,
    skipWaitingForReady: true
  })
  const log = createOutageLog(logger, `Redis (events of ${name})`)
  const stopped = new AbortController()
  events.on('error', (error) => log.report(clusterError(error)))
  events.on('completed', ({ jobId, returnvalue }) => {
    log.recovered()
    listener.onCompleted(jobId, returnvalue)
  })
  events.on('failed', ({ jobId, failedReason }) => listener.onFailed(jobId, failedReason))
  events.on('progress', ({ jobId, data }) => listener.onProgress(jobId, data))
  events.on('duplicated', ({ jobId }) => listener.onDuplicated(jobId))

  async function run(): Promise<void> {
    while (!stopped.signal.aborted) {
      try {
        await events.run()
      } catch (error) {
        // One unreadable event would otherwise end the reader permanently.
        if (!stopped.signal.aborted) log.report(error)
      }
      await sleep(1_000, undefined, { signal: stopped.signal }).catch(() => {})
    }
  }
  void run()

  return {
    close: async () => {
      stopped.abort()
      // With Redis down, ioredis never emits that it has disconnected.
      await settleWithin(events.close(), 500)
    }
  }
}
