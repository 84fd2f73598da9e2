import type { Logger } from '@filewright/runtime'
import type { BlobStore } from '../blob-store.js'
import type { DownloadDeps } from '../remote/download.js'
import { createRemoteBlobStore } from '../remote/remote-blob-store.js'
import { defaultRetryPolicy, type RetryPolicy } from '../remote/retry.js'
import { createAzureAddresses } from './azure-address.js'
import { createAzureApi, type AzureClientOptions } from './azure-client.js'
import { openAzureMedia } from './azure-media.js'
import { createAzureNote } from './azure-note.js'
import { createAzureObjects } from './azure-objects.js'
import { upload } from './azure-upload.js'

export interface AzureBlobStoreOptions extends AzureClientOptions {
  /** For addresses: where clients reach the storage account, if not at `endpoint`. */
  publicEndpoint?: string | undefined
  /** A signature then needs the permission t. Default false. */
  tags?: boolean | undefined
  /** Each running upload holds one part. Default 1 MiB; Azure allows 50,000 parts. */
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
  /** Objects per page of a listing. Default 5,000, Azure's maximum. */
  listPageSize?: number | undefined
}

export function createAzureBlobStore(options: AzureBlobStoreOptions): BlobStore {
  const { logger, requestTimeoutMs = 10_000, idleTimeoutMs = 5_000 } = options
  const policy: RetryPolicy = { ...defaultRetryPolicy, ...options.retry }
  const common = { api: createAzureApi(options), policy, requestTimeoutMs, logger }
  const objects = createAzureObjects({ ...common, pageSize: options.listPageSize ?? 5_000 })
  const downloads: DownloadDeps = {
    policy,
    logger,
    idleTimeoutMs,
    open: async (key, request) => await openAzureMedia(common, key, request)
  }
  const uploads = {
    ...common,
    objects,
    hasTags: options.tags ?? false,
    partSizeBytes: options.partSizeBytes ?? 1024 * 1024,
    partTimeoutMs: options.partTimeoutMs ?? 10_000,
    partBudgetMs: options.partBudgetMs ?? 60_000,
    cleanupTimeoutMs: options.cleanupTimeoutMs ?? 3_000
  }
  return createRemoteBlobStore({
    objects,
    remove: async (key, signal) => await objects.remove(key, { signal }),
    downloads,
    upload: async (key, chunks, options) => await upload(uploads, key, chunks, options),
    address: createAzureAddresses(common.api, { ...options, requestTimeoutMs }),
    // Blocks that were never committed are not a blob, and Azure drops them after a week.
    sweepUploads: async () => 0,
    createNote: (name) => createAzureNote({ ...common, downloads }, name),
    // Idle connections do not keep the process alive; every running call has its own deadline.
    close: async () => {}
  })
}
