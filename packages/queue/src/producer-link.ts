import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { AppError, createSemaphore, type Logger } from '@filewright/runtime'
import { createFailFastConnection } from './connections.js'
import type { RedisClient } from './redis-cluster.js'

/** A shorter interruption is bridged; during a longer outage, calls fail at once. */
const PATIENCE_MS = 1_500
/**
 * If there is no reply to anyone for this long while commands time out, Redis is frozen, not just slow. A
 * process that computes all the time neither writes nor reads, so its own timeouts prove nothing.
 */
const SILENCE_MS = 500
/** How long one call waits for Redis, over all attempts. Waiting behind our own calls does not count. */
const GIVE_UP_MS = 3_000
/** However busy this process is, from the moment when the call's turn comes. */
const MAX_CALL_MS = 20_000
/**
 * A burst of requests queues up here rather than in the socket, where each would count its wait for the
 * others as Redis' silence.
 */
const MAX_IN_FLIGHT = 64

export interface ProducerLink {
  readonly redis: RedisClient
  isUp: () => boolean
  /**
   * Runs an idempotent command, and repeats it if the connection broke. Fails with QUEUE_UNAVAILABLE, usually
   * after about 1.5 s.
   */
  run: <T>(command: () => Promise<T>) => Promise<T>
  close: () => void
}

export function createProducerLink(deps: { redisUrl: string; logger: Logger; what: string }): ProducerLink {
  const redis = createFailFastConnection(deps)
  let downSince: number | undefined = Date.now()
  let lastReplyAt = 0
  const semaphore = createSemaphore({ permits: MAX_IN_FLIGHT })
  const readyWaiters = new Set<() => void>()
  const closing = new AbortController()
  redis.on('ready', () => {
    downSince = undefined
    for (const resume of readyWaiters) resume()
  })
  redis.on('close', () => {
    downSince ??= Date.now()
  })

  /** Waits longer while the process computes and could not have finished connecting. */
  async function readyWithin(ms: number): Promise<boolean> {
    const startedAt = Date.now()
    const listenedMs = listenedMsSince()
    while (Date.now() - startedAt < MAX_CALL_MS) {
      if (await readyAfter(ms)) return true
      if (closing.signal.aborted || listenedMs() >= SILENCE_MS) break
    }
    return false
  }

  async function readyAfter(ms: number): Promise<boolean> {
    let resume = (): void => {}
    const ready = new Promise<void>((resolve) => {
      resume = resolve
    })
    const timer = setTimeout(resume, ms)
    readyWaiters.add(resume)
    await ready
    clearTimeout(timer)
    readyWaiters.delete(resume)
    // After a blocked event loop, timers run before the socket is read: read the socket first, here and
    // below.
    await nextTurn()
    return redis.status === 'ready'
  }

  async function run<T>(command: () => Promise<T>): Promise<T> {
    /** When the first attempt's turn came. */
    let startedAt: number | undefined
    let waitedMs = 0
    let listenedMs = 0
    let cause: unknown
    while (waitedMs < GIVE_UP_MS && Date.now() - (startedAt ?? Date.now()) < MAX_CALL_MS) {
      if (downSince !== undefined && redis.status !== 'ready') {
        const patienceMs = downSince + PATIENCE_MS - Date.now()
        if (patienceMs <= 0 || !(await readyWithin(patienceMs))) break
      }
      let sentAt = Date.now()
      let listened = listenedMsSince()
      try {
        const reply = await semaphore.run(async () => {
          sentAt = Date.now()
          startedAt ??= sentAt
          listened = listenedMsSince()
          return await command()
        })
        lastReplyAt = Date.now()
        return reply
      } catch (error) {
        cause = error
        // Redis replied, though with an error (such as out of memory): the next reply would be the same.
        if (isReplyError(error)) break
        // A reply that was lost with its connection also times out, perhaps while the next connection is
        // opened.
        if (isTimeout(error) && redis.status === 'ready') {
          await nextTurn()
          listenedMs += listened()
          if (listenedMs < SILENCE_MS) continue
          if (Date.now() - lastReplyAt >= SILENCE_MS) {
            semaphore.rejectWaiting(error as Error)
            break
          }
        }
        await sleep(25)
        waitedMs += Date.now() - sentAt
      }
    }
    throw new AppError('QUEUE_UNAVAILABLE', 'Redis did not take the command', { cause, retryable: true })
  }

  return {
    redis,
    isUp: () => redis.status === 'ready',
    run,
    close: () => {
      closing.abort()
      redis.disconnect()
      for (const resume of readyWaiters) resume()
    }
  }
}

/** How long the event loop has been idle since now, when replies would have been read. */
function listenedMsSince(): () => number {
  const start = performance.eventLoopUtilization()
  return () => performance.eventLoopUtilization(start).idle
}

function isReplyError(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError'
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Command timed out'
}
