import type { BlobStore } from '@filewright/blob-store'
import { sealVerdict, type JobContext, type ScanFilePayload, type ScanFileResult } from '@filewright/queue'
import { AppError, isAppError } from '@filewright/runtime'
import type { Scanner } from '@filewright/scanner'

export interface ScanFileDeps {
  blobs: Pick<BlobStore, 'read' | 'readInto'>
  scanner: Pick<Scanner, 'scan'>
  /** Null while the store has no secret: old gateways create none. */
  sealKey: () => Promise<Buffer | null>
  onScanned?: (verdict: ScanFileResult['verdict'], sizeBytes: number) => void
}

export type ScanFileHandler = (
  payload: ScanFilePayload,
  context: Pick<JobContext<never>, 'signal'>
) => Promise<ScanFileResult>

/** The reason becomes a response header. */
const REASON_CHARS = 200

/** Only decides whether a file is safe; the gateway decides what follows. */
export function createScanFileHandler(deps: ScanFileDeps): ScanFileHandler {
  const { blobs, scanner, sealKey, onScanned } = deps
  return async (payload, { signal }) => {
    const { fileId, blobKey, sizeBytes, sha256, tokenId } = payload
    const key = await sealKey()
    const startedAt = performance.now()
    try {
      const { reason, waitedMs, signaturesAt, ...found } = await scanner.scan(
        {
          sizeBytes,
          sha256,
          open: async (range) =>
            await blobs.read(blobKey, { signal, ...(range === undefined ? {} : { range }) }),
          read: async (into, range, signal) => await blobs.readInto(blobKey, into, { range, signal })
        },
        { lane: tokenId, signal }
      )
      const scanMs = Math.max(0, Math.round(performance.now() - startedAt - waitedMs))
      onScanned?.(found.verdict, sizeBytes)
      const cut = reason === undefined ? {} : { reason: reason.slice(0, REASON_CHARS) }
      const published = signaturesAt === undefined ? {} : { signaturesAt: signaturesAt.toISOString() }
      // The scanner has compared the size and hash with the bytes it read.
      const result = { ...found, scanMs, fileId, sizeBytes, sha256, ...published, ...cut }
      return key === null ? result : sealVerdict(key, payload, result)
    } catch (error) {
      // The upload was abandoned and its blob removed while the job waited: a retry would not help.
      if (isAppError(error, 'BLOB_NOT_FOUND')) {
        throw new AppError('JOB_FAILED', `blob ${blobKey} is gone`, { cause: error })
      }
      throw error
    }
  }
}
