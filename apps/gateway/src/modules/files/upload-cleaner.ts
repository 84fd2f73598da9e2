import { setTimeout as delay } from 'node:timers/promises'
import { blobKeyOf, type BlobStore } from '@filewright/blob-store'
import type { Database, KeyHolder, RefusedUpload } from '@filewright/db'
import { failpoint, type Logger } from '@filewright/runtime'

export interface UploadCleaner {
  /**
   * Removes everything a failed upload may have left, and releases its key. Resolves once that is done or
   * postponed; never rejects. An upload that may have been published is retried for as long as it takes: the
   * sweeper does not remove ready files.
   */
  discard: (id: string, options?: DiscardOptions) => Promise<void>
  /** Resolves when no postponed cleanup is running. */
  idle: () => Promise<void>
}

export interface DiscardOptions {
  holder?: KeyHolder | undefined
  mayBePublished?: boolean
  /** Why the service refused it; absent when it failed otherwise. */
  refusal?: RefusedUpload | undefined
}

export interface UploadCleanerDeps {
  files: Pick<Database['files'], 'withdraw' | 'remove' | 'clearBlob'>
  blobs: Pick<BlobStore, 'remove'>
  logger: Pick<Logger, 'warn'>
  /** Attempts before the rest is left to the sweeper. Default 6: about a minute. */
  attempts?: number
  /** Delay before the second attempt; it grows after that. Default 1 s. */
  retryMs?: number
  /** How long the client's response may wait for the first attempt. Default 2 s. */
  patienceMs?: number
}

/** Between two attempts. */
const MAX_MS = 16_000

/**
 * A failed upload must never become visible, even when its last write was committed and only the reply was
 * lost. So the row is withdrawn from any state, and retried until the database answers.
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

  async function takeBack(id: string, { holder, refusal }: DiscardOptions): Promise<void> {
    const state = await files.withdraw(id, { holder, refusal })
    FAILPOINT: failpoint('discard.withdrawn')
    // The upload was published, and a retry with its key received that result. The file may have been deleted
    // since.
    if (state === 'ready' || state === 'trashed') return
    await blobs.remove(blobKeyOf(id))
    FAILPOINT: failpoint('discard.blob-removed')
    if (state === 'quarantined') await files.clearBlob(id)
    else if (state !== null) await files.remove(id)
  }

  async function withdrawEventually(id: string, options: DiscardOptions): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await takeBack(id, options)
        return
      } catch (error) {
        if (attempt >= attempts && options.mayBePublished !== true) {
          logger.warn({ err: error, fileId: id }, 'failed upload left for the sweeper')
          return
        }
        await delay(Math.min(retryMs * 2 ** (attempt - 1), MAX_MS), undefined, { ref: false })
      }
    }
  }

  return {
    async discard(id, options = {}) {
      const task = withdrawEventually(id, options).finally(() => {
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
