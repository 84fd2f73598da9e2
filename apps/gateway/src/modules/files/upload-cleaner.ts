import { setTimeout as delay } from 'node:timers/promises'
import { blobKeyOf, type BlobStore } from '@filewright/blob-store'
import type { Database, KeyHolder } from '@filewright/db'
import { failpoint, type Logger } from '@filewright/runtime'

export interface UploadCleaner {
  /**
   * Takes back everything a failed upload may have left, and frees the key it held. Resolves once that is
   * done or put off; never rejects. One that may have been published is tried for as long as it takes: the
   * sweeper would not take back what is ready.
   */
  discard: (id: string, options?: DiscardOptions) => Promise<void>
  /** Resolves when nothing put off is under way any more. */
  idle: () => Promise<void>
}

export interface DiscardOptions {
  holder?: KeyHolder | undefined
  mayBePublished?: boolean
}

export interface UploadCleanerDeps {
  files: Pick<Database['files'], 'withdraw' | 'remove' | 'clearBlob'>
  blobs: Pick<BlobStore, 'remove'>
  logger: Pick<Logger, 'warn'>
  /** Tries before the sweeper is trusted with the rest. Default 6: about a minute. */
  attempts?: number
  /** From the first try to the second; then ever longer. Default 1 s. */
  retryMs?: number
  /** How long the client's answer may wait for the first try. Default 2 s. */
  patienceMs?: number
}

/** Between two tries. */
const LONGEST_MS = 16_000

/**
 * A failed upload must never become visible, not even when its last write to the database was committed and
 * only the reply was lost. So the row is withdrawn from any state, again and again until the database has
 * answered.
 */
export function createUploadCleaner({
  files,
  blobs,
  logger,
  attempts = 6,
  retryMs = 1_000,
  patienceMs = 2_000
}: UploadCleanerDeps): UploadCleaner {
  const running = new Set<Promise<void>>()

  async function takeBack(id: string, holder?: KeyHolder): Promise<void> {
    const state = await files.withdraw(id, holder)
    FAILPOINT: failpoint('discard.withdrawn')
    // Published after all, and a retry under its key was told so.
    if (state === 'ready') return
    await blobs.remove(blobKeyOf(id))
    FAILPOINT: failpoint('discard.blob-removed')
    if (state === 'quarantined') await files.clearBlob(id)
    else if (state !== null) await files.remove(id)
  }

  async function takeBackInTheEnd(
    id: string,
    { holder, mayBePublished = false }: DiscardOptions
  ): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await takeBack(id, holder)
        return
      } catch (error) {
        if (attempt >= attempts && !mayBePublished) {
          logger.warn({ err: error, fileId: id }, 'failed upload left for the sweeper')
          return
        }
        await delay(Math.min(retryMs * 2 ** (attempt - 1), LONGEST_MS), undefined, { ref: false })
      }
    }
  }

  return {
    async discard(id, options = {}) {
      const task = takeBackInTheEnd(id, options).finally(() => {
        running.delete(task)
      })
      running.add(task)
      const patience = new AbortController()
      await Promise.race([task, delay(patienceMs, undefined, { signal: patience.signal }).catch(() => {})])
      patience.abort()
    },
    idle: async () => {
      await Promise.all(running)
    }
  }
}
