import { randomUUID } from 'node:crypto'
import { AppError, isAppError, type Logger } from '@filewright/runtime'
import { createCrc32c } from '../remote/crc32c.js'
import { exists, StorageFailure, isStatus, toAppError } from '../remote/storage-failure.js'
import type { GcsObject, GcsObjects } from './gcs-objects.js'
import type { UploadOptions } from '../remote/remote-blob-store.js'
import { createPartTimeout } from '../remote/part-timeout.js'
import { partsOf, type Part } from '../remote/parts.js'
import { withRetries, type RetryPolicy } from '../remote/retry.js'
import type { UploadRequests } from './upload-requests.js'

export interface GcsUploadDeps {
  requests: UploadRequests
  objects: GcsObjects
  policy: RetryPolicy
  logger?: Logger | undefined
  partSizeBytes: number
  /** For the first attempt of a part, from its first byte to the reply; doubled after each timeout. */
  partTimeoutMs: number
  /** For all attempts of one part. */
  partBudgetMs: number
  requestTimeoutMs: number
  /** For the whole cleanup after a failed write. */
  cleanupTimeoutMs: number
}

export const DEFAULT_PART_TIMEOUT_MS = 10_000
/** Three attempts: 10 s, 20 s and the rest. */
export const DEFAULT_PART_BUDGET_MS = 60_000

/**
 * A stream cannot be replayed, so parts are kept in memory and can be resent. A blob of one part is one
 * insert; a larger one is a resumable session, which Google turns into an object only with its last part. So
 * nothing is ever partly visible.
 */
export async function upload(
  deps: GcsUploadDeps,
  key: string,
  chunks: AsyncIterable<Uint8Array>,
  { signal, placement }: UploadOptions
): Promise<{ sizeBytes: number }> {
  const { requests, objects, policy, logger, requestTimeoutMs } = deps
  const partPolicy = { ...policy, budgetMs: deps.partBudgetMs }
  const writeId = randomUUID()
  const crc32c = createCrc32c()
  let session: URL | undefined
  let mayExist = false

  const withinTimeout = createPartTimeout(deps.partTimeoutMs)

  async function within<T>(deadline: number, work: (timeoutMs: number) => Promise<T>): Promise<T> {
    const leftMs = deadline - Date.now()
    if (leftMs <= 0) throw new StorageFailure('a part took too long')
    return await withinTimeout(leftMs, work)
  }

  /**
   * An earlier attempt may have created the object although its reply was lost: then "exists" means our own
   * object.
   */
  async function ours(error: unknown): Promise<GcsObject> {
    const found = isStatus(error, 412) ? await objects.find(key, signal) : null
    if (found?.writeId === writeId) return found
    throw isStatus(error, 412) ? exists(error) : error
  }

  async function insert(part: Part): Promise<GcsObject> {
    const options = { writeId, placement, crc32c: crc32c.toString(), signal }
    return await withRetries(
      async ({ leftMs }) =>
        await withinTimeout(leftMs, async (timeoutMs) => {
          return await requests.insert(key, part.bytes, { ...options, timeoutMs })
        }),
      { policy: partPolicy, signal, logger, doing: 'insert' }
    ).catch(ours)
  }

  async function startSession(): Promise<URL> {
    const doing = 'start of an upload'
    try {
      return await withRetries(
        async ({ leftMs }) => {
          const timeoutMs = Math.min(requestTimeoutMs, leftMs)
          return await requests.startSession(key, { writeId, placement, signal, timeoutMs })
        },
        { policy, signal, logger, doing }
      )
    } catch (error) {
      throw isStatus(error, 412) ? exists(error) : error
    }
  }

  async function sendPart(address: URL, part: Part): Promise<GcsObject | undefined> {
    const end = part.offset + part.bytes.length
    const totalBytes = part.last ? end : undefined
    let keptBytes = part.offset
    return await withRetries(
      async ({ attempt, leftMs }) => {
        const deadline = Date.now() + leftMs
        // After a failure only the session knows how much of the part arrived.
        const query = { totalBytes, signal, timeoutMs: Math.min(requestTimeoutMs, leftMs) }
        let state = attempt === 0 ? { keptBytes } : await requests.querySession(address, query)
        while (!('object' in state)) {
          if (state.keptBytes < keptBytes || state.keptBytes > end) {
            throw new AppError('STORAGE_UNAVAILABLE', 'an upload session lost bytes', { retryable: true })
          }
          keptBytes = state.keptBytes
          if (keptBytes === end) {
            if (!part.last) return undefined
            throw new StorageFailure('an upload session has every byte and made no object')
          }
          const rest = part.bytes.subarray(keptBytes - part.offset)
          const options = { offset: keptBytes, totalBytes, signal }
          state = await within(deadline, async (timeoutMs) => {
            return await requests.sendPart(address, rest, { ...options, timeoutMs })
          })
          if (!('object' in state) && state.keptBytes === keptBytes) {
            throw new StorageFailure('an upload session kept nothing of a part')
          }
        }
        return state.object
      },
      { policy: partPolicy, signal, logger, doing: 'part' }
    ).catch(ours)
  }

  async function send(part: Part): Promise<GcsObject | undefined> {
    crc32c.update(part.bytes)
    if (part.last) mayExist = true
    if (session === undefined && part.last) return await insert(part)
    session ??= await startSession()
    return await sendPart(session, part)
  }

  function verify(object: GcsObject, sizeBytes: number): void {
    if (object.sizeBytes === sizeBytes && object.crc32c === crc32c.toString()) return
    throw new AppError(
      'STORAGE_UNAVAILABLE',
      `Google stored ${key} with another size or crc32c than was sent`,
      { retryable: true }
    )
  }

  /**
   * Within its own short deadline, because the caller's signal may have ended the write. A leftover has no
   * row and is swept.
   */
  async function cleanUp(): Promise<void> {
    const limit = AbortSignal.timeout(deps.cleanupTimeoutMs)
    try {
      if (session !== undefined) {
        await requests
          .cancelSession(session, { signal: limit, timeoutMs: deps.cleanupTimeoutMs })
          .catch(() => {})
      }
      const found = mayExist ? await objects.find(key, limit) : null
      // Deletes only the generation that this write created: another writer may own the key by now.
      if (found?.writeId === writeId) {
        await objects.remove(key, { generation: found.generation, signal: limit })
      }
    } catch (error) {
      logger?.warn({ err: error, key }, 'a failed write could not be cleaned up')
    }
  }

  try {
    let sizeBytes = 0
    for await (const part of partsOf(chunks, deps.partSizeBytes)) {
      const object = await send(part)
      sizeBytes += part.bytes.length
      if (object !== undefined) verify(object, sizeBytes)
    }
    return { sizeBytes }
  } catch (error) {
    if (session !== undefined || (mayExist && !isAppError(error, 'BLOB_EXISTS'))) await cleanUp()
    throw toAppError(error)
  }
}
