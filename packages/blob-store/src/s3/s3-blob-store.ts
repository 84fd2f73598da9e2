import type { Logger } from '@filewright/runtime'
import { isKey } from '../blob-key.js'
import type { BlobStore } from '../blob-store.js'
import type { DownloadDeps, MediaRequest } from '../remote/download.js'
import { createRemoteBlobStore } from '../remote/remote-blob-store.js'
import { defaultRetryPolicy, type RetryPolicy } from '../remote/retry.js'
import { notFound, StorageFailure } from '../remote/storage-failure.js'
import { createKeyLocks } from './key-locks.js'
import { createS3Addresses } from './s3-address.js'
import { createS3Api, type S3ClientOptions } from './s3-client.js'
import { AMAZON_CONDITIONS, CONDITIONS, createS3Conditions } from './s3-conditions.js'
import { openS3Media } from './s3-media.js'
import { createS3Note } from './s3-note.js'
import { createS3Objects } from './s3-objects.js'
import { createS3Requests, type S3Encryption } from './s3-requests.js'
import { DEFAULT_PART_BUDGET_MS, DEFAULT_PART_TIMEOUT_MS, MIN_PART_BYTES, upload } from './s3-upload.js'

export interface S3BlobStoreOptions extends S3ClientOptions {
  bucket: string
  encryption?: S3Encryption | undefined
  /** Needs the permission s3:PutObjectTagging. Default false. */
  tags?: boolean | undefined
  /** For addresses: where clients reach the server, if not at `endpoint`. */
  publicEndpoint?: string | undefined
  /** Each running upload holds one part. Default 5 MiB, Amazon's minimum. */
  partSizeBytes?: number | undefined
  /** For each attempt of a call that moves no bytes, and for the headers of a download. Default 10 s. */
  requestTimeoutMs?: number | undefined
  /** For the first attempt of a part; doubled after each timeout. Default 20 s: a part at 2 Mbit/s. */
  partTimeoutMs?: number | undefined
  /** For all attempts of one part. Default 120 s. */
  partBudgetMs?: number | undefined
  /** A download without a byte for this long continues on another connection. Default 5 s. */
  idleTimeoutMs?: number | undefined
  /** For undoing a failed write. Default 3 s. */
  cleanupTimeoutMs?: number | undefined
  /** Without conditional writes, the pause before a new marker or secret is believed. Default 2 s. */
  settleMs?: number | undefined
  retry?: Partial<RetryPolicy> | undefined
  logger?: Logger | undefined
  /** Objects per page of a listing. Default 1,000, Amazon's maximum. */
  listPageSize?: number | undefined
}

export function createS3BlobStore(options: S3BlobStoreOptions): BlobStore {
  const { bucket, logger, requestTimeoutMs = 10_000, idleTimeoutMs = 5_000 } = options
  const policy: RetryPolicy = { ...defaultRetryPolicy, ...options.retry }
  const api = createS3Api(options)
  const locks = createKeyLocks()
  const common = { api, bucket, policy, requestTimeoutMs, logger }
  const objects = createS3Objects({ ...common, pageSize: options.listPageSize ?? 1_000 })
  const requests = createS3Requests({ api, bucket, encryption: options.encryption, hasTags: options.tags })
  const conditions =
    options.endpoint === undefined ? AMAZON_CONDITIONS : createS3Conditions({ ...common, requests, objects })
  const downloads: DownloadDeps = {
    policy,
    logger,
    idleTimeoutMs,
    open: async (key: string, request: MediaRequest) =>
      await openS3Media({ ...common, objects }, key, request),
    confirm: async (key, { sizeBytes, version }, signal) => {
      const found = await objects.find(key, signal)
      if (found === null) throw notFound()
      if (found.sizeBytes !== sizeBytes || found.etag !== version) {
        throw new StorageFailure(`the download of ${key} has another size than its metadata`)
      }
    }
  }
  const uploads = {
    ...common,
    objects,
    requests,
    conditions,
    locks,
    partSizeBytes: options.partSizeBytes ?? MIN_PART_BYTES,
    partTimeoutMs: options.partTimeoutMs ?? DEFAULT_PART_TIMEOUT_MS,
    partBudgetMs: options.partBudgetMs ?? DEFAULT_PART_BUDGET_MS,
    cleanupTimeoutMs: options.cleanupTimeoutMs ?? 3_000
  }
  const addresses = createS3Addresses(api, { ...options, requestTimeoutMs })
  const notes = { ...common, downloads, requests, conditions, locks, settleMs: options.settleMs ?? 2_000 }

  /** Ours by their keys: another program's uploads in the bucket are left alone. */
  async function sweepUploads(olderThan: Date): Promise<number> {
    let swept = 0
    for await (const { startedAt, ...left } of objects.uploads()) {
      if (startedAt >= olderThan || (!isKey(left.key) && left.key !== CONDITIONS)) continue
      await objects.abortUpload(left)
      swept++
    }
    return swept
  }

  return createRemoteBlobStore({
    objects,
    remove: async (key, signal) => {
      // A delete succeeds whether or not there was an object.
      if ((await objects.find(key, signal)) === null) return false
      await objects.remove(key, signal)
      return true
    },
    downloads,
    upload: async (key, chunks, options) => await upload(uploads, key, chunks, options),
    address: addresses.addressOf,
    sweepUploads,
    createNote: (name) => createS3Note(notes, name),
    close: async () => {
      api.close()
      addresses.close()
    }
  })
}
