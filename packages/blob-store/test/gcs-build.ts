import type { Test } from 'tap'
import { startGcsServer, type GcsServer } from '@filewright/testing'
import { createGcsBlobStore, type BlobStore, type GcsBlobStoreOptions } from '../src/index.js'
import { pattern } from './helpers.js'

export const QUICK: Partial<GcsBlobStoreOptions> = {
  anonymous: true,
  partSizeBytes: 256 * 1024,
  requestTimeoutMs: 1_000,
  partTimeoutMs: 1_000,
  idleTimeoutMs: 400,
  cleanupTimeoutMs: 2_000,
  retry: { attempts: 3, baseDelayMs: 1, maxDelayMs: 20 }
}

export const SMALL = Buffer.from('a small blob')
export const LARGE = pattern(900_000)

export async function build(
  t: Test,
  options: Partial<GcsBlobStoreOptions> = {}
): Promise<{ server: GcsServer; store: BlobStore }> {
  const server = await startGcsServer()
  t.teardown(async () => await server.close())
  const place = { bucket: server.bucket, apiEndpoint: server.endpoint }
  return { server, store: createGcsBlobStore({ ...place, ...QUICK, ...options }) }
}
