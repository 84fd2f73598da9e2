import type { RedisClient } from '../redis-cluster.js'

/** Entries in Redis expire this long after the process that wrote them has died. */
export const LEASE_MS = 6_000

export interface Leases {
  /**
   * Adds the id unless the set already has `cap` members. Returns its position in the set, starting at 1;
   * null when the set is full. May be repeated when the reply was lost.
   */
  acquire: (key: string, id: string, cap: number) => Promise<number | null>
  /** Adds the ids, or extends their lease. */
  note: (key: string, ids: Iterable<string>, forMs?: number) => Promise<void>
  release: (key: string, ...ids: string[]) => Promise<void>
  members: (key: string) => Promise<string[]>
}

// Uses Redis' own clock: those of gateways and workers may differ by seconds.
const NOW = "local t = redis.call('TIME'); local now = t[1] * 1000 + math.floor(t[2] / 1000)"
const PRUNE = "redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)"

const ACQUIRE = `${NOW} ${PRUNE}
  local count = redis.call('ZCARD', KEYS[1])
  if redis.call('ZSCORE', KEYS[1], ARGV[3]) then return count end
  if count >= tonumber(ARGV[2]) then return 0 end
  redis.call('ZADD', KEYS[1], now + ARGV[1], ARGV[3])
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  return count + 1`

const NOTE = `${NOW} ${PRUNE}
  for i = 2, #ARGV do redis.call('ZADD', KEYS[1], now + ARGV[1], ARGV[i]) end
  redis.call('PEXPIRE', KEYS[1], ARGV[1])`

const MEMBERS = `${NOW} ${PRUNE} return redis.call('ZRANGE', KEYS[1], 0, -1)`

interface Commands {
  fwAcquire: (key: string, leaseMs: number, cap: number, id: string) => Promise<number>
  fwNote: (key: string, leaseMs: number, ...ids: string[]) => Promise<unknown>
  fwMembers: (key: string) => Promise<string[]>
}

/** Sets in Redis whose members expire, shared by all processes. */
export function createLeases(redis: RedisClient): Leases {
  redis.defineCommand('fwAcquire', { lua: ACQUIRE, numberOfKeys: 1 })
  redis.defineCommand('fwNote', { lua: NOTE, numberOfKeys: 1 })
  redis.defineCommand('fwMembers', { lua: MEMBERS, numberOfKeys: 1 })
  const commands = redis as unknown as Commands
  return {
    acquire: async (key, id, cap) => {
      const place = await commands.fwAcquire(key, LEASE_MS, cap, id)
      return place === 0 ? null : place
    },
    note: async (key, ids, forMs = LEASE_MS) => {
      await commands.fwNote(key, forMs, ...ids)
    },
    release: async (key, ...ids) => {
      await redis.zrem(key, ...ids)
    },
    members: async (key) => await commands.fwMembers(key)
  }
}
