import type { Readable } from 'node:stream'
import { blobKeyOf } from '@filewright/blob-store'
import { limits } from '@filewright/contracts'
import type { Database, NewFile, ReadyFileRecord, RefusedUpload, UploadQuotas } from '@filewright/db'
import type { RequestVerdict, RoutedBlobs, StoreGuard, UploadPlace } from '@filewright/domain'
import { scanFile, type QueueClient, type ScanFilePayload, type ScanFileResult } from '@filewright/queue'
import { AppError, createId, failpoint, linkSignals, type Clock, type Logger } from '@filewright/runtime'
import { fingerprintOf } from '../idempotency/idempotency-key.js'
import type { AnsweredKey, HeldKey, IdempotencyService } from '../idempotency/idempotency.service.js'
import type { QuotasService } from '../quotas/quotas.service.js'
import type { BriefScans } from '../limits/brief-scans.js'
import type { ScanBudget } from '../limits/scan-budget.js'
import type { Principal } from '../tokens/principal.js'
import { createByteMeter, type ByteMeter } from './byte-meter.js'
import type { UploadReceipt } from './files.presenter.js'
import { freeChunk } from './free-chunk.js'
import type { FormPart } from './upload-form.js'
import type { UploadCleaner } from './upload-cleaner.js'
import { invalidUpload, rejectedByScan, rejectionOf } from './rejected-upload.js'
import { readParts, type UploadDetails } from './upload-parts.js'

export interface UploadContext {
  signal: AbortSignal
  requestId: string
  idempotencyKey?: string | undefined
}

export interface UploadService {
  /** Resolves with the stored, scanned, visible file. If it rejects, nothing visible is left. */
  upload: (
    principal: Principal,
    form: AsyncIterable<FormPart>,
    context: UploadContext
  ) => Promise<{ file: UploadReceipt; replayed: boolean }>
}

export interface UploadServiceDeps {
  files: Pick<Database['files'], 'insertPending' | 'markScanning' | 'publish' | 'markQuarantined'>
  moves: Pick<Database['moves'], 'unmark'>
  blobs: Pick<RoutedBlobs, 'place' | 'follow'>
  store: Pick<StoreGuard, 'assertOpen'>
  queue: Pick<QueueClient, 'ensureRoom'>
  requestVerdict: RequestVerdict
  idempotency: Pick<IdempotencyService, 'begin'>
  quotas: QuotasService
  scanBudget: Pick<ScanBudget, 'charge'>
  briefScans: BriefScans
  cleaner: UploadCleaner
  clock: Clock
  logger: Pick<Logger, 'warn'>
  timing: { uploadTimeoutMs: number; idleTimeoutMs: number; scanDeadlineMs: number }
}

/** A lease outlasts its work by this much, so the sweeper never races a request that is still on time. */
const LEASE_MARGIN_MS = 30_000

/** The current store may change between asking which it is and inserting the row. */
const MAX_PLACES = 3

const ROUTE = 'POST /api/files/upload'

/**
 * One upload in progress; `begun` once it may have left a row or a blob, `publishing` once others may see it.
 */
interface Attempt {
  id: string
  principal: Principal
  key?: HeldKey
  begun: boolean
  publishing: boolean
  /** The destination, as far as known from the form, once the token is known to have access. */
  target?: { projectId: string; name: string }
  /** The copy for the other store of a move. */
  mirror?: { storeId: string; isCopied: Promise<boolean>; stop: () => void }
}

interface ReceivedFile {
  id: string
  blobKey: string
  name: string
  sizeBytes: number
  sha256: string
  detect: ByteMeter['detect']
  isPlain: ByteMeter['isPlain']
}

const requestOf = (
  { projectId, folder, description }: UploadDetails,
  { name, sha256 }: Pick<ReceivedFile, 'name' | 'sha256'>
): string => fingerprintOf({ projectId, folder, description, name, sha256 })

/** Only refusals by the service, and only if the project that receives the event is known. */
function refusalOf({ target }: Attempt, error: unknown): RefusedUpload | undefined {
  const rejection = rejectionOf(error)
  return target === undefined || rejection === null ? undefined : { ...target, rejection }
}

export function createUploadService(deps: UploadServiceDeps): UploadService {
  const { files, moves, blobs, store, queue, requestVerdict, idempotency } = deps
  const { quotas, scanBudget, briefScans, cleaner, clock, logger, timing } = deps
  const leaseFor = (workMs: number): Date => new Date(clock.now().getTime() + workMs + LEASE_MARGIN_MS)
  const meterOf = (body: Readable) =>
    createByteMeter(body, { maxBytes: limits.fileSizeBytes, idleTimeoutMs: timing.idleTimeoutMs })

  async function receive(
    attempt: Attempt,
    name: string,
    body: Readable,
    { signal, projectId }: { signal: AbortSignal; projectId: string | undefined }
  ): Promise<ReceivedFile> {
    const { id, principal } = attempt
    const blobKey = blobKeyOf(id)
    attempt.begun = true
    FAILPOINT: failpoint('upload.begun')
    const place = await claimPlace({
      id,
      blobKey,
      tokenId: principal.tokenId,
      leaseExpiresAt: leaseFor(timing.uploadTimeoutMs)
    })
    FAILPOINT: failpoint('upload.row-inserted')
    const placement = {
      fileId: id,
      projectId,
      storageClass: projectId === undefined ? undefined : await quotas.storageClassOf(projectId)
    }
    const meter = meterOf(body)
    await place.write(blobKey, meter.bytes, { signal, placement, onWritten: freeChunk })
    FAILPOINT: failpoint('upload.blob-written')
    const result = meter.result()
    if (place.mirror !== null && place.storeId !== null) {
      const stopping = linkSignals(signal)
      const isCopied = place.mirror({ blobKey, sha256: result.sha256, placement }, stopping.signal)
      attempt.mirror = {
        storeId: place.storeId,
        isCopied,
        stop: () => stopping.abort()
      }
      void isCopied.then(stopping.unlink)
    }
    return { id, blobKey, name, ...result, detect: meter.detect, isPlain: meter.isPlain }
  }

  /** Inserts the row, which says where the bytes will be. PostgreSQL refuses a store that is not the current one. */
  async function claimPlace(file: Omit<NewFile, 'storeId' | 'moveId'>): Promise<UploadPlace> {
    for (let places = 0; places < MAX_PLACES; places++) {
      const place = await blobs.place()
      const { storeId, moveId } = place
      if (await files.insertPending({ ...file, storeId, moveId })) return place
      await blobs.follow()
    }
    const message = 'the current blob store is not among those of the settings'
    throw new AppError('STORAGE_UNAVAILABLE', message, { retryable: true })
  }

  /** An upload that is not in both stores of a move must not be taken for one that is. */
  async function endMirror({ id, mirror }: Attempt): Promise<void> {
    if (mirror === undefined || (await mirror.isCopied)) return
    if (await moves.unmark(id, mirror.storeId)) return
    const message = `${id} is not in the store that has become the current one`
    throw new AppError('STORAGE_UNAVAILABLE', message, { retryable: true })
  }

  async function scan(
    file: ReceivedFile,
    { tokenId }: Principal,
    { signal, requestId }: UploadContext
  ): Promise<ScanFileResult> {
    const { id: fileId, blobKey, sizeBytes, sha256 } = file
    const payload: ScanFilePayload = { v: 1, fileId, blobKey, sizeBytes, sha256, requestId, tokenId }
    const isBrief = file.isPlain() && briefScans.areAllowed(tokenId)
    let result: ScanFileResult | undefined
    try {
      result = await requestVerdict(payload, {
        deadlineMs: timing.scanDeadlineMs,
        signal,
        lane: tokenId,
        isBrief
      })
      scanBudget.charge(tokenId, result)
      return result
    } catch (error) {
      signal.throwIfAborted()
      throw new AppError('SCAN_UNAVAILABLE', `no verdict on ${fileId}`, { cause: error })
    } finally {
      if (isBrief) briefScans.ended(tokenId, result?.scanMs)
    }
  }

  async function refuse(id: string, result: ScanFileResult, requestId: string): Promise<never> {
    const { verdict, engine, signature, reason } = result
    const refusal = rejectedByScan(id, result)
    await files.markQuarantined(id, {
      engine,
      signature: signature ?? verdict,
      at: clock.now(),
      rejection: rejectionOf(refusal)
    })
    FAILPOINT: failpoint('upload.quarantined')
    logger.warn({ requestId, fileId: id, verdict, signature, reason, engine }, 'file refused by the scanner')
    throw refusal
  }

  async function publish(
    attempt: Attempt,
    engine: string,
    receipt: UploadReceipt,
    fingerprint: string,
    { projectId, quota }: { projectId: string; quota: UploadQuotas | null }
  ): Promise<ReadyFileRecord> {
    const { id, key: held, principal } = attempt
    const key = held && {
      holder: held.holder,
      completion: { fingerprint, answer: JSON.stringify(receipt) }
    }
    held?.stop()
    attempt.publishing = true
    // Only this check enforces the quota among concurrent uploads. Every earlier check just saves work.
    const { file, refusal } = await files.publish(
      id,
      { engine, at: receipt.createdAt },
      { quotas: quota, key }
    )
    if (quota !== null && refusal !== null) {
      throw await quotas.exceeded(refusal, quota, { principal, projectId })
    }
    FAILPOINT: failpoint('upload.published')
    if (file === null) throw new AppError('SCAN_UNAVAILABLE', `the verdict on ${id} came after its lease`)
    return file
  }

  async function run(
    attempt: Attempt,
    form: AsyncIterable<FormPart>,
    context: UploadContext
  ): Promise<ReadyFileRecord> {
    const { id, principal } = attempt
    const { details, received } = await readParts(principal, form, async (name, body, projectId) => {
      if (projectId !== undefined) {
        attempt.target = { projectId, name }
        await quotas.assertRoom(principal, { projectId })
      }
      return await receive(attempt, name, body, { signal: context.signal, projectId })
    })
    const { name, sizeBytes, sha256 } = received
    const { projectId } = details
    attempt.target = { projectId, name }
    const quota = await quotas.quotasOf(principal, projectId)
    if (quota !== null) await quotas.assertRoom(principal, { projectId, sizeBytes })
    const detected = await received.detect(name)
    if ('rejection' in detected) throw invalidUpload(detected.rejection)

    FAILPOINT: failpoint('upload.checked')
    const upload = {
      ...details,
      name,
      sizeBytes,
      sha256,
      ...detected,
      leaseExpiresAt: leaseFor(timing.scanDeadlineMs)
    }
    if (!(await files.markScanning(id, upload))) {
      throw new AppError('SCAN_UNAVAILABLE', `upload of ${id} took longer than its lease`)
    }
    FAILPOINT: failpoint('upload.scanning')
    const result = await scan(received, principal, context)
    FAILPOINT: failpoint('upload.verdict')
    if (result.verdict !== 'clean') return await refuse(id, result, context.requestId)
    await endMirror(attempt)
    const receipt = { id, name, sizeBytes, type: detected.type, createdAt: clock.now() }
    return await publish(attempt, result.engine, receipt, requestOf(details, received), {
      projectId,
      quota
    })
  }

  /** The bytes are read only to compare them, and are not stored. */
  async function replay(
    answered: AnsweredKey,
    principal: Principal,
    form: AsyncIterable<FormPart>
  ): Promise<UploadReceipt> {
    const { details, received } = await readParts(principal, form, async (name, body) => {
      const meter = meterOf(body)
      const bytes = meter.bytes[Symbol.asyncIterator]()
      while ((await bytes.next()).done !== true);
      return { name, ...meter.result() }
    })
    const receipt = JSON.parse(await answered.replay(requestOf(details, received))) as UploadReceipt & {
      createdAt: string
    }
    return { ...receipt, createdAt: new Date(receipt.createdAt) }
  }

  return {
    async upload(principal, form, context) {
      const id = createId()
      const { idempotencyKey: given } = context
      const key =
        given === undefined
          ? undefined
          : await idempotency.begin({
              tokenId: principal.tokenId,
              key: given,
              route: ROUTE,
              attemptId: id,
              fingerprint: null
            })
      if (key?.kind === 'answered') return { file: await replay(key, principal, form), replayed: true }

      const attempt: Attempt = {
        id,
        principal,
        begun: false,
        publishing: false,
        ...(key === undefined ? {} : { key })
      }
      try {
        store.assertOpen()
        // A queue that is full now will still be full when 50 MB have arrived.
        queue.ensureRoom(scanFile)
        await quotas.assertRoom(principal)
        return { file: await run(attempt, form, context), replayed: false }
      } catch (error) {
        key?.stop()
        if (attempt.begun) {
          // A copy that ends later would be a blob without a record.
          attempt.mirror?.stop()
          await attempt.mirror?.isCopied
          await cleaner.discard(id, {
            holder: key?.holder,
            mayBePublished: attempt.publishing,
            refusal: refusalOf(attempt, error)
          })
        } else await key?.release()
        context.signal.throwIfAborted()
        throw error
      }
    }
  }
}
