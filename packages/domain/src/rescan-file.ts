import type { BlobStore } from '@filewright/blob-store'
import type { Database, StoredFileRecord } from '@filewright/db'
import type { ScanFileResult } from '@filewright/queue'
import { createId, type Clock, type Logger } from '@filewright/runtime'
import type { RequestVerdict } from './request-verdict.js'

export interface RescanOutcome extends ScanFileResult {
  /** No address serves the file from now on. */
  withdrawn: boolean
}

export interface RescanFileOptions {
  /** Lower than every upload when set; otherwise the same as an upload. */
  priority?: number
}

/** Scans a stored file again, also one in the trash, and acts on the verdict. Any failure leaves the file unchanged. */
export type RescanFile = (file: StoredFileRecord, options?: RescanFileOptions) => Promise<RescanOutcome>

export interface RescanFileDeps {
  files: Pick<Database['files'], 'markQuarantined' | 'clearBlob'>
  rescans: Pick<Database['rescans'], 'noteEngine' | 'newestEngine' | 'recordClean'>
  blobs: Pick<BlobStore, 'remove'>
  requestVerdict: RequestVerdict
  clock: Clock
  logger: Pick<Logger, 'error' | 'warn'>
  deadlineMs: number
}

export function createRescanFile(deps: RescanFileDeps): RescanFile {
  const { files, rescans, blobs, requestVerdict, clock, logger, deadlineMs } = deps

  /**
   * The row is changed first, as with a delete: from then on no address serves it, and the sweeper
   * removes the blob.
   */
  async function withdraw(
    { id, projectId, blobKey }: StoredFileRecord,
    { verdict, engine, signature = verdict }: ScanFileResult
  ): Promise<boolean> {
    if (!(await files.markQuarantined(id, { engine, signature, at: clock.now() }, 'stored'))) return false
    logger.error(
      { fileId: id, projectId, verdict, signature, engine },
      'stored file withdrawn: new signatures find it infected'
    )
    try {
      await blobs.remove(blobKey)
      await files.clearBlob(id)
    } catch (error) {
      logger.warn({ err: error, fileId: id }, 'withdrawn file left for the sweeper')
    }
    return true
  }

  return async (file, { priority } = {}) => {
    const { id: fileId, blobKey, sizeBytes, sha256 } = file
    const result = await requestVerdict(
      { v: 1, fileId, blobKey, sizeBytes, sha256, requestId: `rescan-${fileId}`, round: createId() },
      { deadlineMs, ...(priority === undefined ? {} : { priority }) }
    )
    const { engine } = result
    const at = clock.now()
    const isCurrent = (await rescans.noteEngine(engine, at)) || (await rescans.newestEngine()) === engine
    if (result.verdict !== 'clean') return { ...result, withdrawn: await withdraw(file, result) }
    // The verdict of a worker with older signatures is ignored: the file keeps its position and is scanned
    // again later.
    if (isCurrent) await rescans.recordClean(fileId, { engine, at })
    return { ...result, withdrawn: false }
  }
}
