import { randomUUID } from 'node:crypto'
import { AppError, isAppError } from '@filewright/runtime'
import { createCrc32c } from '../remote/crc32c.js'
import type { UploadOptions } from '../remote/remote-blob-store.js'
import { createPartTimeout } from '../remote/part-timeout.js'
import { partsOf, type Part } from '../remote/parts.js'
import { withRetries, type RetryPolicy } from '../remote/retry.js'
import { StorageFailure, toAppError } from '../remote/storage-failure.js'
import { commit, type CommitDeps } from './s3-commit.js'
import type { S3Conditions } from './s3-conditions.js'
import type { S3Object, S3Objects } from './s3-objects.js'
import type { S3Part, S3Requests, S3UploadSession } from './s3-requests.js'

export interface S3UploadDeps extends CommitDeps {
  requests: S3Requests
  objects: S3Objects
  conditions: S3Conditions
  policy: RetryPolicy
  partSizeBytes: number
  /** For the first attempt of a part, from its first byte to the reply; doubled after each timeout. */
  partTimeoutMs: number
  /** For all attempts of one part, and of the end of an upload. */
  partBudgetMs: number
  requestTimeoutMs: number
  /** For the whole cleanup after a failed write. */
  cleanupTimeoutMs: number
}

/** Amazon's minimum for every part but the last. */
export const MIN_PART_BYTES = 5 * 1024 * 1024
export const DEFAULT_PART_TIMEOUT_MS = 20_000
/** Three attempts: 20 s, 40 s and the rest. */
export const DEFAULT_PART_BUDGET_MS = 120_000

/**
 * A stream cannot be replayed, so parts are kept in memory and can be resent. A blob of one part is one PUT; a
 * larger one is a multipart upload, which becomes an object only when it is completed. So nothing is ever
 * partly visible.
 */
export async function upload(
  deps: S3UploadDeps,
  key: string,
  chunks: AsyncIterable<Uint8Array>,
  { signal, placement }: UploadOptions
): Promise<{ sizeBytes: number }> {
  const { requests, objects, conditions, policy, logger, requestTimeoutMs } = deps
  const partPolicy = { ...policy, budgetMs: deps.partBudgetMs }
  const writeId = randomUUID()
  const crc32c = createCrc32c()
  const parts: S3Part[] = []
  let session: S3UploadSession | undefined
  let mayExist = false
  const withinTimeout = createPartTimeout(deps.partTimeoutMs)

  async function put({ bytes }: Part): Promise<S3Object | null> {
    const isConditional = await conditions.put(signal)
    mayExist = true
    return await commit(deps, {
      key,
      writeId,
      isConditional,
      policy: partPolicy,
      signal,
      mayBeOurs: [412],
      write: async (leftMs) =>
        await withinTimeout(
          leftMs,
          async (timeoutMs) =>
            await requests.put(key, bytes, { writeId, ifAbsent: isConditional, placement, signal, timeoutMs })
        )
    })
  }

  async function start(): Promise<S3UploadSession> {
    // A key that is taken is found before its bytes are sent; the end of the upload decides.
    if ((await objects.find(key, signal)) !== null) throw new AppError('BLOB_EXISTS', 'the key is taken')
    // Also shows what the server knows of checksums.
    await conditions.complete(signal)
    return await withRetries(
      async ({ leftMs }) => {
        const timeoutMs = Math.min(requestTimeoutMs, leftMs)
        const { partSizeBytes } = deps
        return await requests.start(key, { writeId, partSizeBytes, placement, signal, timeoutMs })
      },
      { policy, signal, logger, doing: 'start of an upload' }
    )
  }

  async function sendPart(to: S3UploadSession, { bytes }: Part): Promise<void> {
    const number = parts.length + 1
    const sent = await withRetries(
      async ({ leftMs }) =>
        await withinTimeout(leftMs, async (timeoutMs) => {
          return await requests.sendPart(to, number, bytes, { signal, timeoutMs })
        }),
      { policy: partPolicy, signal, logger, doing: 'part' }
    )
    parts.push(sent)
  }

  async function complete(to: S3UploadSession): Promise<S3Object | null> {
    const isConditional = await conditions.complete(signal)
    const whole = { crc32c: crc32c.toString(), ifAbsent: isConditional, signal }
    mayExist = true
    return await commit(deps, {
      key,
      writeId,
      isConditional,
      policy: partPolicy,
      signal,
      // 404: an earlier attempt completed the upload, so that there is none any more.
      mayBeOurs: [404, 412],
      write: async (leftMs) =>
        await withinTimeout(
          leftMs,
          async (timeoutMs) => await requests.complete(to, parts, { ...whole, timeoutMs })
        )
    })
  }

  async function send(part: Part): Promise<S3Object | null> {
    crc32c.update(part.bytes)
    if (session === undefined && part.last) return await put(part)
    session ??= await start()
    await sendPart(session, part)
    if (!part.last) return null
    // The reply to a completion proves little: Amazon begins it before the work is done.
    const object = (await complete(session)) ?? (await objects.find(key, signal))
    if (object !== null) requests.verifyEtag(session, parts, object.etag)
    return object
  }

  function verify(object: S3Object, sizeBytes: number): void {
    const { crc32c: theirs = crc32c.toString() } = object
    if (object.writeId === writeId && object.sizeBytes === sizeBytes && theirs === crc32c.toString()) return
    throw new AppError('STORAGE_UNAVAILABLE', `the server stored ${key} otherwise than it was sent`, {
      retryable: true
    })
  }

  /**
   * Within its own short deadline, because the caller's signal may have ended the write. A leftover has no row
   * and is swept.
   */
  async function cleanUp(): Promise<void> {
    const limit = AbortSignal.timeout(deps.cleanupTimeoutMs)
    try {
      if (session !== undefined) await objects.abortUpload(session, limit).catch(() => {})
      const found = mayExist ? await objects.find(key, limit) : null
      if (found?.writeId === writeId) await objects.remove(key, limit)
    } catch (error) {
      logger?.warn({ err: error, key }, 'a failed write could not be cleaned up')
    }
  }

  try {
    let sizeBytes = 0
    for await (const part of partsOf(chunks, deps.partSizeBytes)) {
      const object = await send(part)
      sizeBytes += part.bytes.length
      if (object !== null) verify(object, sizeBytes)
      else if (part.last && session !== undefined) {
        throw new StorageFailure('a completed upload made no object')
      }
    }
    return { sizeBytes }
  } catch (error) {
    if (session !== undefined || (mayExist && !isAppError(error, 'BLOB_EXISTS'))) await cleanUp()
    throw toAppError(error)
  }
}
