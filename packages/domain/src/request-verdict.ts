import type { BlobStore } from '@filewright/blob-store'
import type { Database } from '@filewright/db'
import {
  isSealed,
  scanFile,
  type QueueClient,
  type RequestOptions,
  type ScanFilePayload,
  type ScanFileResult
} from '@filewright/queue'
import { AppError, type Logger } from '@filewright/runtime'

export interface VerdictsDeps {
  queue: Pick<QueueClient, 'request'>
  secret: Pick<BlobStore['secret'], 'ensure'>
  receipts: Pick<Database['receipts'], 'noteSignatureDate'>
  logger: Pick<Logger, 'warn'>
}

type Asked = ScanFilePayload
type Result = ScanFileResult

/** Requests a scan and returns its verdict only if it is authentic; SCAN_UNAVAILABLE otherwise. */
export type RequestVerdict = (asked: Asked, options: RequestOptions<unknown>) => Promise<Result>

/**
 * Every verdict comes through here. Anyone who can write to Redis can put any result there, so a result
 * counts only if it is about the requested file and signed with the store's secret, which is never in Redis.
 */
export function createRequestVerdict({ queue, secret, receipts, logger }: VerdictsDeps): RequestVerdict {
  let key: Buffer | undefined
  /** The engine whose signature date was noted last: once per update of the signatures. */
  let noted: string | undefined

  /** For receipts, which name the date if it is known. A verdict never fails because of it. */
  async function noteDate({ engine, signaturesAt }: Result): Promise<void> {
    if (signaturesAt === undefined || engine === noted) return
    const publishedAt = new Date(signaturesAt)
    if (Number.isNaN(publishedAt.getTime())) return
    try {
      await receipts.noteSignatureDate(engine, publishedAt)
      noted = engine
    } catch (error) {
      logger.warn(
        { err: error, engine },
        'date of the signatures not recorded, retrying with the next verdict'
      )
    }
  }

  /** Another gateway may have created a new secret since this one read it. */
  async function isGenuine(asked: Asked, result: Result, known: Buffer): Promise<boolean> {
    if (isSealed(known, asked, result)) return true
    key = await secret.ensure()
    return isSealed(key, asked, result)
  }

  async function problemOf(asked: Asked, result: Result, known: Buffer): Promise<string | null> {
    const { fileId, sizeBytes, sha256 } = result
    if (fileId !== asked.fileId || sizeBytes !== asked.sizeBytes || sha256 !== asked.sha256) {
      return `is one on another file: ${fileId}, ${sizeBytes} bytes, sha256 ${sha256}`
    }
    if (await isGenuine(asked, result, known)) return null
    if (result.seal !== undefined) return 'has a wrong seal'
    return 'has no seal: is the scan worker older than the gateway?'
  }

  return async (asked, options) => {
    // Before the job, so that the worker finds a secret to sign its verdict with.
    const known = (key ??= await secret.ensure())
    const result = await queue.request(scanFile, asked, options)
    const problem = await problemOf(asked, result, known)
    if (problem === null) {
      await noteDate(result)
      return result
    }
    const { fileId, requestId } = asked
    logger.warn({ fileId, requestId, problem }, 'scan verdict rejected')
    throw new AppError('SCAN_UNAVAILABLE', `the verdict on ${fileId} ${problem}`)
  }
}
