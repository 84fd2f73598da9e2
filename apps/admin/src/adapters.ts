import { Type, type Static, type TObject } from '@filewright/schema'
import { addressOfStore, type BlobStore } from '@filewright/blob-store'
import { createDatabase, migrate, type Database } from '@filewright/db'
import {
  createRequestVerdict,
  createRescanFile,
  createWebhookEndpoints,
  currentPlaces,
  routedBlobs,
  type StoreSet
} from '@filewright/domain'
import {
  createQueueClient,
  delivery,
  inference,
  redisConfig,
  scanFile,
  type QueueClient
} from '@filewright/queue'
import { AppError, createLogger, loadConfig, systemClock, type Environment } from '@filewright/runtime'
import { webhookConfig } from '@filewright/webhooks'
import type { AdminAdapters } from './command.js'
import { storeConfigs, storeSetOf } from './configured-stores.js'

const RESCAN_MS = 120_000
/** Longer than the longest upload that any setting allows. */
const GRACE_MS = 60 * 60_000

export interface ClosableParts extends AdminAdapters {
  database: () => Database
  queue: () => QueueClient
  blobs: () => BlobStore
  close: () => Promise<void>
}

export function createAdapters(env: Environment): ClosableParts {
  const closers: Array<() => Promise<void>> = []
  const logger = createLogger({ name: 'admin', level: 'silent' })

  function once<T extends { close: () => Promise<void> }>(create: () => T): () => T {
    let part: T | undefined
    return () => {
      if (part === undefined) {
        const made = (part = create())
        closers.push(async () => await made.close())
      }
      return part
    }
  }

  function databaseUrl(): string {
    const url = env['DATABASE_URL']
    if (url === undefined || url === '') {
      throw new AppError(
        'CONFIG_INVALID',
        'DATABASE_URL is not set: it names the PostgreSQL database of the service'
      )
    }
    return url
  }

  const database = once(() => createDatabase({ url: databaseUrl(), poolSize: 4, statementTimeoutMs: 60_000 }))
  let set: StoreSet | undefined
  const stores = (): StoreSet => (set ??= storeSetOf(env, database().installation))
  const blobs = once(() => routedBlobs(stores()))
  const queue = once(() => {
    const config = loadConfig<{ REDIS_URL: string; QUEUE_PREFIX: string }>(Type.Object(redisConfig), env)
    return createQueueClient({
      redisUrl: config.REDIS_URL,
      prefix: config.QUEUE_PREFIX,
      logger,
      definitions: [scanFile, inference, delivery]
    })
  })

  return {
    env,
    database,
    blobs,
    queue,
    graceMs: GRACE_MS,
    stores,
    storeAddresses: () => storeConfigs(env).map(addressOfStore),
    places: () => currentPlaces(stores(), databaseUrl()),
    rescanFile: () => {
      const { files, rescans } = database()
      const requestVerdict = createRequestVerdict({
        queue: queue(),
        secret: blobs().secret,
        receipts: database().receipts,
        logger
      })
      return createRescanFile({
        files,
        rescans,
        blobs: blobs(),
        requestVerdict,
        clock: systemClock,
        logger,
        deadlineMs: RESCAN_MS
      })
    },
    webhookEndpoints: () =>
      createWebhookEndpoints({
        ...database(),
        config: loadConfig<Static<TObject<typeof webhookConfig>>>(Type.Object(webhookConfig), env)
      }),
    migrate: async () => await migrate({ url: databaseUrl() }),
    close: async () => {
      for (const close of closers.reverse()) await close()
    }
  }
}
