import { AppError, type HealthResult, type Logger } from '@filewright/runtime'
import type { QueueDefinition } from './define-queue.js'
import { createProducerLink } from './producer-link.js'
import { keyPrefix, pingRedis } from './redis-cluster.js'
import {
  createQueueChannel,
  type QueueChannel,
  type QueueCounts,
  type RequestOptions
} from './queue-channel.js'

/** Granularity of polling; each waiter's own interval is longer. */
const TICK_MS = 125

export interface QueueClientOptions {
  redisUrl: string
  prefix: string
  logger: Logger
  /** Every queue that `request` will be called with. */
  definitions: QueueDefinition[]
  /** Requests in flight, for all queues together; more are refused with OVERLOADED. Default 2,000. */
  maxWaiters?: number
  /**
   * Maximum number of waiting jobs, by queue name; beyond it, requests are refused with OVERLOADED. Default:
   * no limit.
   */
  maxDepth?: Readonly<Record<string, number>>
  /** A request in flight survives a Redis outage of up to this time. Default 10 s. */
  outageMs?: number
  /** A request fails when no worker has taken jobs from its queue for this long. Default 10 s. */
  noWorkerAfterMs?: number
  /** Trace context that a job carries to its worker. Default: none. */
  traceContext?: () => string | undefined
}

export interface QueueClient {
  /**
   * Adds the job and waits for its result. Fails with the worker's own code, or with QUEUE_UNAVAILABLE,
   * OVERLOADED, DEADLINE_EXCEEDED or CANCELLED. An abandoned job is removed, or stopped in its worker.
   */
  request: <P, R, G>(
    definition: QueueDefinition<P, R, G>,
    payload: P,
    options: RequestOptions<G>
  ) => Promise<R>
  /** Throws OVERLOADED when `request` would: for callers with work to do before the request. */
  ensureRoom: (definition: { name: string }) => void
  /** Whether any worker takes jobs from this queue: it is alive, and its required dependency works. */
  hasWorker: (definition: QueueDefinition) => Promise<boolean>
  /** Each live worker's report on its dependency, however many jobs wait or run. */
  workers: (definition: QueueDefinition) => Promise<HealthResult[]>
  /** Resolves if Redis answers. */
  ping: () => Promise<void>
  counts: (definition: QueueDefinition) => Promise<QueueCounts>
  /** Requests in flight. */
  waiters: () => number
  /** Fails waiting requests with QUEUE_UNAVAILABLE. */
  close: () => Promise<void>
}

export function createQueueClient(options: QueueClientOptions): QueueClient {
  const { redisUrl, logger, definitions, traceContext = () => undefined } = options
  const { maxWaiters = 2_000, maxDepth = {}, outageMs = 10_000, noWorkerAfterMs = 10_000 } = options
  const prefix = keyPrefix(redisUrl, options.prefix)
  const link = createProducerLink({ redisUrl, logger, what: 'Redis (producer)' })
  const channels = new Map<string, QueueChannel>(
    definitions.map((definition) => [
      definition.name,
      createQueueChannel({
        definition,
        redisUrl,
        prefix,
        link,
        logger,
        outageMs,
        noWorkerAfterMs,
        traceContext
      })
    ])
  )
  let closing: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  function channelOf({ name }: { name: string }): QueueChannel {
    const channel = channels.get(name)
    if (channel === undefined) throw new Error(`queue ${name} is not among the client's definitions`)
    return channel
  }

  function waiters(): number {
    let sum = 0
    for (const channel of channels.values()) sum += channel.waiters()
    return sum
  }

  function ensureRoom({ name }: { name: string }): void {
    if (waiters() >= maxWaiters) {
      throw new AppError('OVERLOADED', `${maxWaiters} requests are waiting already`, { retryable: true })
    }
    const most = maxDepth[name] ?? Infinity
    if (most < Infinity && channelOf({ name }).depth() >= most) {
      throw new AppError('OVERLOADED', `${most} jobs wait in queue ${name} already`, { retryable: true })
    }
  }

  /** Ticks only while anyone waits, and never starts a tick before the last one ended. */
  function tick(): void {
    if (timer !== undefined || closing !== undefined || waiters() === 0) return
    timer = setTimeout(() => {
      void Promise.all([...channels.values()].map(async (channel) => await channel.poll())).then(() => {
        timer = undefined
        tick()
      })
    }, TICK_MS)
  }

  async function close(): Promise<void> {
    clearTimeout(timer)
    await Promise.all([...channels.values()].map(async (channel) => await channel.close()))
    link.close()
  }

  return {
    request: async (definition, payload, requestOptions) => {
      const channel = channelOf(definition)
      if (closing !== undefined) {
        throw new AppError('QUEUE_UNAVAILABLE', 'the queue client is closed', { retryable: true })
      }
      ensureRoom(definition)
      const outcome = channel.request(definition, payload, requestOptions)
      tick()
      return await outcome
    },
    ensureRoom,
    hasWorker: async (definition) => await channelOf(definition).hasWorker(),
    workers: async (definition) => await channelOf(definition).workers(),
    ping: async () => await link.run(async () => await pingRedis(link.redis, `${prefix}:ping`)),
    counts: async (definition) => await channelOf(definition).counts(),
    waiters,
    close: async () => await (closing ??= close())
  }
}
