import { Type } from '@filewright/schema'

/** Configuration of every app that talks to the queues. */
export const redisConfig = {
  REDIS_URL: Type.String({
    pattern: '^rediss?(\\+sentinel|\\+cluster)?://',
    description:
      'Address of Redis, e.g. redis://localhost:6379; of its Sentinels: ' +
      'redis+sentinel://:password@sentinel-1:26379,sentinel-2:26379/name-of-the-primary; ' +
      'or of nodes of a Redis Cluster: redis+cluster://:password@node-1:6379,node-2:6379'
  }),
  QUEUE_PREFIX: Type.String({
    pattern: '^[\\w{}-]{1,32}$',
    default: 'fw',
    description: 'Prefix of all queue keys in Redis; in a Redis Cluster it gets braces, {fw}, if it has none'
  })
}
