import type { Logger } from '@filewright/runtime'
import { createFailFastConnection } from './connections.js'
import { createOutageLog } from './outage-log.js'
import { keyPrefix } from './redis-cluster.js'

export interface WindowCount {
  /** Hits in the current window, including these. */
  count: number
  /** Until the window ends and the count restarts. */
  resetMs: number
}

export interface WindowCounterOptions {
  redisUrl: string
  prefix: string
  logger: Logger
  windowMs: number
  /** After a failure Redis is not asked for this long. Default 5 s. */
  restMs?: number
}

/** Counts shared by all gateways. */
export interface WindowCounter {
  /**
   * Counts hits on each key in one round trip. Null, and soon, when Redis does not answer: the caller then
   * counts by itself.
   */
  hit: (hits: ReadonlyArray<{ name: string; by: number }>) => Promise<WindowCount[] | null>
  close: () => void
}

/** This is minor compared with a request's work, so it must not delay one: a slow Redis counts as none. */
const COMMAND_TIMEOUT_MS = 250

// A window starts with its first hit. The TTL is checked at every hit: a key without one would refuse its
// token forever.
const SCRIPT = `
  local counts = {}
  for i, key in ipairs(KEYS) do
    local count = redis.call('INCRBY', key, ARGV[i + 1])
    local ttl = redis.call('PTTL', key)
    if ttl < 0 then
      ttl = tonumber(ARGV[1])
      redis.call('PEXPIRE', key, ttl)
    end
    counts[2 * i - 1] = count
    counts[2 * i] = ttl
  end
  return counts`

export function createWindowCounter({
  redisUrl,
  prefix,
  logger,
  windowMs,
  restMs = 5_000
}: WindowCounterOptions): WindowCounter {
  const redis = createFailFastConnection(
    { redisUrl, logger, what: 'Redis (limits)' },
    { commandTimeout: COMMAND_TIMEOUT_MS }
  )
  const keys = keyPrefix(redisUrl, prefix)
  const log = createOutageLog(logger, 'limits')
  redis.defineCommand('fwHitWindows', { lua: SCRIPT })
  const run = redis as unknown as {
    fwHitWindows: (count: number, ...args: Array<string | number>) => Promise<number[]>
  }
  let restUntil = 0

  return {
    hit: async (hits) => {
      if (redis.status !== 'ready' || Date.now() < restUntil) return null
      try {
        const reply = await run.fwHitWindows(
          hits.length,
          ...hits.map(({ name }) => `${keys}:rate:${name}`),
          windowMs,
          ...hits.map(({ by }) => by)
        )
        log.recovered()
        return hits.map((_, i) => ({ count: reply[2 * i] ?? 0, resetMs: reply[2 * i + 1] ?? windowMs }))
      } catch (error) {
        restUntil = Date.now() + restMs
        log.report(error)
        return null
      }
    },
    close: () => redis.disconnect()
  }
}
