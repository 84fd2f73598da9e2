import type { BlobStore } from '@filewright/blob-store'
import type { Database } from '@filewright/db'
import type { StoreGuard } from '@filewright/domain'
import {
  inference,
  scanFile,
  type CanaryReport,
  type QueueClient,
  type QueueDefinition
} from '@filewright/queue'
import {
  checkOf,
  createHealthMonitor,
  isAppError,
  type HealthResult,
  type Gate,
  type HealthCheck,
  type HealthMonitor,
  type Logger
} from '@filewright/runtime'

export interface GatewayHealthDeps {
  database: Pick<Database, 'ping' | 'requireLevel'>
  queue: Pick<QueueClient, 'ping' | 'canary'>
  blobs: Pick<BlobStore, 'probe'>
  store: Pick<StoreGuard, 'look'>
  logger: Logger
}

/** Below the monitor's own deadline, so that the canary's reason is the one that is shown. */
const CANARY_MS = 2_500
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
      canaryCheck(queue, scanFile as QueueDefinition, {
        queue: 'scan-queue',
        behind: 'clamd',
        gate: 'ready'
      }),
      canaryCheck(queue, inference as QueueDefinition, {
        queue: 'inference-queue',
        behind: 'ollama',
        gate: 'none'
      })
    ]
  })
}

interface CanaryNames {
  queue: string
  behind: string
  gate: Gate
}

/**
 * One job through the queue tells of two things: that the queue has a worker, and how the part behind that
 * worker is.
 */
function canaryCheck(
  client: Pick<QueueClient, 'canary'>,
  definition: QueueDefinition,
  { queue, behind, gate }: CanaryNames
): HealthCheck {
  return {
    gates: { [queue]: gate, [behind]: gate },
    run: async (signal) => {
      try {
        const report = await client.canary(definition, { deadlineMs: CANARY_MS, signal })
        // Every worker is at work: what stands behind them is as it was.
        return report === null
          ? { [queue]: { ok: true } }
          : { [queue]: { ok: true }, [behind]: findingOf(report) }
      } catch (error) {
        const reason = isAppError(error, 'DEADLINE_EXCEEDED')
          ? `no worker took a canary within ${CANARY_MS} ms`
          : error instanceof Error
            ? error.message
            : String(error)
        return { [queue]: { ok: false, reason }, [behind]: { ok: false, reason: 'no worker reports on it' } }
      }
    }
  }
}

function findingOf({ ok, reason = 'not working', warning, facts = {} }: CanaryReport): HealthResult {
  if (!ok) return { ok, reason, facts }
  return warning === undefined ? { ok, facts } : { ok, warning, facts }
}
