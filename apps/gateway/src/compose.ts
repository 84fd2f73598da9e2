import { createBlobStoreFrom } from '@filewright/blob-store'
import { createDatabase } from '@filewright/db'
import { createQueueClient, inference, scanFile } from '@filewright/queue'
import { startProbeServer, systemClock, type Logger, type ShutdownStep } from '@filewright/runtime'
import { buildApp } from './app.js'
import type { ResolvedConfig } from './config.js'
import { createReadiness } from './health/readiness.js'
import { createAiService } from './modules/ai/ai.service.js'
import { createAddresses } from './modules/downloads/addresses.js'
import { createFilesService } from './modules/files/files.service.js'
import { createUploadCleaner } from './modules/files/upload-cleaner.js'
import { createUploadService } from './modules/files/upload.service.js'
import { createTokensService } from './modules/tokens/tokens.service.js'
import { createRescanFile } from './rescan/rescan-file.js'
import { createRescanner } from './rescan/rescanner.js'
import { createSweeper } from './sweeper/sweeper.js'

/** A stored file that could not be scanned again waits this long for the next try. */
const RESCAN_RETRY_MS = 600_000

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
    definitions: [scanFile, inference]
  })
  const addresses = createAddresses({
    baseUrl: config.BASE_URL,
    cdnUrl: config.CDN_URL,
    clock,
    ...(config.CDN_SIGNED ? { signing: { key: config.CDN_SIGNING_KEY ?? '', ttlSeconds: config.CDN_TTL_SECONDS } } : {})
  })
  const cleaner = createUploadCleaner({ files: database.files, blobs, logger })
  const sweeper = createSweeper({
    files: database.files,
    blobs,
    clock,
    logger,
    intervalMs: config.SWEEP_INTERVAL_MS,
    graceMs: config.UPLOAD_TIMEOUT_MS + 60_000
  })
  const rescanner = createRescanner({
    files: database.files,
    rescans: database.rescans,
    rescanFile: createRescanFile({ files: database.files, rescans: database.rescans, blobs, queue, clock, logger, deadlineMs: config.SCAN_DEADLINE_MS }),
    clock,
    logger,
    intervalMs: config.RESCAN_INTERVAL_MS,
    batch: config.RESCAN_BATCH,
    claimMs: config.SCAN_DEADLINE_MS + RESCAN_RETRY_MS
  })
  const app = await buildApp({
    logger,
    tokens: createTokensService({ tokens: database.tokens, clock }),
    files: createFilesService({ files: database.files, blobs, logger }),
    uploads: createUploadService({
      files: database.files,
      blobs,
      queue,
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
    blobs,
    addresses,
    http: { uploadTimeoutMs: config.UPLOAD_TIMEOUT_MS, idleTimeoutMs: config.IDLE_TIMEOUT_MS, trustProxy: config.TRUST_PROXY }
  })

  await app.listen({ host: config.HOST, port: config.PORT })
  const probe = await startProbeServer({
    host: config.ADMIN_HOST,
    port: config.ADMIN_PORT,
    notReady: createReadiness({ database, queue, blobs })
  })
  sweeper.start()
  rescanner.start()

  return [
    { name: 'public listener', run: async () => { await app.close() } },
    { name: 'sweeper', run: async () => { await sweeper.stop() } },
    { name: 'failed uploads', run: async () => { await cleaner.idle() } },
    // Together: a rescan under way ends when its queue closes, and would otherwise be waited for.
    { name: 'queue and rescan', run: async () => { await Promise.all([rescanner.stop(), queue.close()]) } },
    { name: 'blob store', run: async () => { await blobs.close() } },
    { name: 'database', run: async () => { await database.close() } },
    { name: 'admin listener', run: async () => { await probe.close() } }
  ]
}
