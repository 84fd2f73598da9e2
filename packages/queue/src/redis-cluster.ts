import { Cluster, type Redis, type RedisOptions } from 'ioredis'
import { parsePlace } from './redis-place.js'

/** redis+cluster://user:password@node-1:6379,node-2:6379; rediss+ for TLS. */
const CLUSTER = /^redis(s?)\+cluster:\/\/(?:([^:@]*):([^@]*)@)?([^/@]+)\/?$/
/** The hash tag: the part between the first opening brace and the next closing one. */
const HASH_TAG = /^[^{]*\{[^}]+\}/
const PORT = 6_379
/**
 * A cluster that settles after a failover can redirect a command back and forth; this prevents a busy loop.
 */
const RETRY_MS = 50
/** A node that hangs is skipped. */
const REFRESH_MS = 1_000
/** Nodes that join later are known after this time, and then receive cancellations. */
export const NEW_NODES_MS = 5_000

/** One Redis, or a cluster of them. */
export type RedisClient = Redis | Cluster
/** Without options that change the types of replies. */
export type ConnectOptions = Omit<RedisOptions, 'replyMapping'>

export function isClusterAddress(address: string): boolean {
  return address.startsWith('redis+cluster:') || address.startsWith('rediss+cluster:')
}

export function isCluster(redis: RedisClient): redis is Cluster {
  return redis.isCluster
}

/**
 * In a cluster all keys of an installation are in one slot, because scripts may only touch keys of one slot.
 * The braces decide the slot, so a prefix without them gets them.
 */
export function keyPrefix(address: string, prefix: string): string {
  return !isClusterAddress(address) || HASH_TAG.test(prefix) ? prefix : `{${prefix}}`
}

/** The same policy as for one Redis, as cluster options. */
export function openCluster(address: string, options: ConnectOptions): Cluster {
  const found = CLUSTER.exec(address)
  if (found === null) {
    throw new Error('REDIS_URL is not like redis+cluster://:password@node-1:6379,node-2:6379')
  }
  const [, tls, user = '', encoded = '', places = ''] = found
  const { retryStrategy, enableOfflineQueue = true, lazyConnect = false, ...ofEachNode } = options
  const isPatient = options.maxRetriesPerRequest === null
  const nodes = places.split(',').map((place) => parsePlace(place, PORT))
  const cluster = new Cluster(nodes, {
    enableOfflineQueue,
    lazyConnect,
    clusterRetryStrategy: (times) => retryStrategy?.(times) ?? null,
    // Also counts attempts while the cluster elects another primary. Callers that can wait do so until it
    // has.
    ...(isPatient ? { maxRedirections: Infinity } : {}),
    retryDelayOnMoved: RETRY_MS,
    slotsRefreshTimeout: REFRESH_MS,
    // Keeps host names, because certificates contain them.
    dnsLookup: (host, done) => done(null, host),
    redisOptions: {
      ...ofEachNode,
      // 2: resend after refreshing the slots. A read-only node has executed nothing.
      reconnectOnError: (error) => (error.message.startsWith('READONLY') ? 2 : false),
      ...(user === '' ? {} : { username: decodeURIComponent(user) }),
      ...(encoded === '' ? {} : { password: decodeURIComponent(encoded) }),
      ...(tls === 's' ? { tls: {} } : {})
    }
  })
  findNewNodes(cluster)
  return cluster
}

/**
 * In place of the option `slotsRefreshInterval`: if it is disconnected during such a refresh, ioredis
 * continues refreshing forever and keeps the process alive.
 */
function findNewNodes(cluster: Cluster): void {
  const timer = setInterval(() => {
    if (cluster.status === 'ready') cluster.refreshSlotsCache()
  }, NEW_NODES_MS).unref()
  cluster.once('end', () => clearInterval(timer))
}

/** Resolves if Redis answers: in a cluster, the node that has this key, because the others prove nothing. */
export async function pingRedis(redis: RedisClient, key: string): Promise<void> {
  await (isCluster(redis) ? redis.exists(key) : redis.ping())
}

/** The number of subscribers that get the message. */
export async function publish(redis: RedisClient, channel: string, message: string): Promise<number> {
  const receivers = await redis.publish(channel, message)
  if (receivers > 0 || !isCluster(redis)) return receivers
  // Every node forwards it to all others, but counts only its own connections.
  const counts = await Promise.allSettled(
    redis.nodes().map(async (node) => Number((await node.pubsub('NUMSUB', channel))[1]))
  )
  return counts.reduce((sum, count) => sum + (count.status === 'fulfilled' ? count.value : 0), 0)
}

/** ioredis' error for an unreachable cluster has no cause; this adds the last node's error. */
export function clusterError(error: unknown): unknown {
  const cause = (error as { lastNodeError?: unknown } | null)?.lastNodeError
  if (!(error instanceof Error) || !(cause instanceof Error)) return error
  return new Error(`no node of the Redis cluster can be used: ${cause.message}`, { cause: error })
}
