import type { BlobStore } from '@filewright/blob-store'
import { createRescanFile, type RequestVerdict, type ResolvedConfig } from '@filewright/domain'
import type { QueueClient } from '@filewright/queue'
import type { HealthMonitor, Logger } from '@filewright/runtime'
import type { GatewayAdapters } from './adapters.js'
import type { GatewayMetrics } from './operators/gateway-metrics.js'
import { recordSweep } from './operators/metered.js'
import { createEventRelay } from './relay/event-relay.js'
import { createScannerWatch } from './relay/scanner-watch.js'
import { createRescanner } from './rescan/rescanner.js'
import { createRetention } from './sweeper/retention.js'
import { createSweeper } from './sweeper/sweeper.js'

export interface BackgroundDeps {
  config: ResolvedConfig
  logger: Logger
  adapters: Pick<GatewayAdapters, 'clock' | 'database' | 'guard'>
  blobs: BlobStore
  queue: QueueClient
  requestVerdict: RequestVerdict
  health: HealthMonitor
  record: GatewayMetrics['record']
}

/** Delay before a stored file that could not be scanned is tried again. */
const RESCAN_RETRY_MS = 600_000

/** What a gateway does besides requests. Nothing starts yet. */
export function composeBackground(deps: BackgroundDeps) {
  const { config, logger, adapters, blobs, queue, requestVerdict, health, record } = deps
  const { clock, database, guard } = adapters
  const sweeper = createSweeper({
    files: database.files,
    trash: database.trash,
    trashDays: config.TRASH_DAYS,
    keys: database.idempotency,
    generations: database.generations,
    installation: database.installation,
    downloads: database.downloads,
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
      events: database.events,
      deliveries: database.deliveries,
      downloads: database.downloads,
      clock,
      days: {
        generations: config.GENERATION_RETENTION_DAYS,
        refusedFiles: config.REFUSED_RETENTION_DAYS,
        events: config.EVENT_DAYS,
        downloads: config.DOWNLOAD_LOG_DAYS
      }
    }),
    onSwept: (report) => recordSweep(record, report)
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
    onReport: (report) =>
      record(({ rescanned }) => {
        for (const [result, count] of Object.entries(report)) rescanned.inc({ result }, count)
      })
  })
  const relay = createEventRelay({
    deliveries: database.deliveries,
    queue,
    logger,
    intervalMs: config.RELAY_INTERVAL_MS,
    isOn: config.WEBHOOK_KEY !== undefined,
    onAttempt: (result) => {
      record(({ deliveries }) => deliveries.inc({ result }))
    },
    onDisabled: () => {
      record(({ disabledWebhooks }) => disabledWebhooks.inc())
    }
  })
  const scannerWatch = createScannerWatch({ health, events: database.events, logger })
  return { sweeper, rescanner, relay, scannerWatch }
}
