import { createBlobStoreFrom, type BlobStore } from '@filewright/blob-store'
import { createDatabase, type Database } from '@filewright/db'
import {
  createStoreGuard,
  createStoreSet,
  currentPlaces,
  routedBlobs,
  storeName,
  type ConfiguredStore,
  type ResolvedConfig,
  type StoreGuard,
  type StoreSet
} from '@filewright/domain'
import {
  createQueueClient,
  createWindowCounter,
  delivery,
  inference,
  scanFile,
  type QueueClient,
  type WindowCounter
} from '@filewright/queue'
import { systemClock, type Clock, type Logger } from '@filewright/runtime'
import { startTracing, type Tracing } from '@filewright/telemetry'
import { WINDOW_MS } from './modules/limits/rate-limiter.js'
import { createTokensService, type TokensService } from './modules/tokens/tokens.service.js'

/** Clients of the systems outside the process, and the wrappers directly in front of them. */
export interface GatewayAdapters {
  clock: Clock
  tracing: Tracing
  database: Database
  stores: StoreSet
  queueClient: QueueClient
  counter: WindowCounter
  guard: StoreGuard
  tokens: TokensService
}

/** What the caller has made already, as tests do. */
export interface GivenAdapters extends Partial<GatewayAdapters> {
  /** The store that the settings name first. */
  store?: BlobStore
}

export async function createAdapters(
  config: ResolvedConfig,
  logger: Logger,
  given: GivenAdapters = {}
): Promise<GatewayAdapters> {
  const { REDIS_URL: redisUrl, QUEUE_PREFIX: prefix, DATABASE_URL: url } = config
  const clock = given.clock ?? systemClock
  const tracing =
    given.tracing ??
    (await startTracing({
      endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
      service: 'filewright-gateway',
      logger
    }))
  const database =
    given.database ??
    createDatabase({
      url,
      poolSize: config.DATABASE_POOL_SIZE,
      prepared: config.DATABASE_PREPARED
    })
  const { CDN_DIRECT_ENDPOINT: publicEndpoint } = config
  const first = {
    blobs: given.store ?? createBlobStoreFrom(config, { logger, publicEndpoint }),
    name: storeName(config)
  }
  const { secondStore } = config
  const second: ConfiguredStore[] =
    secondStore === undefined
      ? []
      : [{ blobs: createBlobStoreFrom(secondStore, { logger }), name: storeName(secondStore) }]
  const { installation } = database
  const stores = given.stores ?? createStoreSet({ stores: [first, ...second], installation, logger })
  const queueClient =
    given.queueClient ??
    createQueueClient({
      redisUrl,
      prefix,
      logger,
      maxWaiters: config.MAX_WAITERS,
      maxDepth: { [scanFile.name]: config.MAX_SCAN_QUEUE, [inference.name]: config.MAX_INFERENCE_QUEUE },
      definitions: [scanFile, inference, delivery],
      traceContext: tracing.inject
    })
  const counter = given.counter ?? createWindowCounter({ redisUrl, prefix, logger, windowMs: WINDOW_MS })
  const guard =
    given.guard ??
    createStoreGuard({
      installation,
      files: database.files,
      blobs: routedBlobs(stores),
      follow: stores.follow,
      places: currentPlaces(stores, url),
      logger
    })
  const tokens = given.tokens ?? createTokensService({ tokens: database.tokens, clock })
  return { clock, tracing, database, stores, queueClient, counter, guard, tokens }
}
