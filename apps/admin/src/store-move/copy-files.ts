import { setTimeout as sleep } from 'node:timers/promises'
import type { UncopiedFile } from '@filewright/db'
import { storageClasses, type Placement } from '@filewright/blob-store'
import { copyBlob, type StoreView } from '@filewright/domain'
import { isAppError } from '@filewright/runtime'
import type { AdminAdapters } from '../command.js'
import { assertOwnStore } from '../own-store.js'
import type { Progress } from './progress.js'

export interface Uncopyable {
  id: string
  reason: string
}

export interface CopyReport {
  copied: number
  /** Files whose bytes are lost or damaged, or that the target returned with other bytes. */
  uncopyable: Uncopyable[]
  /** Somebody ended the move meanwhile. */
  ended: boolean
}

const PAGE = 200
/** Both stores are remote in the worst case: each file waits for several round trips. */
const PARALLEL = 8
const MAX_ATTEMPTS = 5
const RETRY_MS = 1_000

/** Another attempt for what may pass; the drivers have retried by themselves before. */
async function retried<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call()
    } catch (error) {
      const mayPass = isAppError(error) && error.retryable && !isAppError(error, 'STORE_MISMATCH')
      if (!mayPass || attempt === MAX_ATTEMPTS) throw error
      await sleep(RETRY_MS * 2 ** (attempt - 1))
    }
  }
}

function placementOf({ id, projectId, storageClass }: UncopiedFile): Placement {
  return { fileId: id, projectId, storageClass: storageClasses.find((name) => name === storageClass) }
}

/** Copies what the move has not copied yet. A file that is deleted meanwhile leaves nothing in the target. */
export async function copyFiles(
  adapters: AdminAdapters,
  moveId: string,
  progress: Progress
): Promise<CopyReport> {
  const { moves, files } = adapters.database()
  const report: CopyReport = { copied: 0, uncopyable: [], ended: false }

  async function copy({ current, mirror }: StoreView, file: UncopiedFile): Promise<void> {
    if (mirror === null) return
    try {
      await copyBlob(current.blobs, mirror.blobs, { ...file, placement: placementOf(file) }, { verify: true })
    } catch (error) {
      if (!isAppError(error, 'BLOB_NOT_FOUND') && !isAppError(error, 'BLOB_CORRUPT')) throw error
      if ((await files.findStored(file.id)) !== null) {
        report.uncopyable.push({ id: file.id, reason: error.message })
      }
      return
    }
    if (await moves.markCopied(file.id, moveId)) {
      report.copied++
      progress.copied(file.sizeBytes)
      return
    }
    // The row never owns a blob again, so no other process needs this one.
    await mirror.blobs.remove(file.blobKey)
  }

  for (let after = ''; ; ) {
    await retried(async () => await assertOwnStore(adapters))
    const view = adapters.stores().last()
    if (view.moveId !== moveId || view.mirror === null) return { ...report, ended: true }
    const page = await retried(async () => await moves.pageUncopied({ moveId, after, limit: PAGE }))
    const waiting = [...page]
    const lane = async (): Promise<void> => {
      for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
        const next = file
        await retried(async () => await copy(view, next))
      }
    }
    await Promise.all(Array.from({ length: PARALLEL }, lane))
    if (page.length < PAGE) return report
    after = page.at(-1)?.id ?? ''
  }
}
