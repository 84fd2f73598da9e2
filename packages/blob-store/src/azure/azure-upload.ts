import { createHash, randomUUID } from 'node:crypto'
import { AppError, isAppError, type Logger } from '@filewright/runtime'
import { tagsOf, type Placement, type StorageClass } from '../placement.js'
import type { UploadOptions } from '../remote/remote-blob-store.js'
import { createPartTimeout } from '../remote/part-timeout.js'
import { partsOf, type Part } from '../remote/parts.js'
import { withRetries, type RetryPolicy } from '../remote/retry.js'
import { exists, isStatus, StorageFailure, toAppError } from '../remote/storage-failure.js'
import { writeOnce } from '../remote/write-once.js'
import type { AzureApi } from './azure-client.js'
import { WRITE_ID, type AzureObject, type AzureObjects } from './azure-objects.js'

export interface AzureUploadDeps {
  api: AzureApi
  objects: AzureObjects
  policy: RetryPolicy
  logger?: Logger | undefined
  hasTags: boolean
  partSizeBytes: number
  /** For the first attempt of a part, from its first byte to the reply; doubled after each timeout. */
  partTimeoutMs: number
  /** For all attempts of one part, and of the end of an upload. */
  partBudgetMs: number
  /** For the whole cleanup after a failed write. */
  cleanupTimeoutMs: number
}

/** Azure refuses to create a blob that exists with 409; some servers with 412. */
const TAKEN = [409, 412]

export const isTaken = (error: unknown): boolean => TAKEN.some((status) => isStatus(error, status))

/**
 * A stream cannot be replayed, so parts are kept in memory and can be resent. A blob of one part is one
 * request; a larger one is a list of blocks, which become a blob only when the list is committed. So nothing
 * is ever partly visible. Azure drops blocks that were never committed after a week.
 */
export async function upload(
  deps: AzureUploadDeps,
  key: string,
  chunks: AsyncIterable<Uint8Array>,
  { signal, placement }: UploadOptions
): Promise<{ sizeBytes: number }> {
  const { api, objects, logger } = deps
  const policy = { ...deps.policy, budgetMs: deps.partBudgetMs }
  const withinTimeout = createPartTimeout(deps.partTimeoutMs)
  const writeId = randomUUID()
  const md5 = createHash('md5')
  const blocks: string[] = []
  let mayExist = false

  /** One attempt to create the blob; refused if the key is taken. */
  async function create(digest: Buffer, write: CreateBlob): Promise<AzureObject | null> {
    mayExist = true
    return await writeOnce({
      find: async () => await objects.find(key, signal),
      writeId,
      policy,
      signal,
      logger,
      mayBeOurs: TAKEN,
      write: async (leftMs) =>
        await withinTimeout(
          leftMs,
          async (timeoutMs) =>
            await write({
              limits: { doing: 'write', signal, timeoutMs },
              options: {
                conditions: { ifNoneMatch: '*' },
                metadata: { [WRITE_ID]: writeId },
                blobHTTPHeaders: { blobContentType: 'application/octet-stream', blobContentMD5: digest },
                ...placementOf(placement, deps.hasTags)
              }
            })
        )
    })
  }

  async function put({ bytes }: Part, digest: Buffer): Promise<AzureObject | null> {
    return await create(
      digest,
      async ({ limits, options }) =>
        await api.call(async (container, abortSignal) => {
          const blob = container.getBlockBlobClient(key)
          const { contentMD5 } = await blob.upload(bytes, bytes.length, { ...options, abortSignal })
          if (contentMD5 !== undefined && !digest.equals(contentMD5)) {
            throw new StorageFailure('the server received other bytes than were sent', { transient: false })
          }
        }, limits)
    )
  }

  async function stage({ bytes }: Part): Promise<void> {
    // All ids of a blob must have one length.
    const id = Buffer.from(`${writeId}-${String(blocks.length).padStart(6, '0')}`).toString('base64')
    const digest = createHash('md5').update(bytes).digest()
    await withRetries(
      async ({ leftMs }) =>
        await withinTimeout(
          leftMs,
          async (timeoutMs) =>
            await api.call(
              async (container, abortSignal) => {
                const blob = container.getBlockBlobClient(key)
                await blob.stageBlock(id, bytes, bytes.length, {
                  transactionalContentMD5: digest,
                  abortSignal
                })
              },
              { doing: 'part', signal, timeoutMs }
            )
        ),
      { policy, signal, logger, doing: 'part' }
    )
    blocks.push(id)
  }

  async function commit(digest: Buffer): Promise<AzureObject | null> {
    return await create(digest, async ({ limits, options }) => {
      await api.call(async (container, abortSignal) => {
        await container.getBlockBlobClient(key).commitBlockList(blocks, { ...options, abortSignal })
      }, limits)
    })
  }

  async function send(part: Part): Promise<AzureObject | null> {
    md5.update(part.bytes)
    if (part.last && blocks.length === 0) {
      try {
        return await put(part, md5.copy().digest())
      } catch (error) {
        // Taken, and yet there is no blob: an ended upload left blocks, which a new list replaces.
        if (!isTaken(error)) throw error
      }
    }
    // A key that is taken is found before its bytes are sent; the end of the upload decides.
    if (blocks.length === 0 && (await objects.find(key, signal)) !== null) throw exists()
    await stage(part)
    if (!part.last) return null
    const stored = (await commit(md5.copy().digest())) ?? (await objects.find(key, signal))
    if (stored === null) throw new StorageFailure('a committed blob is missing')
    return stored
  }

  function verify(stored: AzureObject, sizeBytes: number): void {
    const digest = md5.copy().digest('base64')
    if (stored.writeId === writeId && stored.sizeBytes === sizeBytes && stored.md5 === digest) return
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
      const found = await objects.find(key, limit)
      // Deletes only what this write created: another writer may own the key by now.
      if (found?.writeId === writeId) await objects.remove(key, { etag: found.etag, signal: limit })
    } catch (error) {
      logger?.warn({ err: error, key }, 'a failed write could not be cleaned up')
    }
  }

  try {
    let sizeBytes = 0
    for await (const part of partsOf(chunks, deps.partSizeBytes)) {
      const stored = await send(part)
      sizeBytes += part.bytes.length
      if (stored !== null) verify(stored, sizeBytes)
    }
    return { sizeBytes }
  } catch (error) {
    if (mayExist && !isAppError(error, 'BLOB_EXISTS')) await cleanUp()
    throw toAppError(error)
  }
}

const TIERS = { standard: 'Hot', cool: 'Cool', cold: 'Cold' } as const satisfies Record<StorageClass, string>

function placementOf(
  placement: Placement | undefined,
  hasTags: boolean
): { tier?: (typeof TIERS)[StorageClass]; tags?: Record<string, string> } {
  if (placement === undefined) return {}
  const { storageClass } = placement
  return {
    ...(storageClass === undefined ? {} : { tier: TIERS[storageClass] }),
    ...(hasTags ? { tags: tagsOf(placement) } : {})
  }
}

type CreateBlob = (attempt: {
  limits: { doing: string; signal: AbortSignal | undefined; timeoutMs: number }
  options: {
    conditions: { ifNoneMatch: string }
    metadata: Record<string, string>
    blobHTTPHeaders: { blobContentType: string; blobContentMD5: Buffer }
    tier?: (typeof TIERS)[StorageClass]
    tags?: Record<string, string>
  }
}) => Promise<void>
