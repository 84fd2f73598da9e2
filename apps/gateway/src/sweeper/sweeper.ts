import type { BlobStore } from '@filewright/blob-store'
import type { Database, UnknownTime } from '@filewright/db'
import type { Clock, Logger } from '@filewright/runtime'
import type { RetentionReport } from './retention.js'
import { createUnownedBlobsSweep } from './unowned-blobs.js'

export interface SweepReport extends RetentionReport {
  abandoned: number
  /** Files whose time in the trash is over. */
  trashEmptied: number
  blobsRemoved: number
  orphansRemoved: number
  temporaryRemoved: number
  keysRemoved: number
  generationsFailed: number
  /** Withdrawn files whose downloads were recorded after the withdrawal. */
  lateRecalls: number
}

export interface Sweeper {
  /** One pass over everything; safe to run in several processes at once. */
  sweep: () => Promise<SweepReport>
  start: () => void
  stop: () => Promise<void>
}

export interface SweeperDeps {
  files: Pick<
    Database['files'],
    'findExpired' | 'markAbandoned' | 'findWithDoomedBlob' | 'findOwners' | 'remove' | 'clearBlob'
  >
  trash: Pick<Database['trash'], 'markExpiredDeleting'>
  trashDays: number
  keys: Pick<Database['idempotency'], 'removeExpired'>
  generations: Pick<Database['generations'], 'failRunning'>
  installation: Pick<Database['installation'], 'noteSweep'>
  downloads: Pick<Database['downloads'], 'recallLate'>
  blobs: Pick<BlobStore, 'remove' | 'list' | 'sweepTemporary'>
  /** Rejects unless the store belongs to this database right now. Called before anything in it is touched. */
  verifyStore: () => Promise<void>
  clock: Clock
  logger: Pick<Logger, 'info' | 'warn'>
  intervalMs: number
  /** Receives the result of every scheduled pass; null when it failed. */
  onSwept?: (report: SweepReport | null) => void
  /** Blobs and temporary files younger than this may belong to an upload that is still running. */
  graceMs: number
  /** AI requests younger than this may still be answered. */
  aiGraceMs: number
  /** Deletes records after their retention time. */
  removeOldRecords: () => Promise<RetentionReport>
}

const BATCH = 200

/**
 * After a longer pause, the database may have been restored from a backup. A full restart takes less time,
 * and a restored backup is usually older.
 */
const MAX_PAUSE_MS = 600_000

/**
 * Finding blobs without a row means listing the whole store, so only every fifth pass does it, which is still
 * every few minutes.
 */
const PASSES_PER_LISTING = 5

/**
 * Cleans up after crashes: expired leases, unreadable blobs, blobs without a row, temporary files and AI
 * requests without an outcome. Also empties the trash, removes expired idempotency keys and old records, and
 * writes events for downloads that were recorded late.
 */
export function createSweeper(deps: SweeperDeps): Sweeper {
  const { files, trash, trashDays, keys, generations, installation, blobs, verifyStore, clock, logger } = deps
  const { downloads } = deps
  const { intervalMs, graceMs, aiGraceMs, removeOldRecords, onSwept = () => {} } = deps
  const gapMs = Math.max(MAX_PAUSE_MS, intervalMs * 3)
  const noteSweep = async (): Promise<UnknownTime[]> => {
    return await installation.noteSweep({ now: clock.now(), gapMs })
  }
  const removeOrphans = createUnownedBlobsSweep({ files, blobs, verifyStore, noteSweep, logger })
  let timer: NodeJS.Timeout | undefined
  let running: Promise<unknown> = Promise.resolve()
  let stopped = false
  let passes = 0

  async function abandonExpired(): Promise<number> {
    let count = 0
    for (const { id } of await files.findExpired(clock.now(), BATCH)) {
      if (await files.markAbandoned(id)) count++
    }
    return count
  }

  /** The files then count as deleted; their content is removed with the other doomed blobs. */
  async function emptyTrash(): Promise<number> {
    for (let count = 0; ; ) {
      const expired = await trash.markExpiredDeleting({ days: trashDays, limit: BATCH })
      count += expired
      if (expired < BATCH) return count
    }
  }

  type Doomed = Awaited<ReturnType<SweeperDeps['files']['findWithDoomedBlob']>>[number]

  async function removeDoomed({ id, state, blobKey }: Doomed): Promise<boolean> {
    try {
      if (blobKey !== null) await blobs.remove(blobKey)
      // A quarantined row keeps the verdict for the operator.
      if (state === 'quarantined') await files.clearBlob(id)
      else await files.remove(id)
      return true
    } catch (error) {
      // One failure must not stop the others.
      logger.warn({ err: error, fileId: id }, 'blob not removed, retrying on the next pass')
      return false
    }
  }

  async function removeDoomedBlobs(): Promise<number> {
    for (let count = 0; ; ) {
      let removed = 0
      await verifyStore()
      for (const doomed of await files.findWithDoomedBlob(BATCH)) if (await removeDoomed(doomed)) removed++
      count += removed
      // A full batch without failures: there may be more.
      if (removed < BATCH) return count
    }
  }

  async function removeExpiredKeys(): Promise<number> {
    for (let count = 0; ; ) {
      const removed = await keys.removeExpired(clock.now(), BATCH)
      count += removed
      if (removed < BATCH) return count
    }
  }

  async function failAbandonedGenerations(): Promise<number> {
    const at = clock.now()
    return await generations.failRunning({
      startedBefore: new Date(at.getTime() - aiGraceMs),
      at,
      errorCode: 'ABANDONED'
    })
  }

  async function sweep({ listing }: { listing: boolean }): Promise<SweepReport> {
    await noteSweep()
    const olderThan = new Date(clock.now().getTime() - graceMs)
    // Records are swept even while the store is unavailable.
    const abandoned = await abandonExpired()
    const trashEmptied = await emptyTrash()
    const keysRemoved = await removeExpiredKeys()
    const generationsFailed = await failAbandonedGenerations()
    const lateRecalls = await downloads.recallLate()
    const oldRecords = await removeOldRecords()
    return {
      abandoned,
      trashEmptied,
      blobsRemoved: await removeDoomedBlobs(),
      orphansRemoved: listing ? await removeOrphans(olderThan) : 0,
      temporaryRemoved: await blobs.sweepTemporary({ olderThan }),
      keysRemoved,
      generationsFailed,
      lateRecalls,
      ...oldRecords
    }
  }

  async function sweepAndReport(): Promise<void> {
    try {
      const report = await sweep({ listing: passes++ % PASSES_PER_LISTING === 0 })
      onSwept(report)
      if (Object.values(report).some((count) => count > 0)) logger.info(report, 'swept')
    } catch (error) {
      onSwept(null)
      logger.warn({ err: error }, 'sweep failed, retrying on the next pass')
    }
  }

  function schedule(): void {
    // Random delay, so that gateways started together do not sweep at the same time.
    const waitMs = intervalMs * (0.75 + Math.random() / 2)
    timer = setTimeout(() => {
      running = sweepAndReport().finally(() => {
        if (!stopped) schedule()
      })
    }, waitMs).unref()
  }

  return {
    sweep: async () => await sweep({ listing: true }),
    start: schedule,
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await running
    }
  }
}
