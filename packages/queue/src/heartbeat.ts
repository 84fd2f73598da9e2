import { Queue } from 'bullmq'
import { createId } from '@filewright/runtime'
import type { QueueDefinition } from './define-queue.js'
import { slotsMember } from './fair/lane-cap.js'
import { createLeases } from './fair/leases.js'
import { aliveKey, slotsKey } from './keys.js'
import type { RedisClient } from './redis-cluster.js'

const BEAT_MS = 1_500
/** Outlives two lost beats. */
const ALIVE_MS = 5_000
const CLEAN_EVERY_BEATS = 10

interface HeartbeatDeps {
  definition: QueueDefinition
  prefix: string
  /** Jobs the worker runs at once. */
  concurrency: number
  /** A connection that fails fast. */
  redis: RedisClient
  /** Called at every beat. */
  checkSubscriber: () => void
  isWorking: () => boolean
}

/**
 * Says "somebody works on this queue" as long as it is true, and removes what finished jobs leave in Redis.
 */
export function startHeartbeat({
  definition,
  prefix,
  concurrency,
  redis,
  checkSubscriber,
  isWorking
}: HeartbeatDeps): { stop: () => Promise<void> } {
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
  const slots = { key: slotsKey(prefix, name), member: slotsMember(createId(), concurrency) }
  let beats = 0
  let cleaning = Promise.resolve()

  /**
   * BullMQ drops old results only when another job finishes, and the event stream holds a copy of each: a
   * quiet queue would keep users' data for ever.
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
    if (redis.status !== 'ready' || !isWorking()) return
    redis.set(aliveKey(prefix, name), '1', 'PX', ALIVE_MS).catch(() => {})
    leases.note(slots.key, [slots.member], ALIVE_MS).catch(() => {})
    checkSubscriber()
    if (beats++ % CLEAN_EVERY_BEATS === 0) cleaning = clean().catch(() => {})
  }

  redis.on('ready', beat)
  const timer = setInterval(beat, BEAT_MS)
  beat()

  return {
    stop: async () => {
      clearInterval(timer)
      redis.off('ready', beat)
      await cleaning
      if (redis.status === 'ready') await leases.release(slots.key, slots.member).catch(() => {})
      await queue.close()
    }
  }
}
