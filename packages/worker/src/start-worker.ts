import { createWorkerHost, type QueueDefinition, type WorkerHostOptions } from '@filewright/queue'
import {
  checkOf,
  createHealthMonitor,
  startProbeServer,
  type Gate,
  type Logger,
  type ShutdownStep
} from '@filewright/runtime'
import {
  createWorkerMetrics,
  startTracing,
  type Prom,
  type Tracing,
  type WorkerMetrics
} from '@filewright/telemetry'
import type { WorkerConfig } from './config.js'
import { startWatchdog, watchdogSeconds } from './watchdog.js'

const PROBE_INTERVAL_MS = 10_000
/** The interval at which the worker host's last report is read. The host itself checks more often. */
const READ_REPORT_MS = 2_000

export interface WorkerContext {
  tracing: Tracing
}

/** The parts of one worker, and its job handler. */
export interface WorkerParts<P, R, G, M> {
  defineMetrics: (prom: typeof Prom, registry: Prom.Registry) => M
  handler: (record: WorkerMetrics<M>['record']) => WorkerHostOptions<P, R, G>['handle']
  check: NonNullable<WorkerHostOptions<P, R, G>['check']>
  /** Runs before the worker takes its first job. */
  start?: () => Promise<void>
  /** Runs once the worker takes jobs. */
  started?: () => void
  /** Closed in order, after the worker has stopped taking jobs. */
  stop: ShutdownStep[]
}

export interface Worker<P, R, G, M> {
  /** Name in traces. */
  service: string
  definition: QueueDefinition<P, R, G>
  concurrency: number
  /** The worker's own limits end every job within this time. */
  longestJobMs: number
  config: WorkerConfig
  logger: Logger
  /** The dependency that `check` tests, and whether the worker is ready without it. */
  behind: { name: string; gate: Gate }
  /** True if every job fails without that dependency, while another worker could run it. */
  pauseWhileDown?: boolean
  create: (context: WorkerContext) => WorkerParts<P, R, G, M>
}

/** Starts what every worker needs around its own parts. Returns the shutdown steps in order. */
export async function startWorker<P, R, G, M extends object>({
  service,
  definition,
  concurrency,
  longestJobMs,
  config,
  logger,
  behind,
  pauseWhileDown = false,
  create
}: Worker<P, R, G, M>): Promise<ShutdownStep[]> {
  const tracing = await startTracing({ endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT, service, logger })
  const parts = create({ tracing })
  const health = createHealthMonitor({
    logger,
    checks: [
      checkOf('redis', 'ready', async () => await host.ping(), { intervalMs: PROBE_INTERVAL_MS }),
      {
        gates: { [behind.name]: behind.gate },
        intervalMs: READ_REPORT_MS,
        run: async () => ({ [behind.name]: host.report() })
      }
    ]
  })
  const metrics = createWorkerMetrics(definition.name, health, parts.defineMetrics)
  const watchdog = startWatchdog({ seconds: watchdogSeconds(config.WATCHDOG_SECONDS, longestJobMs), logger })
  const host = createWorkerHost({
    definition,
    redisUrl: config.REDIS_URL,
    prefix: config.QUEUE_PREFIX,
    concurrency,
    logger,
    handle: watchdog.watched(metrics.metered(parts.handler(metrics.record))),
    check: parts.check,
    pauseWhileDown,
    resumeTrace: tracing.resume
  })
  const steps: ShutdownStep[] = [
    { name: 'health', run: () => health.stop() },
    { name: 'queue worker', run: () => host.close() },
    { name: 'watchdog', run: () => watchdog.stop() },
    ...parts.stop,
    { name: 'metrics', run: () => metrics.close() },
    { name: 'tracing', run: () => tracing.close() }
  ]
  try {
    const probe = await startProbeServer({
      host: config.PROBE_HOST,
      port: config.PROBE_PORT,
      hosts: config.PROBE_HOSTS,
      health,
      metrics: metrics.page
    })
    steps.push({ name: 'probe', run: () => probe.close() })
    await parts.start?.()
    await host.start()
    health.start()
    parts.started?.()
  } catch (error) {
    // The caller cannot close what it did not receive. The first error says why the worker did not start.
    for (const { name, run } of steps) {
      try {
        await run()
      } catch (cause) {
        logger.warn({ err: cause, step: name }, 'a part of a worker that failed to start could not be closed')
      }
    }
    throw error
  }
  return steps
}
