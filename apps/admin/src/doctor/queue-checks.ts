import {
  createQueueClient,
  delivery,
  inference,
  inspectRedis,
  scanFile,
  type QueueDefinition
} from '@filewright/queue'
import { createLogger } from '@filewright/runtime'
import { broken, ok, reasonOf, settingOf, skipped, warning, type Check } from './check.js'

const UNSET = 'REDIS_URL is not set'
const FULL = 0.9

export const redisCheck: Check = {
  name: 'Redis',
  run: async (env) => {
    const url = settingOf(env, 'REDIS_URL')
    if (url === undefined) {
      return broken(UNSET, 'Set it to the address of your Redis, or start the local stack with npm start.')
    }
    try {
      const { version, maxmemoryPolicy, maxmemoryBytes, usedBytes, appendOnly, lastWriteOk } =
        await inspectRedis(url)
      if (maxmemoryPolicy !== 'noeviction') {
        return broken(
          `maxmemory-policy is ${maxmemoryPolicy}: Redis may evict jobs`,
          'Set maxmemory-policy noeviction in redis.conf.'
        )
      }
      if (!lastWriteOk) {
        return broken(
          'cannot write to its disk',
          'Check the free space and the permissions of the folder that Redis writes to.'
        )
      }
      if (maxmemoryBytes > 0 && usedBytes > maxmemoryBytes * FULL) {
        return broken(
          `uses ${usedBytes} of its ${maxmemoryBytes} bytes`,
          'Raise maxmemory: a full Redis refuses new jobs, and uploads get 503.'
        )
      }
      if (appendOnly) {
        return warning(
          `${version}, writes users' prompts and code to its append-only file`,
          'Set appendonly no: nothing in Redis has to survive a restart.'
        )
      }
      return ok(`${version}, noeviction, nothing on disk`)
    } catch (error) {
      return broken(
        `does not answer: ${reasonOf(error)}`,
        'Start Redis, and check host, port and password in REDIS_URL.'
      )
    }
  }
}

function workerCheck(app: string, definition: QueueDefinition): Check {
  return {
    name: app,
    run: async (env) => {
      const redisUrl = settingOf(env, 'REDIS_URL')
      if (redisUrl === undefined) return skipped(UNSET)
      const logger = createLogger({ name: 'doctor', level: 'silent' })
      const queue = createQueueClient({
        redisUrl,
        prefix: settingOf(env, 'QUEUE_PREFIX') ?? 'fw',
        logger,
        definitions: [definition]
      })
      try {
        if (await queue.hasWorker(definition)) return ok('running')
        const [paused] = (await queue.workers(definition)).filter((report) => !report.ok)
        if (paused !== undefined) {
          return broken(
            `alive, but takes no jobs: ${paused.reason}`,
            'Fix that. The worker then takes jobs again by itself.'
          )
        }
        return broken(
          `no worker is connected to the queue ${definition.name}`,
          `Start a ${app}, with the same REDIS_URL and QUEUE_PREFIX as the gateway.`
        )
      } catch {
        return skipped('Redis does not answer')
      } finally {
        await queue.close()
      }
    }
  }
}

export const scanWorkerCheck = workerCheck('scan-worker', scanFile as QueueDefinition)
export const inferenceWorkerCheck = workerCheck('inference-worker', inference as QueueDefinition)

const delivering = workerCheck('delivery-worker', delivery as QueueDefinition)
export const deliveryWorkerCheck: Check = {
  ...delivering,
  run: async (env, ...rest) =>
    settingOf(env, 'WEBHOOK_KEY') === undefined
      ? skipped('WEBHOOK_KEY is not set: there are no webhooks')
      : await delivering.run(env, ...rest)
}
