import type { Logger } from '@filewright/runtime'
import { throwIfAborted } from '../abort.js'
import { isKey, parseKey } from '../blob-key.js'
import type { BlobEntry, BlobStat, BlobStore } from '../blob-store.js'
import { probeStore } from '../probe.js'
import { readerOf } from '../reader.js'
import { checkRange } from '../range.js'
import { withSource } from '../source.js'
import { createStoreSecret, MARKER, SECRET } from '../store-notes.js'
import { createGcsClient } from './gcs-client.js'
import { download, type MediaRequest } from '../remote/download.js'
import { asAppErrors, toAppError } from '../remote/storage-failure.js'
import { createGcsHttp } from './gcs-http.js'
import { openMedia } from './gcs-media.js'
import { createGcsNote } from './gcs-note.js'
import { createGcsObjects, type GcsObject } from './gcs-objects.js'
import { DEFAULT_PART_BUDGET_MS, DEFAULT_PART_TIMEOUT_MS, upload } from './gcs-upload.js'
import { defaultRetryPolicy, type RetryPolicy } from '../remote/retry.js'
import { createUploadRequests } from './upload-requests.js'

export interface GcsBlobStoreOptions {
  bucket: string
  projectId?: string | undefined
  /** The endpoint of Google's JSON API, if not Google's public one. */
  apiEndpoint?: string | undefined
  /** Sends no credentials; only for another `apiEndpoint`. Default false: application default credentials. */
  anonymous?: boolean | undefined
  /**
   * A multiple of 256 KiB. Each running upload holds one part, and its copy while it is sent. Default 1 MiB:
   * 100 uploads in 200 MiB.
   */
  partSizeBytes?: number | undefined
  /** For each attempt of a call that moves no bytes, and for the headers of a download. Default 10 s. */
  requestTimeoutMs?: number | undefined
  /** For the first attempt of a part; doubled after each timeout. Default 10 s: a part at 1 Mbit/s. */
  partTimeoutMs?: number | undefined
  /** For all attempts of one part. Default 60 s. */
  partBudgetMs?: number | undefined
  /** A download without a byte for this long continues on another connection. Default 5 s. */
  idleTimeoutMs?: number | undefined
  /** For undoing a failed write. Default 3 s. */
  cleanupTimeoutMs?: number | undefined
  retry?: Partial<RetryPolicy> | undefined
  logger?: Logger | undefined
  /** Objects per page of a listing. Default 1,000, Google's maximum. */
  listPageSize?: number | undefined
}

export function createGcsBlobStore(options: GcsBlobStoreOptions): BlobStore {
  const { logger, requestTimeoutMs = 10_000, idleTimeoutMs = 5_000 } = options
  const policy: RetryPolicy = { ...defaultRetryPolicy, ...options.retry }
  const { endpoint, bucket, authorize } = createGcsClient({ ...options, requestTimeoutMs })
  const bucketPath = `storage/v1/b/${encodeURIComponent(options.bucket)}/o`
  const http = createGcsHttp({ authorize })
  const objects = createGcsObjects({ bucket, policy, logger, pageSize: options.listPageSize ?? 1_000 })
  const urlOf = (key: string): URL => new URL(`${endpoint}/${bucketPath}/${encodeURIComponent(key)}`)
  const media = { http, urlOf, logger, requestTimeoutMs }
  const downloads = {
    policy,
    logger,
    idleTimeoutMs,
    open: async (key: string, request: MediaRequest) => await openMedia(media, key, request)
  }
  const uploads = {
    requests: createUploadRequests(http, new URL(`${endpoint}/upload/${bucketPath}`)),
    objects,
    policy,
    logger,
    requestTimeoutMs,
    partSizeBytes: options.partSizeBytes ?? 1024 * 1024,
    partTimeoutMs: options.partTimeoutMs ?? DEFAULT_PART_TIMEOUT_MS,
    partBudgetMs: options.partBudgetMs ?? DEFAULT_PART_BUDGET_MS,
    cleanupTimeoutMs: options.cleanupTimeoutMs ?? 3_000
  }
  const notes = {
    http,
    policy,
    logger,
    requestTimeoutMs,
    objectUrl: urlOf,
    uploadUrl: () => new URL(`${endpoint}/upload/${bucketPath}`)
  }

  async function* list(signal: AbortSignal | undefined): AsyncGenerator<BlobEntry> {
    try {
      for await (const object of objects.list(signal)) {
        throwIfAborted(signal)
        // A bucket may contain other objects; they are not reported and never swept.
        if (isKey(object.name)) yield { key: object.name, ...statOf(object) }
      }
    } catch (error) {
      throw toAppError(error)
    }
  }

  const store: BlobStore = {
    write: async (key, source, writeOptions = {}) =>
      await withSource(source, writeOptions, async (chunks) => {
        parseKey(key)
        return await upload(uploads, key, chunks, writeOptions.signal)
      }),
    read: async (key, readOptions = {}) => {
      parseKey(key)
      checkRange(readOptions.range)
      return await download(downloads, key, readOptions)
    },
    open: async (key, readOptions) => readerOf(await store.read(key, readOptions)),
    stat: async (key, { signal } = {}) => {
      parseKey(key)
      const found = await asAppErrors(objects.find(key, signal))
      return found === null ? null : statOf(found)
    },
    remove: async (key, { signal } = {}) => {
      parseKey(key)
      return await asAppErrors(objects.remove(key, { signal }))
    },
    list: ({ signal } = {}) => list(signal),
    // An unfinished session is not an object, and Google drops it after a week.
    sweepTemporary: async () => 0,
    probe: async (signal) => {
      await probeStore(store, signal)
    },
    marker: createGcsNote(notes, MARKER),
    secret: createStoreSecret(createGcsNote(notes, SECRET)),
    // Connections belong to the process and close when idle; every running call has its own deadline.
    close: async () => {}
  }
  return store
}

function statOf({ sizeBytes, updatedAt }: GcsObject): BlobStat {
  return { sizeBytes, modifiedAt: updatedAt }
}
