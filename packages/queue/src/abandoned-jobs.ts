import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Queue } from 'bullmq'
import { publish, type RedisClient } from './redis-cluster.js'
import { settleWithin } from './settle-within.js'

const TRIES = 4
const RETRY_MS = 500

interface AbandonedJobsDeps {
  queue: Queue
  redis: RedisClient
  cancelChannel: string
  stillWanted: (jobId: string) => boolean
}

export interface AbandonedJobs {
  /**
   * Removes a waiting job, or tells the worker that runs it to stop. Best effort, in the background, never
   * throws.
   */
  drop: (jobId: string) => void
  /** Lets running work finish, within the given time. */
  close: (timeoutMs: number) => Promise<void>
}

export function createAbandonedJobs({
  queue,
  redis,
  cancelChannel,
  stillWanted
}: AbandonedJobsDeps): AbandonedJobs {
  const underWay = new Set<Promise<void>>()
  const stopped = new AbortController()
  // One for every job that is abandoned while Redis is down.
  setMaxListeners(0, stopped.signal)

  async function dropOnce(jobId: string): Promise<boolean> {
    // Directly after an `add` that timed out, on the same connection: a frozen Redis that resumes executes
    // both in order.
    if ((await queue.remove(jobId)) === 1) return true
    return (await publish(redis, cancelChannel, jobId)) > 0
  }

  async function drop(jobId: string): Promise<void> {
    for (let tries = 0; tries < TRIES && !stopped.signal.aborted && !stillWanted(jobId); tries++) {
      const done = await dropOnce(jobId).catch(() => false)
      if (done) return
      await sleep(RETRY_MS, undefined, { signal: stopped.signal }).catch(() => {})
    }
  }

  return {
    drop: (jobId) => {
      const task = drop(jobId).finally(() => underWay.delete(task))
      underWay.add(task)
    },
    close: async (timeoutMs) => {
      await settleWithin(Promise.all(underWay), timeoutMs)
      stopped.abort()
    }
  }
}
