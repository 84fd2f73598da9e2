import type { Database, DownloadEntry } from '@filewright/db'
import type { Clock, Logger } from '@filewright/runtime'

export interface DownloadLog {
  /** Never waits and never throws. */
  note: (tokenId: string, fileId: string) => void
  /** Writes what is noted so far. What cannot be written stays for the next time. */
  flush: () => Promise<void>
  start: () => void
  stop: () => Promise<void>
}

export interface DownloadLogDeps {
  downloads: Pick<Database['downloads'], 'record'>
  clock: Clock
  logger: Pick<Logger, 'warn'>
  /** 0: nothing is noted. */
  keepDays: number
  intervalMs?: number
  maxEntries?: number
  /** Receives how many downloads were not noted. */
  onDropped?: (count: number) => void
}

const INTERVAL_MS = 3_000
/** About 20 MB. One entry is one token and one file, however often it downloads it. */
const MAX_ENTRIES = 50_000
/** In one statement. */
const BATCH = 1_000

/**
 * Collects downloads in memory and writes them every few seconds, so that a download costs one entry of a map. A
 * gateway that is killed loses the last seconds. While the database is down entries collect; beyond the maximum new
 * ones are dropped and counted, and those that are there go on counting.
 */
export function createDownloadLog(deps: DownloadLogDeps): DownloadLog {
  const { downloads, clock, logger, keepDays, onDropped = () => {} } = deps
  const { intervalMs = INTERVAL_MS, maxEntries = MAX_ENTRIES } = deps
  let noted = new Map<string, DownloadEntry>()
  let dropped = 0
  let flushing: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  function add(key: string, entry: DownloadEntry): void {
    const known = noted.get(key)
    if (known !== undefined) {
      known.count += entry.count
      if (entry.firstAt < known.firstAt) known.firstAt = entry.firstAt
      if (entry.lastAt > known.lastAt) known.lastAt = entry.lastAt
    } else if (noted.size < maxEntries) noted.set(key, entry)
    else dropped += entry.count
  }

  function reportDropped(): void {
    if (dropped === 0) return
    logger.warn({ dropped }, 'download log is full: recalls will not name these downloads')
    onDropped(dropped)
    dropped = 0
  }

  async function write(): Promise<void> {
    const taken = [...noted]
    noted = new Map()
    for (let start = 0; start < taken.length; start += BATCH) {
      try {
        await downloads.record(taken.slice(start, start + BATCH).map(([, entry]) => entry))
      } catch (error) {
        logger.warn({ err: error }, 'downloads not recorded, retrying later')
        // If the commit succeeded and only its answer was lost, the next try counts these twice. The times are right.
        for (const [key, entry] of taken.slice(start)) add(key, entry)
        break
      }
    }
    reportDropped()
  }

  async function flush(): Promise<void> {
    // A second call waits for what was noted before it, too.
    await flushing
    flushing ??= write().finally(() => {
      flushing = undefined
    })
    await flushing
  }

  return {
    note: (tokenId, fileId) => {
      if (keepDays === 0) return
      const now = clock.now()
      add(`${fileId} ${tokenId}`, { fileId, tokenId, firstAt: now, lastAt: now, count: 1 })
    },
    flush,
    start: () => {
      if (keepDays === 0) return
      timer = setInterval(() => {
        if (noted.size > 0 && flushing === undefined) void flush()
      }, intervalMs).unref()
    },
    stop: async () => {
      clearInterval(timer)
      await flush()
    }
  }
}
