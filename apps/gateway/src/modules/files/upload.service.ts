import type { Readable } from 'node:stream'
import { blobKeyOf, type BlobStore } from '@filewright/blob-store'
import { limits } from '@filewright/contracts'
import type { Database, ReadyFileRecord } from '@filewright/db'
import { scanFile, type QueueClient, type ScanFileResult } from '@filewright/queue'
import { AppError, createId, InvalidFieldError, type Clock, type Logger } from '@filewright/runtime'
import { canAccess, type Principal } from '../tokens/principal.js'
import { createByteMeter } from './byte-meter.js'
import { parseDescription, parseFileName, parseFolder, parseProjectId } from './fields.js'
import type { FormPart, UploadField } from './upload-form.js'
import type { UploadCleaner } from './upload-cleaner.js'

export interface UploadContext {
  signal: AbortSignal
  requestId: string
}

export interface UploadService {
  /** Resolves with the stored, scanned, visible file; rejects with nothing left that anyone could see. */
  upload: (principal: Principal, form: AsyncIterable<FormPart>, context: UploadContext) => Promise<ReadyFileRecord>
}

export interface UploadServiceDeps {
  files: Pick<Database['files'], 'insertPending' | 'markScanning' | 'markReady' | 'markQuarantined'>
  blobs: Pick<BlobStore, 'write'>
  queue: Pick<QueueClient, 'request'>
  cleaner: UploadCleaner
  clock: Clock
  logger: Pick<Logger, 'warn'>
  timing: { uploadTimeoutMs: number, idleTimeoutMs: number, scanDeadlineMs: number }
}

/** A lease outlives the work it covers by this much, so that the sweeper never races a request that is still on time. */
const LEASE_MARGIN_MS = 30_000

/** One upload on its way; `begun` once it may have left a row or a blob behind. */
interface Attempt {
  id: string
  principal: Principal
  begun: boolean
}

interface ReceivedFile {
  id: string
  blobKey: string
  name: string
  sizeBytes: number
  sha256: string
  detect: ReturnType<typeof createByteMeter>['detect']
}

export function createUploadService ({ files, blobs, queue, cleaner, clock, logger, timing }: UploadServiceDeps): UploadService {
  const leaseFor = (workMs: number): Date => new Date(clock.now().getTime() + workMs + LEASE_MARGIN_MS)

  function projectOf (principal: Principal, fields: Map<UploadField, string>): string {
    const projectId = parseProjectId(fields.get('project_id'))
    if (!canAccess(principal, projectId)) throw new AppError('FORBIDDEN', `token ${principal.tokenId} may not write to the project`)
    return projectId
  }

  async function receive (attempt: Attempt, name: string, body: Readable, signal: AbortSignal): Promise<ReceivedFile> {
    const { id, principal } = attempt
    const blobKey = blobKeyOf(id)
    attempt.begun = true
    await files.insertPending({ id, blobKey, tokenId: principal.tokenId, leaseExpiresAt: leaseFor(timing.uploadTimeoutMs) })
    const meter = createByteMeter(body, { maxBytes: limits.fileSizeBytes, idleTimeoutMs: timing.idleTimeoutMs })
    await blobs.write(blobKey, meter.bytes, { signal })
    return { id, blobKey, name, ...meter.result(), detect: meter.detect }
  }

  /** Fields may stand before or after the file; what is known early is checked early, before 50 MB have travelled for nothing. */
  async function readParts (attempt: Attempt, form: AsyncIterable<FormPart>, signal: AbortSignal) {
    const fields = new Map<UploadField, string>()
    let received: ReceivedFile | undefined
    for await (const part of form) {
      if (part.kind === 'field') {
        if (fields.has(part.name)) throw new InvalidFieldError(part.name, 'must be given once')
        fields.set(part.name, part.value)
        continue
      }
      if (part.name !== 'file' || received !== undefined || part.fileName === '') {
        throw new AppError('INVALID_UPLOAD', 'a form holds exactly one file, in the field named file')
      }
      const name = parseFileName(part.fileName)
      if (fields.has('project_id')) projectOf(attempt.principal, fields)
      received = await receive(attempt, name, part.body, signal)
    }
    if (received === undefined) throw new AppError('INVALID_UPLOAD', 'the form has no file')
    return { fields, received }
  }

  async function scan (file: ReceivedFile, { signal, requestId }: UploadContext): Promise<ScanFileResult> {
    const { id: fileId, blobKey, sizeBytes, sha256 } = file
    try {
      return await queue.request(scanFile, { v: 1, fileId, blobKey, sizeBytes, sha256, requestId }, { deadlineMs: timing.scanDeadlineMs, signal })
    } catch (error) {
      signal.throwIfAborted()
      throw new AppError('SCAN_UNAVAILABLE', `no verdict on ${fileId}`, { cause: error })
    }
  }

  async function publish (id: string, { verdict, engine, signature }: ScanFileResult, requestId: string): Promise<ReadyFileRecord> {
    if (verdict !== 'clean') {
      await files.markQuarantined(id, { engine, signature: signature ?? verdict, at: clock.now() })
      logger.warn({ requestId, fileId: id, verdict, signature, engine }, 'file refused by the scanner')
      throw new AppError('FILE_REJECTED', `${id}: ${signature ?? verdict}`)
    }
    const file = await files.markReady(id, { engine, at: clock.now() })
    if (file === null) throw new AppError('SCAN_UNAVAILABLE', `the verdict on ${id} came after its lease`)
    return file
  }

  return {
    async upload (principal, form, context) {
      const attempt: Attempt = { id: createId(), principal, begun: false }
      const { id } = attempt
      try {
        const { fields, received } = await readParts(attempt, form, context.signal)
        const projectId = projectOf(principal, fields)
        const folder = parseFolder(fields.get('folder'))
        const description = parseDescription(fields.get('description'))
        const detected = await received.detect(received.name)
        if (detected === null) throw new AppError('INVALID_UPLOAD', 'not a supported kind of file')

        const { name, sizeBytes, sha256 } = received
        const details = { projectId, name, folder, description, sizeBytes, sha256, ...detected, leaseExpiresAt: leaseFor(timing.scanDeadlineMs) }
        if (!await files.markScanning(id, details)) throw new AppError('SCAN_UNAVAILABLE', `upload of ${id} took longer than its lease`)
        return await publish(id, await scan(received, context), context.requestId)
      } catch (error) {
        if (attempt.begun) await cleaner.discard(id)
        context.signal.throwIfAborted()
        throw error
      }
    }
  }
}
