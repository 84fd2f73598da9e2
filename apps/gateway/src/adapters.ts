import { createBlobStoreFrom, type BlobStore } from '@filewright/blob-store'
import { createDatabase, type Database } from '@filewright/db'
import { createStoreGuard, placesOf, type ResolvedConfig, type StoreGuard } from '@filewright/domain'
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
  store: BlobStore
  queueClient: QueueClient
  counter: WindowCounter
  guard: StoreGuard
  tokens: TokensService
}

/** @param given made by the caller already, as tests do */
export async function createAdapters(
  config: ResolvedConfig,
  logger: Logger,
  given: Partial<GatewayAdapters> = {}
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
  const store = given.store ?? createBlobStoreFrom(config, { logger })
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
      installation: database.installation,
      files: database.files,
      blobs: store,
      places: placesOf(config, url),
      logger
    })
  const tokens = given.tokens ?? createTokensService({ tokens: database.tokens, clock })
  return { clock, tracing, database, store, queueClient, counter, guard, tokens }
}
