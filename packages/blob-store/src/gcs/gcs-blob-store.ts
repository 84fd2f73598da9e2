import type { Logger } from '@filewright/runtime'
import type { BlobStore } from '../blob-store.js'
import { createGcsAddresses } from './gcs-address.js'
import { createGcsClient } from './gcs-client.js'
import type { MediaRequest } from '../remote/download.js'
import { createRemoteBlobStore } from '../remote/remote-blob-store.js'
import { createGcsHttp } from './gcs-http.js'
import { openMedia } from './gcs-media.js'
import { createGcsNote } from './gcs-note.js'
import { createGcsObjects } from './gcs-objects.js'
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
  /** For addresses: where clients reach Google, if not at `apiEndpoint`. */
  publicEndpoint?: string | undefined
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

  return createRemoteBlobStore({
    objects,
    remove: async (key, signal) => await objects.remove(key, { signal }),
    downloads,
    upload: async (key, chunks, options) => await upload(uploads, key, chunks, options),
    address: createGcsAddresses({ ...options, requestTimeoutMs }),
    // An unfinished session is not an object, and Google drops it after a week.
    sweepUploads: async () => 0,
    createNote: (name) => createGcsNote(notes, name),
    // Connections belong to the process and close when idle; every running call has its own deadline.
    close: async () => {}
  })
}
