import type { Cluster } from 'ioredis'
import { AppError } from '@filewright/runtime'
import { openRedis } from './redis-address.js'
import { clusterError, isCluster, type RedisClient } from './redis-cluster.js'

export interface RedisFacts {
  version: string
  /** Any policy except `noeviction` may evict jobs. */
  maxmemoryPolicy: string
  maxmemoryBytes: number
  usedBytes: number
  appendOnly: boolean
  /** False when the last write to the append-only file failed, as on a full disk. */
  lastWriteOk: boolean
}

const TIMEOUT_MS = 3_000

/** Redis' INFO; for a cluster, the worst node. Only INFO, because managed servers refuse CONFIG. */
export async function inspectRedis(redisUrl: string): Promise<RedisFacts> {
  const redis = openRedis(redisUrl, {
    lazyConnect: true,
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null
  })
  let cause: unknown
  redis.on('error', (error) => {
    cause = clusterError(error)
  })
  try {
    await waitForConnection(redis)
    return worst((isCluster(redis) ? await infoOfNodes(redis) : [await redis.info()]).map(factsOf))
  } catch (error) {
    throw new AppError('QUEUE_UNAVAILABLE', ((cause ?? error) as Error).message, {
      cause: error,
      retryable: true
    })
  } finally {
    redis.disconnect()
  }
}

/**
 * ioredis keeps waiting for a server that accepts the connection and never answers, and for a cluster with
 * missing slots.
 */
async function waitForConnection(redis: RedisClient): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const hint = isCluster(redis) ? 'the cluster may be down or lack slots' : 'the server does not answer'
      reject(new Error(`no connection in ${TIMEOUT_MS} ms; ${hint}`))
    }, TIMEOUT_MS)
  })
  try {
    await Promise.race([redis.connect(), late])
  } finally {
    clearTimeout(timer)
  }
}

/** Replicas as well: any of them may become a primary. */
async function infoOfNodes(cluster: Cluster): Promise<string[]> {
  return await Promise.all(cluster.nodes().map(async (node) => await node.info()))
}

function factsOf(info: string): RedisFacts {
  const facts = new Map(
    info.split('\r\n').map((line) => {
      const [key = '', value = ''] = line.split(':', 2)
      return [key, value]
    })
  )
  return {
    version: facts.get('redis_version') ?? 'unknown',
    maxmemoryPolicy: facts.get('maxmemory_policy') ?? 'unknown',
    maxmemoryBytes: Number(facts.get('maxmemory') ?? 0),
    usedBytes: Number(facts.get('used_memory') ?? 0),
    appendOnly: facts.get('aof_enabled') === '1',
    lastWriteOk: facts.get('aof_last_write_status') !== 'err'
  }
}

function worst(nodes: RedisFacts[]): RedisFacts {
  return nodes.reduce((one, other) => {
    const fuller = fullness(other) > fullness(one) ? other : one
    return {
      version: one.version,
      maxmemoryPolicy: one.maxmemoryPolicy === 'noeviction' ? other.maxmemoryPolicy : one.maxmemoryPolicy,
      maxmemoryBytes: fuller.maxmemoryBytes,
      usedBytes: fuller.usedBytes,
      appendOnly: one.appendOnly || other.appendOnly,
      lastWriteOk: one.lastWriteOk && other.lastWriteOk
    }
  })
}

function fullness({ maxmemoryBytes, usedBytes }: RedisFacts): number {
  return maxmemoryBytes === 0 ? 0 : usedBytes / maxmemoryBytes
}
