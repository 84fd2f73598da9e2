import type { BlobStore } from '@filewright/blob-store'
import type { JobContext, ScanFilePayload, ScanFileResult } from '@filewright/queue'
import { AppError, isAppError } from '@filewright/runtime'
import type { Scanner } from '@filewright/scanner'

export interface ScanFileDeps {
  blobs: Pick<BlobStore, 'read'>
  scanner: Pick<Scanner, 'scan'>
  onScanned?: (verdict: ScanFileResult['verdict'], sizeBytes: number) => void
}

export type ScanFileHandler = (payload: ScanFilePayload, context: Pick<JobContext<never>, 'signal'>) => Promise<ScanFileResult>

/** A reason is one header of an answer. */
const REASON_CHARS = 200

/** Answers one question, is this file safe, and nothing else: the gateway decides what follows. */
export function createScanFileHandler ({ blobs, scanner, onScanned }: ScanFileDeps): ScanFileHandler {
  return async ({ fileId, blobKey, sizeBytes, sha256, tokenId }, { signal }) => {
    const startedAt = performance.now()
    try {
      const { reason, waitedMs, ...result } = await scanner.scan({
        sizeBytes,
        sha256,
        open: async (range) => await blobs.read(blobKey, { signal, ...(range === undefined ? {} : { range }) })
      }, { lane: tokenId, signal })
      const scanMs = Math.max(0, Math.round(performance.now() - startedAt - waitedMs))
      onScanned?.(result.verdict, sizeBytes)
      const cut = reason === undefined ? {} : { reason: reason.slice(0, REASON_CHARS) }
      // The scanner has compared size and hash with the bytes it read.
      return { ...result, scanMs, fileId, sizeBytes, sha256, ...cut }
    } catch (error) {
      // The upload was given up and its blob removed while the job waited: no retry will bring it back.
      if (isAppError(error, 'BLOB_NOT_FOUND')) throw new AppError('JOB_FAILED', `blob ${blobKey} is gone`, { cause: error })
      throw error
    }
  }
}
