import { setTimeout as sleep } from 'node:timers/promises'
import type { BlobStore } from '@filewright/blob-store'
import type { Database } from '@filewright/db'
import type { StoreGuard } from '@filewright/domain'
import { inference, scanFile, type QueueClient, type QueueDefinition } from '@filewright/queue'
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
  logger: Logger
}

/** Reading what workers have said costs three commands of Redis. */
const WORKERS_INTERVAL_MS = 2_000
/** At the start workers come up beside the gateway: they are waited for, below the monitor's own deadline. */
const FIRST_WORKER = { waitMs: 2_500, intervalMs: 50 }
/** Each probe writes and reads: paid for in a bucket, and a disk does not come and go like a server. */
const STORAGE = { intervalMs: 15_000, timeoutMs: 10_000 }

/**
 * Everything a request may need. Files need all but the models; without those the AI part is degraded and the
 * rest goes on.
 */
export function createGatewayHealth(deps: GatewayHealthDeps): HealthMonitor {
  const { database, queue, blobs, store, logger } = deps
  return createHealthMonitor({
    logger,
    checks: [
      checkOf('postgresql', 'start', async () => {
        await database.ping()
        await database.requireLevel()
      }),
      checkOf('redis', 'start', async () => {
        await queue.ping()
      }),
      checkOf(
        'storage',
        'start',
        async (signal) => {
          // First: a probe writes, and must not write to a store that is not ours.
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
      })
    ]
  })
}

interface WorkersCheckNames {
  queue: string
  behind: string
  gate: Gate
}

/**
 * What the live workers of a queue say of themselves tells of two things: that the queue has workers, and how
 * the part behind them is. They say it beside the queue, so jobs that wait or run do not matter.
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

/** The part works if it works for any worker: jobs go to that one. */
function summaryOf(reports: readonly HealthResult[]): HealthResult {
  const [down] = reports.filter((report) => !report.ok)
  const working = reports.filter((report) => report.ok)
  const shown = working.find(({ warning }) => warning !== undefined) ?? working[0]
  if (shown === undefined) return down ?? { ok: false, reason: 'no worker reports on it' }
  if (down === undefined) return shown
  const count = reports.length - working.length
  return { ...shown, warning: `does not work for ${count} of ${reports.length} workers: ${down.reason}` }
}
