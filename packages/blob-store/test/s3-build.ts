import type { Test } from 'tap'
import { createS3BlobStore, type BlobStore, type S3BlobStoreOptions } from '../src/index.js'
import { pattern } from './helpers.js'
import { startS3FaultProxy, type S3FaultProxy } from './s3-fault-proxy.js'
import { createS3TestBuckets, type S3TestBucket } from './s3-test-server.js'

export const QUICK: Partial<S3BlobStoreOptions> = {
  partSizeBytes: 256 * 1024,
  requestTimeoutMs: 20_000,
  partTimeoutMs: 20_000,
  idleTimeoutMs: 1_000,
  cleanupTimeoutMs: 20_000,
  settleMs: 10,
  retry: { attempts: 3, baseDelayMs: 1, maxDelayMs: 20 }
}

export const SMALL = Buffer.from('a small blob')
/** Two parts. */
export const LARGE = pattern(500_000)

export interface Built {
  proxy: S3FaultProxy
  /** Through the proxy. */
  store: BlobStore
  /** Another process, beside the proxy. */
  other: BlobStore
  place: S3TestBucket
}

/** @returns a function that makes a new bucket behind a new proxy, all on one server */
export function createBuilder(
  root: Test
): (t: Test, options?: Partial<S3BlobStoreOptions>) => Promise<Built> {
  const createBucket = createS3TestBuckets(root)
  return async (t, options = {}) => {
    const place = await createBucket()
    const proxy = await startS3FaultProxy(place)
    const store = createS3BlobStore({ ...place, ...QUICK, endpoint: proxy.endpoint, ...options })
    const other = createS3BlobStore({ ...place, ...QUICK })
    t.teardown(async () => {
      await store.close()
      await other.close()
      await proxy.close()
    })
    return { proxy, store, other, place }
  }
}

/** Unfinished multipart uploads of the bucket, counted by sweeping them. */
export async function leftovers(store: BlobStore): Promise<number> {
  return await store.sweepTemporary({ olderThan: new Date(Date.now() + 60_000) })
}
