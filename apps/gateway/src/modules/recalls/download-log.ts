import type { Database, DownloadEntry } from '@filewright/db'
import type { Clock, Logger } from '@filewright/runtime'

export interface DownloadLog {
  /** Never waits and never throws. */
  note: (tokenId: string, fileId: string) => void
  /** Writes the downloads noted so far. If that fails, they are kept for the next attempt. */
  flush: () => Promise<void>
  start: () => void
  stop: () => Promise<void>
}

export interface DownloadLogDeps {
  downloads: Pick<Database['downloads'], 'record'>
  clock: Clock
  logger: Pick<Logger, 'warn'>
  /** 0 turns the log off. */
  keepDays: number
  intervalMs?: number
  maxEntries?: number
  /** Receives the number of downloads that were dropped. */
  onDropped?: (count: number) => void
}

const INTERVAL_MS = 3_000
/** About 20 MB. One entry covers one token and one file, whatever the number of downloads. */
const MAX_ENTRIES = 50_000
/** The number of entries per statement. */
const BATCH = 1_000

/**
 * Collects downloads in memory and writes them every few seconds, so that a download costs only one map
 * entry. If the gateway is killed, the last seconds are lost. While the database is down, entries accumulate.
 * Beyond the maximum, new ones are dropped and counted; existing ones are still updated.
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
        // If the commit succeeded and only its reply was lost, the next attempt counts these downloads twice.
        // Their times stay correct.
        for (const [key, entry] of taken.slice(start)) add(key, entry)
        break
      }
    }
    reportDropped()
  }

  async function flush(): Promise<void> {
    // A second call also waits for downloads that were noted before it.
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
