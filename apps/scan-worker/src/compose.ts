import { createBlobStoreFrom } from '@filewright/blob-store'
import { createWorkerHost, scanFile } from '@filewright/queue'
import {
  checkOf,
  createHealthMonitor,
  startProbeServer,
  systemClock,
  type Logger,
  type ShutdownStep
} from '@filewright/runtime'
import { createClamdScanner } from '@filewright/scanner'
import { createWorkerMetrics, startTracing, traced } from '@filewright/telemetry'
import type { ScanWorkerConfig } from './config.js'
import { createScanFileHandler } from './scan-file.handler.js'
import { defineScanMetrics } from './scan-metrics.js'
import { reportScanner } from './scanner-health.js'
import { createSealKey } from './seal-key.js'

const PROBE_INTERVAL_MS = 10_000
/** The host looks this often; here its last finding is read. */
const READ_REPORT_MS = 2_000

/** Makes every part of the worker and joins them. Returns how to take it down again, in order. */
export async function startScanWorker(config: ScanWorkerConfig, logger: Logger): Promise<ShutdownStep[]> {
  const tracing = await startTracing({
    endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
    service: 'filewright-scan-worker',
    logger
  })
  const blobs = traced(createBlobStoreFrom(config, { logger }), tracing, {
    open: 'storage read',
    read: 'storage read'
  })
  const scanner = createClamdScanner({
    ...(config.CLAMD_SOCKET === undefined ? {} : { socketPath: config.CLAMD_SOCKET }),
    ...(config.CLAMD_HOST === undefined ? {} : { host: config.CLAMD_HOST }),
    port: config.CLAMD_PORT,
    signatures:
      config.CLAMD_DATABASE_DIR === undefined
        ? undefined
        : { dir: config.CLAMD_DATABASE_DIR, settleMs: config.CLAMD_SETTLE_MS },
    policy: { maxAgeHours: config.SIGNATURES_MAX_AGE_HOURS, allowBaseline: config.ALLOW_BASELINE_SIGNATURES },
    logger
  })
  const health = createHealthMonitor({
    logger,
    checks: [
      checkOf(
        'redis',
        'ready',
        async () => {
          await host.ping()
        },
        { intervalMs: PROBE_INTERVAL_MS }
      ),
      // Readiness and whether the worker takes jobs are one decision.
      { gates: { clamd: 'ready' }, intervalMs: READ_REPORT_MS, run: async () => ({ clamd: host.report() }) }
    ]
  })
  const metrics = createWorkerMetrics(scanFile.name, health, (prom, registry) =>
    defineScanMetrics(scanner, prom, registry)
  )
  const onScanned = (verdict: string, sizeBytes: number): void => {
    metrics.record(({ verdicts, bytes }) => {
      verdicts.inc({ verdict })
      bytes.inc(sizeBytes)
    })
  }
  const host = createWorkerHost({
    definition: scanFile,
    redisUrl: config.REDIS_URL,
    prefix: config.QUEUE_PREFIX,
    concurrency: config.SCAN_CONCURRENCY,
    logger,
    handle: metrics.metered(
      createScanFileHandler({
        blobs,
        scanner: traced(scanner, tracing, { scan: 'clamd scan' }),
        sealKey: createSealKey({ secret: blobs.secret, clock: systemClock }),
        onScanned
      })
    ),
    check: async (signal) => await reportScanner(scanner, signal),
    // A job that is taken without clamd fails, while another worker could do it.
    pauseWhileDown: true,
    resumeTrace: tracing.resume
  })
  const probe = await startProbeServer({
    host: config.PROBE_HOST,
    port: config.PROBE_PORT,
    hosts: config.PROBE_HOSTS,
    health,
    metrics: metrics.page
  })
  await scanner.start()
  await host.start()
  health.start()

  return [
    { name: 'health', run: () => health.stop() },
    { name: 'queue worker', run: () => host.close() },
    { name: 'scanner', run: () => scanner.close() },
    { name: 'blob store', run: () => blobs.close() },
    { name: 'metrics', run: () => metrics.close() },
    { name: 'tracing', run: () => tracing.close() },
    { name: 'probe', run: () => probe.close() }
  ]
}
