import { createBlobStoreFrom } from '@filewright/blob-store'
import { createWorkerHost, scanFile } from '@filewright/queue'
import { startProbeServer, type Logger, type ShutdownStep } from '@filewright/runtime'
import { createClamdScanner } from '@filewright/scanner'
import type { ScanWorkerConfig } from './config.js'
import { createScanFileHandler } from './scan-file.handler.js'

/** Makes every part of the worker and joins them. Returns how to take it down again, in order. */
export async function startScanWorker (config: ScanWorkerConfig, logger: Logger): Promise<ShutdownStep[]> {
  const blobs = createBlobStoreFrom(config)
  const scanner = createClamdScanner({
    ...(config.CLAMD_SOCKET === undefined ? {} : { socketPath: config.CLAMD_SOCKET }),
    ...(config.CLAMD_HOST === undefined ? {} : { host: config.CLAMD_HOST }),
    port: config.CLAMD_PORT,
    signatures: config.CLAMD_DATABASE_DIR === undefined ? undefined : { dir: config.CLAMD_DATABASE_DIR, settleMs: config.CLAMD_SETTLE_MS },
    logger
  })
  const host = createWorkerHost({
    definition: scanFile,
    redisUrl: config.REDIS_URL,
    prefix: config.QUEUE_PREFIX,
    concurrency: config.SCAN_CONCURRENCY,
    logger,
    handle: createScanFileHandler({ blobs, scanner })
  })
  const probe = await startProbeServer({
    host: config.PROBE_HOST,
    port: config.PROBE_PORT,
    notReady: () => {
      const { ok, reason } = scanner.health()
      if (!ok) return `scanner: ${reason ?? 'not checked yet'}`
      return host.isRunning() ? null : 'the queue worker is not running'
    }
  })
  await scanner.start()
  await host.start()

  return [
    { name: 'queue worker', run: async () => { await host.close() } },
    { name: 'scanner', run: async () => { await scanner.close() } },
    { name: 'blob store', run: async () => { await blobs.close() } },
    { name: 'probe', run: async () => { await probe.close() } }
  ]
}
