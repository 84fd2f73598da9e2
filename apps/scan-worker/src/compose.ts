import { createBlobStoreFrom, type BlobStoreConfig } from '@filewright/blob-store'
import { scanFile } from '@filewright/queue'
import { systemClock, type Logger, type ShutdownStep } from '@filewright/runtime'
import { createClamdScanner } from '@filewright/scanner'
import { traced } from '@filewright/telemetry'
import { startWorker } from '@filewright/worker'
import type { ScanWorkerConfig } from './config.js'
import { eitherStore } from './either-store.js'
import { createScanFileHandler } from './scan-file.handler.js'
import { defineScanMetrics } from './scan-metrics.js'
import { reportScanner } from './scanner-health.js'
import { createSealKey } from './seal-key.js'

/** The guard's and clamd's own limits, and reading 50 MiB from a slow bucket. */
const MAX_SCAN_MS = 240_000

/**
 * Creates every part of the worker. Returns the shutdown steps in order.
 * @param secondStore the other store of a move
 */
export async function startScanWorker(
  config: ScanWorkerConfig,
  logger: Logger,
  secondStore?: BlobStoreConfig
): Promise<ShutdownStep[]> {
  return await startWorker({
    service: 'filewright-scan-worker',
    definition: scanFile,
    concurrency: config.SCAN_CONCURRENCY,
    longestJobMs: MAX_SCAN_MS,
    config,
    logger,
    // The worker is ready exactly when it takes jobs.
    behind: { name: 'clamd', gate: 'ready' },
    pauseWhileDown: true,
    create: ({ tracing }) => {
      const first = createBlobStoreFrom(config, { logger })
      const store =
        secondStore === undefined ? first : eitherStore(first, createBlobStoreFrom(secondStore, { logger }))
      const blobs = traced(store, tracing, {
        read: 'storage read',
        readInto: 'storage read'
      })
      const scanner = createClamdScanner({
        ...(config.CLAMD_SOCKET === undefined ? {} : { socketPath: config.CLAMD_SOCKET }),
        ...(config.CLAMD_HOST === undefined ? {} : { host: config.CLAMD_HOST }),
        port: config.CLAMD_PORT,
        signatures:
          config.CLAMD_DATABASE_DIR === undefined
            ? undefined
            : { dir: config.CLAMD_DATABASE_DIR, settleMs: config.CLAMD_SETTLE_MS },
        policy: {
          maxAgeHours: config.SIGNATURES_MAX_AGE_HOURS,
          allowBaseline: config.ALLOW_BASELINE_SIGNATURES
        },
        logger
      })
      return {
        defineMetrics: (prom, registry) => defineScanMetrics(scanner, prom, registry),
        handler: (record) =>
          createScanFileHandler({
            blobs,
            scanner: traced(scanner, tracing, { scan: 'clamd scan' }),
            sealKey: createSealKey({ secret: blobs.secret, clock: systemClock }),
            onScanned: (verdict, sizeBytes) =>
              record(({ verdicts, bytes }) => {
                verdicts.inc({ verdict })
                bytes.inc(sizeBytes)
              })
          }),
        check: async (signal) => await reportScanner(scanner, signal),
        start: () => scanner.start(),
        stop: [
          { name: 'scanner', run: () => scanner.close() },
          { name: 'blob store', run: () => blobs.close() }
        ]
      }
    }
  })
}
