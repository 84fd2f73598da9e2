import type { BlobStore } from '@filewright/blob-store'
import type { Database, StoredFileRecord } from '@filewright/db'
import { failpoint, type Logger } from '@filewright/runtime'

export interface EraseDeps {
  files: Pick<Database['files'], 'remove'>
  blobs: Pick<BlobStore, 'remove'>
  logger: Pick<Logger, 'warn'>
}

/** Removes the content of a file in the state `deleting`, then its row. Never rejects. */
export async function erase(
  { files, blobs, logger }: EraseDeps,
  { id, blobKey }: Pick<StoredFileRecord, 'id' | 'blobKey'>
): Promise<void> {
  try {
    await blobs.remove(blobKey)
    FAILPOINT: failpoint('delete.blob-removed')
    await files.remove(id)
    FAILPOINT: failpoint('delete.row-removed')
  } catch (error) {
    // No reader can see the file; the sweeper removes the rest.
    logger.warn({ err: error, fileId: id }, 'deleted file left for the sweeper')
  }
}
