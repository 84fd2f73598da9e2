import { Type } from 'typebox'

/** Configuration of every app that talks to the queues. */
export const redisConfig = {
  REDIS_URL: Type.String({ pattern: '^rediss?://', description: 'Address of Redis, e.g. redis://localhost:6379' }),
  QUEUE_PREFIX: Type.String({ pattern: '^[\\w{}-]{1,32}$', default: 'fw', description: 'Prefix of all queue keys in Redis' })
}
