import { AppError } from '@filewright/runtime'
import { openRedis } from './redis-address.js'

export interface RedisFacts {
  version: string
  /** Anything but `noeviction` may throw jobs away. */
  maxmemoryPolicy: string
  maxmemoryBytes: number
  usedBytes: number
  appendOnly: boolean
  /** False when the last write to the append-only file failed, as on a full disk. */
  lastWriteOk: boolean
}

const TIMEOUT_MS = 3_000

/** What Redis says of itself. Only INFO: managed ones refuse CONFIG. */
export async function inspectRedis(redisUrl: string): Promise<RedisFacts> {
  const redis = openRedis(redisUrl, {
    lazyConnect: true,
    connectTimeout: TIMEOUT_MS,
    commandTimeout: TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null
  })
  let cause: Error | undefined
  redis.on('error', (error) => {
    cause = error
  })
  try {
    await redis.connect()
    const facts = new Map(
      (await redis.info()).split('\r\n').map((line) => {
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
  } catch (error) {
    throw new AppError('QUEUE_UNAVAILABLE', (cause ?? (error as Error)).message, {
      cause: error,
      retryable: true
    })
  } finally {
    redis.disconnect()
  }
}
