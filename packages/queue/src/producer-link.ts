import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { AppError, type Logger } from '@filewright/runtime'
import { createFailFastConnection } from './connections.js'
import { createConcurrencyLimit } from './concurrency-limit.js'
import type { RedisClient } from './redis-cluster.js'

/** A blip shorter than this is ridden out; during an outage older than this, calls fail at once. */
const PATIENCE_MS = 1_500
/** No reply to anybody for this long, while commands time out: Redis is frozen, not just slow. */
const SILENCE_MS = 500
const GIVE_UP_MS = 3_000
/**
 * A burst of requests queues up here rather than in the socket, where each would count its wait for the
 * others as Redis' silence.
 */
const MAX_IN_FLIGHT = 64

export interface ProducerLink {
  readonly redis: RedisClient
  isUp: () => boolean
  /**
   * Runs an idempotent command, again if the connection broke under it. Fails with QUEUE_UNAVAILABLE, after
   * about 1.5 s as a rule.
   */
  run: <T>(command: () => Promise<T>) => Promise<T>
  close: () => void
}

export function createProducerLink(deps: { redisUrl: string; logger: Logger; what: string }): ProducerLink {
  const redis = createFailFastConnection(deps)
  let downSince: number | undefined = Date.now()
  let lastReplyAt = 0
  const limit = createConcurrencyLimit(MAX_IN_FLIGHT)
  const readyWaiters = new Set<() => void>()
  redis.on('ready', () => {
    downSince = undefined
    for (const resume of readyWaiters) resume()
  })
  redis.on('close', () => {
    downSince ??= Date.now()
  })

  async function readyWithin(ms: number): Promise<boolean> {
    let resume = (): void => {}
    const ready = new Promise<void>((resolve) => {
      resume = resolve
    })
    const timer = setTimeout(resume, ms)
    readyWaiters.add(resume)
    await ready
    clearTimeout(timer)
    readyWaiters.delete(resume)
    // After a burst that held the event loop, timers run before the socket is read: let it speak first, here
    // and below.
    await nextTurn()
    return redis.status === 'ready'
  }

  async function isAnswering(): Promise<boolean> {
    await nextTurn()
    return Date.now() - lastReplyAt < SILENCE_MS
  }

  async function run<T>(command: () => Promise<T>): Promise<T> {
    const giveUpAt = Date.now() + GIVE_UP_MS
    let cause: unknown
    while (Date.now() < giveUpAt) {
      if (downSince !== undefined && redis.status !== 'ready') {
        const patienceMs = downSince + PATIENCE_MS - Date.now()
        if (patienceMs <= 0 || !(await readyWithin(patienceMs))) break
      }
      try {
        const reply = await limit.run(command)
        lastReplyAt = Date.now()
        return reply
      } catch (error) {
        cause = error
        // An answer, if a bad one (out of memory, for one): the next would be the same.
        if (isReplyError(error)) break
        // One that got lost with its connection times out as well, perhaps while the next connection is being
        // made.
        if (isTimeout(error) && redis.status === 'ready' && !(await isAnswering())) {
          limit.failWaiting(error as Error)
          break
        }
        await sleep(25)
      }
    }
    throw new AppError('QUEUE_UNAVAILABLE', 'Redis did not take the command', { cause, retryable: true })
  }

  return {
    redis,
    isUp: () => redis.status === 'ready',
    run,
    close: () => {
      redis.disconnect()
      for (const resume of readyWaiters) resume()
    }
  }
}

function isReplyError(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError'
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Command timed out'
}
