import type { Database, ReadyFileRecord } from '@filewright/db'
import type { RescanFile } from '@filewright/domain'
import { isAppError, type Clock, type Logger } from '@filewright/runtime'

export interface RescanReport {
  scanned: number
  withdrawn: number
  /** Files that could not be read whole; they stay as they are. */
  damaged: number
}

export interface Rescanner {
  /** One turn: what new signatures have not seen yet, up to the batch. Safe in several processes at once. */
  turn: () => Promise<RescanReport>
  start: () => void
  stop: () => Promise<void>
}

export interface RescannerDeps {
  files: Pick<Database['files'], 'findReady'>
  rescans: Pick<Database['rescans'], 'claimOldest' | 'newestEngine' | 'noteEnginesOfFiles'>
  rescanFile: RescanFile
  clock: Clock
  logger: Pick<Logger, 'info' | 'warn' | 'error'>
  intervalMs: number
  /** Files in one turn; 0 turns the rescan off. */
  batch: number
  /** A file that could not be scanned is tried again after this long, by whichever gateway comes first. */
  claimMs: number
  /** Where counts go, when a turn has found something to do. */
  onReport?: (report: RescanReport) => void
}

/** Behind every upload in the queue, whose priority is its place among those of its token. */
const PRIORITY = 1_000_000

/** Scans ready files again when the signatures have changed, oldest verdict first, one at a time. */
export function createRescanner(deps: RescannerDeps): Rescanner {
  const { files, rescans, rescanFile, clock, logger, intervalMs, batch, claimMs, onReport = () => {} } = deps
  let timer: NodeJS.Timeout | undefined
  let running: Promise<unknown> = Promise.resolve()
  const stopping = new AbortController()

  async function claim(except?: string): Promise<ReadyFileRecord | null> {
    const now = clock.now()
    return await rescans.claimOldest({ now, until: new Date(now.getTime() + claimMs), except })
  }

  /**
   * Gives the engine of the verdict, or null when this one file could not be read. A scanner or queue that is
   * away throws.
   */
  async function rescan(file: ReadyFileRecord, report: RescanReport): Promise<string | null> {
    try {
      const { engine, withdrawn } = await rescanFile(file, { priority: PRIORITY })
      report.scanned++
      if (withdrawn) report.withdrawn++
      return engine
    } catch (error) {
      // A file that takes its scan workers down must not hold up those after it.
      const isItsOwn = (['JOB_FAILED', 'WORKER_LOST', 'BLOB_CORRUPT'] as const).some((code) =>
        isAppError(error, code)
      )
      if (!isItsOwn) throw error
      // Deleted while its turn came? Then there was nothing to read.
      if ((await files.findReady(file.id)) !== null) {
        report.damaged++
        logger.error({ err: error, fileId: file.id }, 'stored file cannot be read whole')
      }
      return null
    }
  }

  async function work(report: RescanReport): Promise<void> {
    await rescans.noteEnginesOfFiles()
    let newest = await rescans.newestEngine()
    if (newest === null) return
    for (let count = 0; count < batch && !stopping.signal.aborted; count++) {
      // The first of a turn is scanned even when nothing is outdated: its verdict tells whether the
      // signatures are still the same.
      const file = (await claim(newest)) ?? (count === 0 ? await claim() : null)
      if (file === null) return
      const engine = await rescan(file, report)
      newest = (await rescans.newestEngine()) ?? newest
      // From a worker that lags behind: its next verdicts would be no better.
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
      // One file alone was only the question whether there is anything to do.
      if (report.scanned > 1 || report.withdrawn > 0) logger.info(report, 'rescanned')
    } catch (error) {
      logger.warn({ err: error }, 'rescan put off, trying again at the next turn')
    }
  }

  function schedule(): void {
    // Spread, so that gateways started together do not ask together.
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
