import { createBlobStoreFrom } from '@filewright/blob-store'
import { createDatabase } from '@filewright/db'
import {
  createRequestVerdict, createRescanFile, createStoreGuard, defaultQuotas, guardedBlobs, placesOf, trustedProxies,
  type ResolvedConfig
} from '@filewright/domain'
import { createQueueClient, createWindowCounter, inference, scanFile } from '@filewright/queue'
import {
  endWithSentence, startProbeServer, systemClock, type Logger, type ShutdownStep
} from '@filewright/runtime'
import { startTracing, traced } from '@filewright/telemetry'
import { buildApp } from './app.js'
import { createGatewayHealth } from './health/gateway-health.js'
import { createAiService } from './modules/ai/ai.service.js'
import { createAddresses } from './modules/downloads/addresses.js'
import { createFilesService } from './modules/files/files.service.js'
import { createUploadCleaner } from './modules/files/upload-cleaner.js'
import { createUploadService } from './modules/files/upload.service.js'
import { createIdempotencyService } from './modules/idempotency/idempotency.service.js'
import { createInFlight } from './modules/limits/in-flight.js'
import { createLoginGuard } from './modules/limits/login-guard.js'
import { createScanBudget } from './modules/limits/scan-budget.js'
import { createRateLimiter, WINDOW_MS } from './modules/limits/rate-limiter.js'
import { createQuotasService } from './modules/quotas/quotas.service.js'
import { createTokensService } from './modules/tokens/tokens.service.js'
import { createGatewayMetrics } from './operators/gateway-metrics.js'
import { meteredBlobs, meteredQueue, meteredVerdicts, recordSweep } from './operators/metered.js'
import { tracedQueue } from './operators/traced-queue.js'
import { createQueueBoard } from './operators/queue-board.js'
import { createRescanner } from './rescan/rescanner.js'
import { createRetention } from './sweeper/retention.js'
import { createSweeper } from './sweeper/sweeper.js'

/** A stored file that could not be scanned again waits this long for the next try. */
const RESCAN_RETRY_MS = 600_000

/** Makes every part and joins them; nothing is created anywhere else. Returns how to take it down again, in order. */
export async function startGateway (config: ResolvedConfig, logger: Logger): Promise<ShutdownStep[]> {
  const clock = systemClock
  const tracing = await startTracing({ endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT, service: 'filewright-gateway', logger })
  const database = createDatabase({ url: config.DATABASE_URL, poolSize: config.DATABASE_POOL_SIZE, prepared: config.DATABASE_PREPARED })
  const store = createBlobStoreFrom(config)
  const queueClient = createQueueClient({
    redisUrl: config.REDIS_URL,
    prefix: config.QUEUE_PREFIX,
    logger,
    maxWaiters: config.MAX_WAITERS,
    maxDepth: { [scanFile.name]: config.MAX_SCAN_QUEUE, [inference.name]: config.MAX_INFERENCE_QUEUE },
    definitions: [scanFile, inference],
    traceContext: tracing.inject
  })
  const counter = createWindowCounter({ redisUrl: config.REDIS_URL, prefix: config.QUEUE_PREFIX, logger, windowMs: WINDOW_MS })
  const scanBudget = createScanBudget({
    counter, scanSeconds: config.SCAN_SECONDS_PER_MINUTE, unpackedBytes: config.UNPACKED_BYTES_PER_MINUTE
  })
  const guard = createStoreGuard({
    installation: database.installation,
    files: database.files,
    blobs: store,
    places: placesOf(config, config.DATABASE_URL),
    logger
  })
  const health = createGatewayHealth({ database, queue: queueClient, blobs: store, store: guard, logger })
  const metrics = createGatewayMetrics({ queue: queueClient, health })
  const { record } = metrics
  const blobs = traced(meteredBlobs(guardedBlobs(store, guard), record), tracing, {
    write: 'storage write', open: 'storage read', remove: 'storage remove'
  })
  const queue = tracedQueue(meteredQueue(queueClient, record), tracing)
  const verdicts = createRequestVerdict({ queue, secret: blobs.secret, logger })
  const requestVerdict = meteredVerdicts(verdicts, record)
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
    generations: database.generations,
    installation: database.installation,
    blobs,
    verifyStore: guard.verify,
    clock,
    logger,
    intervalMs: config.SWEEP_INTERVAL_MS,
    graceMs: config.UPLOAD_TIMEOUT_MS + 60_000,
    aiGraceMs: config.AI_DEADLINE_MS + 60_000,
    removeOldRecords: createRetention({
      generations: database.generations,
      files: database.files,
      clock,
      days: { generations: config.GENERATION_RETENTION_DAYS, refusedFiles: config.REFUSED_RETENTION_DAYS }
    }),
    onSwept: (report) => { recordSweep(record, report) }
  })
  const rescanner = createRescanner({
    files: database.files,
    rescans: database.rescans,
    rescanFile: createRescanFile({
      files: database.files,
      rescans: database.rescans,
      blobs,
      requestVerdict,
      clock,
      logger,
      deadlineMs: config.SCAN_DEADLINE_MS
    }),
    clock,
    logger,
    intervalMs: config.RESCAN_INTERVAL_MS,
    batch: config.RESCAN_BATCH,
    claimMs: config.SCAN_DEADLINE_MS + RESCAN_RETRY_MS,
    onReport: (report) => { record(({ rescanned }) => { for (const [result, count] of Object.entries(report)) rescanned.inc({ result }, count) }) }
  })
  // Both sides are asked while the rest is made.
  const compared = guard.begin()
  compared.catch(() => {})
  const app = await buildApp({
    logger,
    tokens: createTokensService({ tokens: database.tokens, clock }),
    files: createFilesService({ files: database.files, blobs, logger }),
    uploads: createUploadService({
      files: database.files,
      blobs,
      store: guard,
      queue,
      requestVerdict,
      idempotency,
      quotas: createQuotasService({ quotas: database.quotas, clock, defaults: defaultQuotas(config) }),
      scanBudget,
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
      inFlight: { upload: createInFlight(config.MAX_UPLOADS_PER_TOKEN), ai: createInFlight(config.MAX_AI_REQUESTS_PER_TOKEN) },
      scanBudget
    },
    guard: createLoginGuard(config.AUTH_FAILURES_PER_MINUTE),
    blobs,
    addresses,
    docs: { baseUrl: config.BASE_URL, cdnUrl: config.CDN_URL },
    http: { uploadTimeoutMs: config.UPLOAD_TIMEOUT_MS, idleTimeoutMs: config.IDLE_TIMEOUT_MS, trustProxy: trustedProxies(config.TRUST_PROXY) },
    tracing,
    meter: {
      answered: ({ method, route, status, ms }) => {
        record(({ requests, requestSeconds }) => {
          requests.inc({ method, route, status })
          requestSeconds.observe({ method, route }, ms / 1_000)
        })
      },
      sent: (bytes) => { record(({ downloadBytes }) => { downloadBytes.inc(bytes) }) }
    }
  })

  await compared
  await app.listen({ host: config.HOST, port: config.PORT })
  const board = createQueueBoard({
    redisUrl: config.REDIS_URL,
    prefix: config.QUEUE_PREFIX,
    password: config.ADMIN_PASSWORD,
    write: config.ADMIN_WRITE,
    guard: createLoginGuard(config.ADMIN_FAILURES_PER_MINUTE),
    logger
  })
  const admin = await startProbeServer({
    host: config.ADMIN_HOST,
    port: config.ADMIN_PORT,
    hosts: config.ADMIN_HOSTS,
    health,
    metrics: metrics.page,
    handle: board.handle
  })
  health.start()
  void guard.established.then(() => {
    sweeper.start()
    rescanner.start()
  }, endWithSentence)

  return [
    { name: 'public listener', run: async () => { await app.close() } },
    { name: 'health', run: async () => { await health.stop() } },
    { name: 'store guard', run: () => { guard.stop() } },
    { name: 'sweeper', run: async () => { await sweeper.stop() } },
    { name: 'failed uploads', run: async () => { await cleaner.idle() } },
    // Together: a rescan under way ends when its queue closes, and would otherwise be waited for.
    { name: 'queue and rescan', run: async () => { await Promise.all([rescanner.stop(), queueClient.close()]) } },
    { name: 'limits', run: () => { counter.close() } },
    { name: 'blob store', run: async () => { await blobs.close() } },
    { name: 'database', run: async () => { await database.close() } },
    { name: 'dashboard', run: async () => { await board.close() } },
    { name: 'metrics', run: () => { metrics.close() } },
    { name: 'tracing', run: async () => { await tracing.close() } },
    { name: 'admin listener', run: async () => { await admin.close() } }
  ]
}
