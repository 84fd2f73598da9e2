import { createBlobStoreFrom } from '@filewright/blob-store'
import { createDatabase } from '@filewright/db'
import { createQueueClient, createWindowCounter, inference, scanFile } from '@filewright/queue'
import { startProbeServer, systemClock, type Logger, type ShutdownStep } from '@filewright/runtime'
import { buildApp } from './app.js'
import type { ResolvedConfig } from './config.js'
import { createReadiness } from './health/readiness.js'
import { createAiService } from './modules/ai/ai.service.js'
import { createAddresses } from './modules/downloads/addresses.js'
import { createFilesService } from './modules/files/files.service.js'
import { createUploadCleaner } from './modules/files/upload-cleaner.js'
import { createUploadService } from './modules/files/upload.service.js'
import { createIdempotencyService } from './modules/idempotency/idempotency.service.js'
import { createInFlight } from './modules/limits/in-flight.js'
import { createLoginGuard } from './modules/limits/login-guard.js'
import { createRateLimiter, WINDOW_MS } from './modules/limits/rate-limiter.js'
import { createTokensService } from './modules/tokens/tokens.service.js'
import { createSweeper } from './sweeper/sweeper.js'

/** Makes every part and joins them; nothing is created anywhere else. Returns how to take it down again, in order. */
export async function startGateway (config: ResolvedConfig, logger: Logger): Promise<ShutdownStep[]> {
  const clock = systemClock
  const database = createDatabase({ url: config.DATABASE_URL, poolSize: config.DATABASE_POOL_SIZE })
  const blobs = createBlobStoreFrom(config)
  const queue = createQueueClient({
    redisUrl: config.REDIS_URL,
    prefix: config.QUEUE_PREFIX,
    logger,
    maxWaiters: config.MAX_WAITERS,
    maxDepth: { [scanFile.name]: config.MAX_SCAN_QUEUE, [inference.name]: config.MAX_INFERENCE_QUEUE },
    definitions: [scanFile, inference]
  })
  const counter = createWindowCounter({ redisUrl: config.REDIS_URL, prefix: config.QUEUE_PREFIX, logger, windowMs: WINDOW_MS })
  const addresses = createAddresses({
    baseUrl: config.BASE_URL,
    cdnUrl: config.CDN_URL,
    clock,
    ...(config.CDN_SIGNED ? { signing: { key: config.CDN_SIGNING_KEY ?? '', ttlSeconds: config.CDN_TTL_SECONDS } } : {})
  })
  const cleaner = createUploadCleaner({ files: database.files, blobs, logger })
  const idempotency = createIdempotencyService({ keys: database.idempotency, clock, logger, leaseMs: config.IDEMPOTENCY_LEASE_MS })
  const sweeper = createSweeper({
    files: database.files,
    keys: database.idempotency,
    blobs,
    clock,
    logger,
    intervalMs: config.SWEEP_INTERVAL_MS,
    graceMs: config.UPLOAD_TIMEOUT_MS + 60_000
  })
  const app = await buildApp({
    logger,
    tokens: createTokensService({ tokens: database.tokens, clock }),
    files: createFilesService({ files: database.files, blobs, logger }),
    uploads: createUploadService({
      files: database.files,
      blobs,
      queue,
      idempotency,
      cleaner,
      clock,
      logger,
      timing: { uploadTimeoutMs: config.UPLOAD_TIMEOUT_MS, idleTimeoutMs: config.IDLE_TIMEOUT_MS, scanDeadlineMs: config.SCAN_DEADLINE_MS }
    }),
    ai: createAiService({
      generations: database.generations,
      queue,
      clock,
      logger,
      deadlineMs: config.AI_DEADLINE_MS,
      storePrompts: config.STORE_PROMPTS
    }),
    idempotency,
    limits: {
      rate: createRateLimiter({ counter, perMinute: config.RATE_LIMIT_PER_MINUTE, aiPerMinute: config.AI_RATE_LIMIT_PER_MINUTE }),
      inFlight: { upload: createInFlight(config.MAX_UPLOADS_PER_TOKEN), ai: createInFlight(config.MAX_AI_REQUESTS_PER_TOKEN) }
    },
    guard: createLoginGuard(config.AUTH_FAILURES_PER_MINUTE),
    blobs,
    addresses,
    docs: { baseUrl: config.BASE_URL, cdnUrl: config.CDN_URL },
    http: { uploadTimeoutMs: config.UPLOAD_TIMEOUT_MS, idleTimeoutMs: config.IDLE_TIMEOUT_MS, trustProxy: config.TRUST_PROXY }
  })

  await app.listen({ host: config.HOST, port: config.PORT })
  const probe = await startProbeServer({
    host: config.ADMIN_HOST,
    port: config.ADMIN_PORT,
    notReady: createReadiness({ database, queue, blobs })
  })
  sweeper.start()

  return [
    { name: 'public listener', run: async () => { await app.close() } },
    { name: 'sweeper', run: async () => { await sweeper.stop() } },
    { name: 'failed uploads', run: async () => { await cleaner.idle() } },
    { name: 'queue', run: async () => { await queue.close() } },
    { name: 'limits', run: () => { counter.close() } },
    { name: 'blob store', run: async () => { await blobs.close() } },
    { name: 'database', run: async () => { await database.close() } },
    { name: 'admin listener', run: async () => { await probe.close() } }
  ]
}
