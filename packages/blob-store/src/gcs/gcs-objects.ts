import type { Bucket, FileMetadata } from '@google-cloud/storage'
import type { Logger } from '@filewright/runtime'
import { orAborted } from '../abort.js'
import type { RemoteObject } from '../remote/remote-blob-store.js'
import { StorageFailure, isStatus } from '../remote/storage-failure.js'
import { withRetries, type RetryPolicy } from '../remote/retry.js'

/** The part of Google's object resource that we read. Numbers are decimal strings on the wire. */
export interface GcsObject extends RemoteObject {
  generation: string
  crc32c: string
  /** The write that created it; absent on objects that are not ours. */
  writeId: string | undefined
}

/**
 * Custom metadata key: distinguishes the object of a write whose reply was lost from the same bytes written
 * by another writer.
 */
export const WRITE_ID = 'filewright-write'

export interface GcsObjects {
  find: (key: string, signal?: AbortSignal) => Promise<GcsObject | null>
  /** False when it did not exist or, with a generation, when another one does. */
  remove: (
    key: string,
    options: { generation?: string; signal?: AbortSignal | undefined }
  ) => Promise<boolean>
  list: (signal?: AbortSignal) => AsyncIterable<GcsObject>
}

export interface GcsObjectsDeps {
  bucket: Bucket
  policy: RetryPolicy
  logger?: Logger | undefined
  /** Objects per page of a listing; Google returns at most 1,000. */
  pageSize: number
}

/**
 * Metadata, delete and list by the client library, which has its own deadline per call; an abort stops
 * waiting for it.
 */
export function createGcsObjects({ bucket, policy, logger, pageSize }: GcsObjectsDeps): GcsObjects {
  async function call<T>(
    doing: string,
    signal: AbortSignal | undefined,
    work: (attempt: number) => Promise<T>
  ): Promise<T> {
    return await withRetries(
      async ({ attempt }) => {
        try {
          return await orAborted(work(attempt), signal)
        } catch (error) {
          throw signal?.aborted === true ? error : fromLibrary(doing, error)
        }
      },
      { policy, signal, logger, doing }
    )
  }

  async function* list(signal: AbortSignal | undefined): AsyncGenerator<GcsObject> {
    let pageToken: string | undefined
    do {
      const token = pageToken
      const [files, next] = await call(
        'list',
        signal,
        async () =>
          await bucket.getFiles({
            autoPaginate: false,
            maxResults: pageSize,
            ...(token === undefined ? {} : { pageToken: token })
          })
      )
      for (const file of files) yield toGcsObject(file.metadata)
      pageToken = (next as { pageToken?: string } | null)?.pageToken
    } while (pageToken !== undefined)
  }

  return {
    find: async (key, signal) => {
      try {
        const [metadata] = await call('metadata', signal, async () => await bucket.file(key).getMetadata())
        return toGcsObject(metadata)
      } catch (error) {
        if (isStatus(error, 404)) return null
        throw error
      }
    },
    remove: async (key, { generation, signal }) => {
      let attempts = 0
      try {
        await call('delete', signal, async (attempt) => {
          attempts = attempt + 1
          return await bucket
            .file(key)
            .delete(generation === undefined ? {} : { ifGenerationMatch: generation })
        })
        return true
      } catch (error) {
        // After an attempt whose reply was lost, "not found" probably means that we deleted it.
        if (isStatus(error, 404)) return attempts > 1
        if (isStatus(error, 412)) return false
        throw error
      }
    },
    list
  }
}

export function toGcsObject(metadata: FileMetadata): GcsObject {
  const writeId = metadata.metadata?.[WRITE_ID]
  // Servers based on protocol buffers omit zero values.
  const sizeBytes = Number(metadata.size ?? 0)
  const updatedAt = new Date(metadata.updated ?? metadata.timeCreated ?? Number.NaN)
  // An object with a wrong, old date would be swept while it is written.
  const hasNumbers = Number.isSafeInteger(sizeBytes) && !Number.isNaN(updatedAt.getTime())
  if (metadata.name === undefined || metadata.generation === undefined || !hasNumbers) {
    throw new StorageFailure('an object came without its name, generation, size or time')
  }
  return {
    key: metadata.name,
    sizeBytes,
    generation: String(metadata.generation),
    crc32c: metadata.crc32c ?? '',
    updatedAt,
    writeId: typeof writeId === 'string' ? writeId : undefined
  }
}

/** `code` of the library's errors is a status, a string such as ECONNRESET, or missing. */
function fromLibrary(doing: string, error: unknown): StorageFailure {
  const status = Number((error as { code?: unknown } | null)?.code)
  const message = error instanceof Error ? error.message : String(error)
  return new StorageFailure(`${doing} failed: ${message.slice(0, 200)}`, {
    cause: error,
    status: Number.isInteger(status) ? status : undefined
  })
}
