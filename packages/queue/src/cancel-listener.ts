import type { Logger } from '@filewright/runtime'
import { createPatientConnection } from './connections.js'
import { isCluster } from './redis-cluster.js'
import { settleWithin } from './settle-within.js'

/** A cluster node that takes longer to answer is replaced by another one. */
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
  /** Call every few seconds: a subscriber sends nothing by itself, so it would never notice a dead peer. */
  check: () => void
  close: () => void
}

export function listenForCancels(deps: CancelListenerDeps): CancelListener {
  const { queueName, channel, redisUrl, logger, onCancel, onError } = deps
  const redis = createPatientConnection({ redisUrl, logger, what: `Redis (cancels of ${queueName})` })
  let checking = false
  let isClosed = false
  // On every (re)connect.
  redis.on('ready', () => {
    redis.subscribe(channel).catch(onError)
  })
  redis.on('message', (_channel: string, jobId: string) => onCancel(jobId))

  /** A ping would go to any node, and the subscribed node has none of our timeouts. */
  async function subscribeAgain(): Promise<void> {
    checking = true
    const hasAnswered = await settleWithin(redis.subscribe(channel), SILENCE_MS)
    // After closing it must not reconnect, which would keep the process alive.
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
