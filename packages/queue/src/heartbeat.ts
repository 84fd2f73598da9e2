import { Queue } from 'bullmq'
import { createId, type HealthResult } from '@filewright/runtime'
import type { QueueDefinition } from './define-queue.js'
import { slotsMember } from './fair/lane-cap.js'
import { createLeases } from './fair/leases.js'
import { reportKey, slotsKey, workersKey } from './keys.js'
import type { RedisClient } from './redis-cluster.js'
import { ALIVE_MS } from './worker-reports.js'

const BEAT_MS = 1_500
const CLEAN_EVERY_BEATS = 10

interface HeartbeatDeps {
  definition: QueueDefinition
  prefix: string
  /** The worker's concurrency. */
  concurrency: number
  /** A connection that fails fast. */
  redis: RedisClient
  /** Called at every heartbeat. */
  checkSubscriber: () => void
  /** The worker's report on its dependency. */
  report: () => HealthResult
  isTakingJobs: () => boolean
}

export interface Heartbeat {
  /** Sends a heartbeat now, because something has changed. */
  beat: () => void
  stop: () => Promise<void>
}

/**
 * Reports that this worker is alive, the state of its dependency, and whether it takes jobs. It has its own
 * connection, so it depends on neither waiting nor running jobs. Also removes old data of finished jobs from
 * Redis.
 */
export function startHeartbeat({
  definition,
  prefix,
  concurrency,
  redis,
  checkSubscriber,
  report,
  isTakingJobs
}: HeartbeatDeps): Heartbeat {
  const {
    name,
    jobOptions: { keepFinished }
  } = definition
  const queue = new Queue(name, {
    connection: redis,
    prefix,
    skipVersionCheck: true,
    skipWaitingForReady: true,
    skipMetasUpdate: true
  })
  queue.on('error', () => {}) // The connection's own handler has logged it.
  const leases = createLeases(redis)
  const workerId = createId()
  const workers = workersKey(prefix, name)
  const ownReport = reportKey(prefix, name, workerId)
  const slots = { key: slotsKey(prefix, name), member: slotsMember(workerId, concurrency) }
  let beats = 0
  let cleaning = Promise.resolve()

  /**
   * BullMQ drops old results only when another job finishes, and the event stream has a copy of each: a quiet
   * queue would keep users' data forever.
   */
  async function clean(): Promise<void> {
    await queue.clean(keepFinished.age * 1_000, keepFinished.count, 'completed')
    await queue.clean(keepFinished.age * 1_000, keepFinished.count, 'failed')
    // Stream ids are Redis' own clock.
    const [seconds] = await redis.time()
    await redis.xtrim(
      queue.keys.events ?? queue.toKey('events'),
      'MINID',
      Math.max(0, (Number(seconds) - keepFinished.age) * 1_000)
    )
  }

  function beat(): void {
    if (redis.status !== 'ready') return
    redis.set(ownReport, JSON.stringify(report()), 'PX', ALIVE_MS).catch(() => {})
    leases.note(workers, [workerId], ALIVE_MS).catch(() => {})
    const noted = isTakingJobs()
      ? leases.note(slots.key, [slots.member], ALIVE_MS)
      : leases.release(slots.key, slots.member)
    noted.catch(() => {})
    checkSubscriber()
    if (beats++ % CLEAN_EVERY_BEATS === 0) cleaning = clean().catch(() => {})
  }

  redis.on('ready', beat)
  const timer = setInterval(beat, BEAT_MS)
  beat()

  return {
    beat,
    stop: async () => {
      clearInterval(timer)
      redis.off('ready', beat)
      await cleaning
      if (redis.status === 'ready') {
        await Promise.all([
          leases.release(slots.key, slots.member),
          leases.release(workers, workerId),
          redis.del(ownReport)
        ]).catch(() => {})
      }
      await queue.close()
    }
  }
}
