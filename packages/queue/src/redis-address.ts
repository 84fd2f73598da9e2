import { Redis } from 'ioredis'
import { parsePlace, type RedisPlace } from './redis-place.js'
import { isClusterAddress, openCluster, type ConnectOptions, type RedisClient } from './redis-cluster.js'

/** redis+sentinel://user:password@sentinel-1:26379,sentinel-2:26379/name-of-the-primary; rediss+ for TLS. */
const SENTINELS = /^redis(s?)\+sentinel:\/\/(?:([^:@]*):([^@]*)@)?([^/]+)\/([\w.-]+)$/

interface SentinelOptions {
  name: string
  sentinels: RedisPlace[]
  sentinelCommandTimeout: number
  username?: string
  password?: string
  sentinelPassword?: string
  tls?: object
  enableTLSForSentinelMode?: boolean
}

const SENTINEL_FORM =
  'must look like redis+sentinel://user:password@sentinel-1:26379,sentinel-2:26379/name-of-the-primary'
const SENTINEL_PORT = 26_379
/** A Sentinel that hangs is skipped. */
const SENTINEL_MS = 2_000

/**
 * One Redis by its address, the primary that Sentinels name (asked again after each lost connection), or a
 * cluster.
 */
export function openRedis(address: string, options: ConnectOptions): RedisClient {
  if (isClusterAddress(address)) return openCluster(address, options)
  const sentinels = sentinelOptions(address)
  return sentinels === null ? new Redis(address, options) : new Redis({ ...options, ...sentinels })
}

/** The same for BullMQ, where it opens the connection itself; not for a cluster. */
export function connectionTo(address: string): SentinelOptions | { url: string } {
  return sentinelOptions(address) ?? { url: address }
}

function sentinelOptions(address: string): SentinelOptions | null {
  if (!/^rediss?\+sentinel:/.test(address)) return null
  const found = SENTINELS.exec(address)
  if (found === null) throw new Error(`REDIS_URL ${SENTINEL_FORM}`)
  const [, tls, user = '', encoded = '', places = '', name = ''] = found
  const password = decodeURIComponent(encoded)
  return {
    name,
    sentinels: places.split(',').map((place) => parsePlace(place, SENTINEL_PORT)),
    sentinelCommandTimeout: SENTINEL_MS,
    ...(user === '' ? {} : { username: decodeURIComponent(user) }),
    // Sentinels without a password ignore it.
    ...(password === '' ? {} : { password, sentinelPassword: password }),
    ...(tls === 's' ? { tls: {}, enableTLSForSentinelMode: true } : {})
  }
}
