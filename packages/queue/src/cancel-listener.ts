import type { Logger } from '@filewright/runtime'
import { createPatientConnection } from './connections.js'
import { isCluster } from './redis-cluster.js'
import { settleWithin } from './settle-within.js'

/** A node of a cluster that takes longer to answer is left for another one. */
const SILENCE_MS = 5_000

interface CancelListenerDeps {
  queueName: string
  channel: string
  redisUrl: string
  logger: Logger
  onCancel: (jobId: string) => void
  onError: (error: unknown) => void
}

export interface CancelListener {
  /**
   * To be called every few seconds: a subscriber sends nothing by itself, so it would never notice that its
   * peer is gone.
   */
  check: () => void
  close: () => void
}

export function listenForCancels(deps: CancelListenerDeps): CancelListener {
  const { queueName, channel, redisUrl, logger, onCancel, onError } = deps
  const redis = createPatientConnection({ redisUrl, logger, what: `Redis (cancels of ${queueName})` })
  let checking = false
  let isClosed = false
  // At every (re)connect.
  redis.on('ready', () => {
    redis.subscribe(channel).catch(onError)
  })
  redis.on('message', (_channel: string, jobId: string) => {
    onCancel(jobId)
  })

  /** A ping would go to any node, and the one that it subscribed at has none of our time limits. */
  async function subscribeAgain(): Promise<void> {
    checking = true
    const hasAnswered = await settleWithin(redis.subscribe(channel), SILENCE_MS)
    // Once closed it must not connect again, which would keep the process alive.
    if (!hasAnswered && !isClosed) redis.disconnect(true)
    checking = false
  }

  return {
    check: () => {
      if (redis.status !== 'ready' || checking) return
      if (isCluster(redis)) void subscribeAgain()
      else redis.ping().catch(() => {})
    },
    close: () => {
      isClosed = true
      redis.disconnect()
    }
  }
}
