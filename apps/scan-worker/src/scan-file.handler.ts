import type { BlobStore } from '@filewright/blob-store'
import type { JobContext, ScanFilePayload, ScanFileResult } from '@filewright/queue'
import { AppError, isAppError } from '@filewright/runtime'
import type { Scanner, ScanSource } from '@filewright/scanner'
import { heldAfterRead } from './held-source.js'

export interface ScanFileDeps {
  blobs: Pick<BlobStore, 'read'>
  scanner: Pick<Scanner, 'scan'>
  onScanned?: (verdict: ScanFileResult['verdict'], sizeBytes: number) => void
}

/** What every job may hold in memory. Nearly all files are smaller, and a scan looks at each several times. */
const HELD_BYTES = 1024 * 1024

export type ScanFileHandler = (payload: ScanFilePayload, context: Pick<JobContext<never>, 'signal'>) => Promise<ScanFileResult>

/** Answers one question, is this file safe, and nothing else: the gateway decides what follows. */
export function createScanFileHandler ({ blobs, scanner, onScanned }: ScanFileDeps): ScanFileHandler {
  return async ({ blobKey, sizeBytes, sha256 }, { signal }) => {
    try {
      const open: ScanSource['open'] = async (range) => await blobs.read(blobKey, { signal, ...(range === undefined ? {} : { range }) })
      const isSmall = sizeBytes > 0 && sizeBytes <= HELD_BYTES
      const result = await scanner.scan({ sizeBytes, sha256, open: isSmall ? heldAfterRead(open, sizeBytes) : open }, { signal })
      onScanned?.(result.verdict, sizeBytes)
      return result
    } catch (error) {
      // The upload was given up and its blob removed while the job waited: no retry will bring it back.
      if (isAppError(error, 'BLOB_NOT_FOUND')) throw new AppError('JOB_FAILED', `blob ${blobKey} is gone`, { cause: error })
      throw error
    }
  }
}
