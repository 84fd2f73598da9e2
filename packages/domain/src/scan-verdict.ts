import type { ScanFileResult } from '@filewright/queue'
import { AppError } from '@filewright/runtime'

interface ScannedFile {
  id: string
  sizeBytes: number
  sha256: string
}

/** A verdict counts for the file that was scanned and for no other: a job in Redis may have been changed on its way. */
export function assertSameFile ({ id, sizeBytes, sha256 }: ScannedFile, result: ScanFileResult): void {
  if (result.fileId === id && result.sizeBytes === sizeBytes && result.sha256 === sha256) return
  throw new AppError('JOB_FAILED', `the verdict on ${id} is one on another file: ${result.fileId}, ${result.sizeBytes} bytes, sha256 ${result.sha256}`)
}
