import {
  createRequestVerdict,
  createWebhookEndpoints,
  defaultQuotas,
  guardedBlobs,
  routedBlobs,
  trustedProxies,
  type ResolvedConfig
} from '@filewright/domain'
import { createSemaphore, type Semaphore, type Logger } from '@filewright/runtime'
import { traced } from '@filewright/telemetry'
import { buildApp } from './app.js'
import { createGatewayHealth } from './health/gateway-health.js'
import { createAiService } from './modules/ai/ai.service.js'
import { createEventsService } from './modules/events/events.service.js'
import { createAddresses } from './modules/files/addresses.js'
import { createDirectAddresses } from './modules/downloads/direct-addresses.js'
import { createFilesService } from './modules/files/files.service.js'
import { createUploadCleaner } from './modules/files/upload-cleaner.js'
import { createUploadService } from './modules/files/upload.service.js'
import { createIdempotencyService } from './modules/idempotency/idempotency.service.js'
import { createLoginGuard } from './modules/limits/login-guard.js'
import { createBriefScans } from './modules/limits/brief-scans.js'
import { startLoadShedder } from './modules/limits/load-shedder.js'
import { createScanBudget } from './modules/limits/scan-budget.js'
import { createRateLimiter } from './modules/limits/rate-limiter.js'
import { createProjectsService } from './modules/projects/projects.service.js'
import { createQuotasService } from './modules/quotas/quotas.service.js'
import { createDownloadLog } from './modules/recalls/download-log.js'
import { createRecallsService } from './modules/recalls/recalls.service.js'
import { receiptSigners } from './modules/receipts/receipt-keys.js'
import { createReceiptsService } from './modules/receipts/receipts.service.js'
import { createServiceService } from './modules/service/service.service.js'
import { createTokenAdminService } from './modules/tokens/token-admin.service.js'
import { createHistoryService } from './modules/history/history.service.js'
import { createZipService } from './modules/zip/zip.service.js'
import { createTrashService } from './modules/trash/trash.service.js'
import { createGatewayMetrics } from './operators/gateway-metrics.js'
import { meteredBlobs, meteredQueue, meteredVerdicts } from './operators/metered.js'
import { tracedQueue } from './operators/traced-queue.js'
import type { GatewayAdapters } from './adapters.js'
import { composeBackground } from './compose-background.js'
import { transportSecurity } from './http/transport-security.js'
import { createWebhooksService } from './modules/webhooks/webhooks.service.js'

/** 0 is no limit. */
function limitPerToken(max: number): Semaphore {
  return createSemaphore(max === 0 ? {} : { permitsPerLane: max })
}

/** Builds a gateway from its adapters. It does not listen and starts no background work yet. */
export async function composeGateway(config: ResolvedConfig, logger: Logger, adapters: GatewayAdapters) {
  const { clock, tracing, database, stores, queueClient, counter, guard, tokens } = adapters
  const scanBudget = createScanBudget({
    counter,
    scanSeconds: config.SCAN_SECONDS_PER_MINUTE,
    unpackedBytes: config.UNPACKED_BYTES_PER_MINUTE
  })
  const health = createGatewayHealth({
    database,
    queue: queueClient,
    blobs: routedBlobs(stores),
    store: guard,
    hasWebhooks: config.WEBHOOK_KEY !== undefined,
    logger
  })
  const metrics = createGatewayMetrics({ queue: queueClient, health })
  const { record } = metrics
  const blobs = routedBlobs(stores, {
    logger,
    wrap: (store) =>
      traced(meteredBlobs(guardedBlobs(store, guard), record), tracing, {
        write: 'storage write',
        open: 'storage read',
        remove: 'storage remove'
      })
  })
  const queue = tracedQueue(meteredQueue(queueClient, record), tracing)
  const verdicts = createRequestVerdict({
    queue,
    secret: blobs.secret,
    receipts: database.receipts,
    logger
  })
  const requestVerdict = meteredVerdicts(verdicts, record)
  const addresses = createAddresses({
    baseUrl: config.BASE_URL,
    cdnUrl: config.CDN_URL,
    clock,
    ...(config.CDN_SIGNED
      ? { signing: { key: config.CDN_SIGNING_KEY ?? '', ttlSeconds: config.CDN_TTL_SECONDS } }
      : {})
  })
  const cleaner = createUploadCleaner({ files: database.files, blobs, logger })
  const idempotency = createIdempotencyService({
    keys: database.idempotency,
    clock,
    logger,
    leaseMs: config.IDEMPOTENCY_LEASE_MS
  })
  const background = composeBackground({
    config,
    logger,
    adapters,
    blobs,
    queue,
    requestVerdict,
    health,
    record
  })
  const webhooks = createWebhooksService({
    webhooks: database.webhooks,
    deliveries: database.deliveries,
    endpoints: createWebhookEndpoints({ ...database, config }),
    relay: background.relay
  })
  const events = createEventsService({ events: database.events })
  const quotas = createQuotasService({ quotas: database.quotas, clock, defaults: defaultQuotas(config) })
  const files = createFilesService({ files: database.files, blobs, logger, trashDays: config.TRASH_DAYS })
  const downloadLog = createDownloadLog({
    downloads: database.downloads,
    clock,
    logger,
    keepDays: config.DOWNLOAD_LOG_DAYS,
    onDropped: (count) => {
      record(({ downloadsNotLogged }) => downloadsNotLogged.inc(count))
    }
  })
  const receipts = createReceiptsService({
    files,
    receipts: database.receipts,
    signers: receiptSigners(config.RECEIPT_KEY)
  })
  const app = await buildApp({
    logger,
    tokens,
    tokenAdmin: createTokenAdminService({
      tokens: database.tokens,
      defaults: defaultQuotas(config).token,
      clock,
      logger
    }),
    files,
    history: createHistoryService({ generations: database.generations }),
    zips: createZipService({ selections: database.selections, files, blobs, log: downloadLog }),
    trash: createTrashService({ trash: database.trash, files: database.files, stored: files, blobs, logger }),
    trashDays: config.TRASH_DAYS,
    webhooks,
    events,
    receipts,
    recalls: createRecallsService({ downloads: database.downloads, log: downloadLog }),
    downloadLog,
    projects: createProjectsService({ projects: database.projects, folders: database.folders }),
    service: createServiceService({
      health,
      limits: {
        requestsPerMinute: config.RATE_LIMIT_PER_MINUTE,
        aiRequestsPerMinute: config.AI_RATE_LIMIT_PER_MINUTE,
        uploadsAtOnce: config.MAX_UPLOADS_PER_TOKEN,
        trashDays: config.TRASH_DAYS
      },
      quotas
    }),
    uploads: createUploadService({
      files: database.files,
      moves: database.moves,
      blobs,
      store: guard,
      queue,
      requestVerdict,
      idempotency,
      quotas,
      scanBudget,
      briefScans: createBriefScans(),
      cleaner,
      clock,
      logger,
      timing: {
        uploadTimeoutMs: config.UPLOAD_TIMEOUT_MS,
        idleTimeoutMs: config.IDLE_TIMEOUT_MS,
        scanDeadlineMs: config.SCAN_DEADLINE_MS
      }
    }),
    ai: createAiService({
      generations: database.generations,
      queue,
      clock,
      logger,
      deadlineMs: config.AI_DEADLINE_MS,
      storePrompts: config.STORE_PROMPTS,
      models: { analyze: config.ANALYZE_MODEL, optimize: config.OPTIMIZE_MODEL }
    }),
    idempotency,
    limits: {
      rate: createRateLimiter({
        counter,
        perMinute: config.RATE_LIMIT_PER_MINUTE,
        aiPerMinute: config.AI_RATE_LIMIT_PER_MINUTE
      }),
      inFlight: {
        upload: limitPerToken(config.MAX_UPLOADS_PER_TOKEN),
        ai: limitPerToken(config.MAX_AI_REQUESTS_PER_TOKEN)
      },
      scanBudget
    },
    shedder: startLoadShedder({
      maxLagMs: config.MAX_EVENT_LOOP_LAG_MS,
      maxHeapPercent: config.MAX_HEAP_PERCENT,
      logger
    }),
    guard: createLoginGuard(config.AUTH_FAILURES_PER_MINUTE),
    blobs,
    addresses,
    direct: config.CDN_DIRECT
      ? createDirectAddresses({ blobs, logger, seconds: config.CDN_DIRECT_SECONDS })
      : undefined,
    docs: { baseUrl: config.BASE_URL, cdnUrl: config.CDN_URL },
    hasConsole: config.CONSOLE,
    http: {
      uploadTimeoutMs: config.UPLOAD_TIMEOUT_MS,
      idleTimeoutMs: config.IDLE_TIMEOUT_MS,
      trustProxy: trustedProxies(config.TRUST_PROXY),
      headers: transportSecurity(config)
    },
    tracing,
    meter: {
      answered: ({ method, route, status, ms }) =>
        record(({ requests, requestSeconds }) => {
          requests.inc({ method, route, status })
          requestSeconds.observe({ method, route }, ms / 1_000)
        }),
      sent: (bytes) => {
        record(({ downloadBytes }) => downloadBytes.inc(bytes))
      }
    }
  })

  return {
    app,
    health,
    metrics,
    cleaner,
    ...background,
    events,
    receipts,
    downloadLog,
    requestVerdict
  }
}
