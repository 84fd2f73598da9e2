import type { Database } from '@filewright/db'
import type { Clock } from '@filewright/runtime'

export interface RetentionDeps {
  generations: Pick<Database['generations'], 'removeEnded'>
  files: Pick<Database['files'], 'removeRefused'>
  events: Pick<Database['events'], 'removeOld' | 'adoptRestored'>
  deliveries: Pick<Database['deliveries'], 'removeOld' | 'removeOrphans'>
  downloads: Pick<Database['downloads'], 'removeOld'>
  clock: Clock
  /** How long records are kept; 0 means forever, except for downloads, which are then not kept at all. */
  days: { generations: number; refusedFiles: number; events: number; downloads: number }
}

export interface RetentionReport {
  generationsRemoved: number
  refusedRemoved: number
  eventsRemoved: number
  deliveriesRemoved: number
  downloadsRemoved: number
}

const DAY_MS = 86_400_000

/** Rows per statement, so that none holds its locks for long. */
const BATCH_SIZE = 1_000

/**
 * Rows of each kind per pass. The first pass after an upgrade may find millions and must not delay the rest
 * of the sweep. Far more than gateways write between two passes.
 */
const BATCHES_PER_PASS = 20

/** Removes records after their retention time. */
export function createRetention({
  generations,
  files,
  events,
  deliveries,
  downloads,
  clock,
  days
}: RetentionDeps): () => Promise<RetentionReport> {
  async function removeBefore(
    keepDays: number,
    remove: (before: Date, limit: number) => Promise<number>
  ): Promise<number> {
    const before = new Date(clock.now().getTime() - keepDays * DAY_MS)
    return await inBatches(async (limit) => await remove(before, limit))
  }

  async function removeOldEvents(): Promise<{ eventsRemoved: number; deliveriesRemoved: number }> {
    await events.adoptRestored()
    const eventsRemoved = await inBatches(
      async (limit) => await events.removeOld({ days: days.events, limit })
    )
    const old = await inBatches(async (limit) => await deliveries.removeOld({ days: days.events, limit }))
    return { eventsRemoved, deliveriesRemoved: old + (await inBatches(deliveries.removeOrphans)) }
  }

  return async () => ({
    generationsRemoved:
      days.generations === 0
        ? 0
        : await removeBefore(
            days.generations,
            async (startedBefore, limit) => await generations.removeEnded({ startedBefore, limit })
          ),
    refusedRemoved:
      days.refusedFiles === 0
        ? 0
        : await removeBefore(
            days.refusedFiles,
            async (scannedBefore, limit) => await files.removeRefused({ scannedBefore, limit })
          ),
    downloadsRemoved: await removeBefore(
      days.downloads,
      async (lastBefore, limit) => await downloads.removeOld({ lastBefore, limit })
    ),
    ...(await removeOldEvents())
  })
}

async function inBatches(remove: (limit: number) => Promise<number>): Promise<number> {
  let count = 0
  for (let lot = 0; lot < BATCHES_PER_PASS; lot++) {
    const removed = await remove(BATCH_SIZE)
    count += removed
    if (removed < BATCH_SIZE) break
  }
  return count
}
