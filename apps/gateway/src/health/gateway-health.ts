import { setTimeout as sleep } from 'node:timers/promises'
import type { BlobStore } from '@filewright/blob-store'
import type { Database } from '@filewright/db'
import type { StoreGuard } from '@filewright/domain'
import { delivery, inference, scanFile, type QueueClient, type QueueDefinition } from '@filewright/queue'
import {
  checkOf,
  createHealthMonitor,
  type HealthResult,
  type Gate,
  type HealthCheck,
  type HealthMonitor,
  type Logger
} from '@filewright/runtime'

export interface GatewayHealthDeps {
  database: Pick<Database, 'ping' | 'requireLevel'>
  queue: Pick<QueueClient, 'ping' | 'workers'>
  blobs: Pick<BlobStore, 'probe'>
  store: Pick<StoreGuard, 'look'>
  hasWebhooks: boolean
  logger: Logger
}

/** Reading the workers' reports costs three Redis commands. */
const WORKERS_INTERVAL_MS = 2_000
/**
 * At startup, workers start beside the gateway. The check waits for them, but less than the monitor's
 * deadline.
 */
const FIRST_WORKER = { waitMs: 2_500, intervalMs: 50 }
/**
 * Each probe writes and reads a blob, which costs money in a bucket. A disk also fails less often than a
 * server.
 */
const STORAGE = { intervalMs: 15_000, timeoutMs: 10_000 }

/**
 * Everything a request may need. File requests need everything except the models. Without models, the AI
 * endpoints are degraded.
 */
export function createGatewayHealth(deps: GatewayHealthDeps): HealthMonitor {
  const { database, queue, blobs, store, hasWebhooks, logger } = deps
  return createHealthMonitor({
    logger,
    checks: [
      checkOf('postgresql', 'start', async () => {
        await database.ping()
        await database.requireLevel()
      }),
      checkOf('redis', 'start', async () => await queue.ping()),
      checkOf(
        'storage',
        'start',
        async (signal) => {
          // Runs first: the probe writes, and must not write to another installation's store.
          await store.look(signal)
          await blobs.probe(signal)
        },
        STORAGE
      ),
      workersCheck(queue, scanFile as QueueDefinition, {
        queue: 'scan-queue',
        behind: 'clamd',
        gate: 'ready'
      }),
      workersCheck(queue, inference as QueueDefinition, {
        queue: 'inference-queue',
        behind: 'ollama',
        gate: 'none'
      }),
      ...(hasWebhooks
        ? [
            workersCheck(queue, delivery as QueueDefinition, {
              queue: 'delivery-queue',
              behind: 'delivery-worker',
              gate: 'none'
            })
          ]
        : [])
    ]
  })
}

interface WorkersCheckNames {
  queue: string
  behind: string
  gate: Gate
}

/**
 * The reports of live workers tell two things: that the queue has workers, and how their dependency is.
 * Workers report outside the queue, so waiting jobs do not delay the reports.
 */
function workersCheck(
  client: Pick<QueueClient, 'workers'>,
  definition: QueueDefinition,
  { queue, behind, gate }: WorkersCheckNames
): HealthCheck {
  let hasSeenOne = false

  async function readReports(signal: AbortSignal): Promise<HealthResult[]> {
    const until = performance.now() + FIRST_WORKER.waitMs
    for (;;) {
      const reports = await client.workers(definition)
      hasSeenOne ||= reports.some(({ ok }) => ok)
      if (hasSeenOne || performance.now() > until || signal.aborted) return reports
      await sleep(FIRST_WORKER.intervalMs)
    }
  }

  return {
    gates: { [queue]: gate, [behind]: gate },
    intervalMs: WORKERS_INTERVAL_MS,
    run: async (signal) => {
      const unheard: HealthResult = { ok: false, reason: 'no worker reports on it' }
      try {
        const reports = await readReports(signal)
        return reports.length === 0
          ? { [queue]: { ok: false, reason: 'no worker is alive' }, [behind]: unheard }
          : { [queue]: { ok: true }, [behind]: summaryOf(reports) }
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        return { [queue]: { ok: false, reason }, [behind]: unheard }
      }
    }
  }
}

/** The dependency counts as up if it works for any worker, because jobs go to that worker. */
function summaryOf(reports: readonly HealthResult[]): HealthResult {
  const [down] = reports.filter((report) => !report.ok)
  const working = reports.filter((report) => report.ok)
  const shown = working.find(({ warning }) => warning !== undefined) ?? working[0]
  if (shown === undefined) return down ?? { ok: false, reason: 'no worker reports on it' }
  if (down === undefined) return shown
  const count = reports.length - working.length
  return { ...shown, warning: `does not work for ${count} of ${reports.length} workers: ${down.reason}` }
}
