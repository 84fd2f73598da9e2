import type { Database, StoredFileRecord } from '@filewright/db'
import type { RescanFile } from '@filewright/domain'
import { isAppError, type Clock, type Logger } from '@filewright/runtime'

export interface RescanReport {
  scanned: number
  withdrawn: number
  /** Files that could not be read completely; they stay as they are. */
  damaged: number
}

export interface Rescanner {
  /**
   * One pass: scans up to one batch of files that the new signatures have not seen. Safe in several processes
   * at once.
   */
  turn: () => Promise<RescanReport>
  start: () => void
  stop: () => Promise<void>
}

export interface RescannerDeps {
  files: Pick<Database['files'], 'findStates'>
  rescans: Pick<Database['rescans'], 'claimOldest' | 'newestEngine' | 'noteEnginesOfFiles'>
  rescanFile: RescanFile
  clock: Clock
  logger: Pick<Logger, 'info' | 'warn' | 'error'>
  intervalMs: number
  /** Files per pass; 0 turns the rescan off. */
  batch: number
  /**
   * A file that could not be scanned is tried again after this time, by the first gateway that gets to it.
   */
  claimMs: number
  /** Receives the counts of a pass that found work. */
  onReport?: (report: RescanReport) => void
}

/** Lower priority than every upload in the queue. */
const PRIORITY = 1_000_000

/** Scans stored files again, those in the trash last, when the signatures have changed, oldest verdict first, one at a time. */
export function createRescanner(deps: RescannerDeps): Rescanner {
  const { files, rescans, rescanFile, clock, logger, intervalMs, batch, claimMs, onReport = () => {} } = deps
  let timer: NodeJS.Timeout | undefined
  let running: Promise<unknown> = Promise.resolve()
  const stopping = new AbortController()

  async function claim(except?: string): Promise<StoredFileRecord | null> {
    const now = clock.now()
    return await rescans.claimOldest({ now, until: new Date(now.getTime() + claimMs), except })
  }

  /**
   * Returns the engine of the verdict, or null when this file could not be read. Throws when the scanner or
   * the queue is unavailable.
   */
  async function rescan(file: StoredFileRecord, report: RescanReport): Promise<string | null> {
    try {
      const { engine, withdrawn } = await rescanFile(file, { priority: PRIORITY })
      report.scanned++
      if (withdrawn) report.withdrawn++
      return engine
    } catch (error) {
      // A file that crashes its scan workers must not block those after it.
      const isItsOwn = (['JOB_FAILED', 'WORKER_LOST', 'BLOB_CORRUPT'] as const).some((code) =>
        isAppError(error, code)
      )
      if (!isItsOwn) throw error
      // Deleted before its turn? Then there was nothing to read.
      const state = (await files.findStates([file.id])).get(file.id)
      if (state === 'ready' || state === 'trashed') {
        report.damaged++
        logger.error({ err: error, fileId: file.id }, 'stored file cannot be read completely')
      }
      return null
    }
  }

  async function work(report: RescanReport): Promise<void> {
    await rescans.noteEnginesOfFiles()
    let newest = await rescans.newestEngine()
    if (newest === null) return
    for (let count = 0; count < batch && !stopping.signal.aborted; count++) {
      // The first file of a pass is always scanned: its verdict shows whether the signatures have changed.
      const file = (await claim(newest)) ?? (count === 0 ? await claim() : null)
      if (file === null) return
      const engine = await rescan(file, report)
      newest = (await rescans.newestEngine()) ?? newest
      // The verdict came from a worker with older signatures. Its next verdicts would be no better.
      if (engine !== null && engine !== newest) return
    }
  }

  async function turn(): Promise<RescanReport> {
    const report = { scanned: 0, withdrawn: 0, damaged: 0 }
    try {
      await work(report)
    } finally {
      onReport(report)
    }
    return report
  }

  async function turnAndReport(): Promise<void> {
    try {
      const report = await turn()
      // A single file was only a check whether there is work.
      if (report.scanned > 1 || report.withdrawn > 0) logger.info(report, 'rescanned')
    } catch (error) {
      logger.warn({ err: error }, 'rescan postponed, retrying on the next pass')
    }
  }

  function schedule(): void {
    // Random delay, so that gateways started together do not run at the same time.
    const waitMs = intervalMs * (0.75 + Math.random() / 2)
    timer = setTimeout(() => {
      running = turnAndReport().finally(() => {
        if (!stopping.signal.aborted) schedule()
      })
    }, waitMs).unref()
  }

  return {
    turn,
    start: () => {
      if (batch > 0) schedule()
    },
    stop: async () => {
      stopping.abort()
      clearTimeout(timer)
      await running
    }
  }
}
