import { access, statfs } from 'node:fs/promises'
import { Readable } from 'node:stream'
import {
  blobKeyOf,
  bucketProviderOf,
  createBlobStoreFrom,
  describeBlobStore,
  problemOfAddresses,
  type BlobStore,
  type BlobStoreConfig,
  type BucketProvider
} from '@filewright/blob-store'
import { createId, type Environment } from '@filewright/runtime'
import { storeConfigs } from '../configured-stores.js'
import {
  broken,
  ok,
  reasonOf,
  settingOf,
  skipped,
  warning,
  type Check,
  type CheckResult,
  type CheckStatus
} from './check.js'

const PROBE_MS = 10_000
const GIB = 1024 ** 3
/** Twenty uploads of the maximum size: below this, a busy minute may fill the disk. */
const LITTLE_BYTES = GIB
const LITTLE_SHARE = 0.1

/** During a move, of both stores. */
export const blobStoreCheck: Check = {
  name: 'blob store',
  run: async (env) => {
    try {
      const configs = storeConfigs(env)
      const results = await Promise.all(configs.map(tryStore))
      return (
        results.find(({ status }) => status === 'broken') ?? ok(results.map(({ found }) => found).join('; '))
      )
    } catch (error) {
      return broken(reasonOf(error), adviceFor(bucketOf(env)))
    }
  }
}

async function tryStore(config: BlobStoreConfig): Promise<CheckResult> {
  const store = describeBlobStore(config)
  const provider = bucketProviderOf(config)
  try {
    // The store would create the folder, and an unmounted disk would look like an empty one.
    const { BLOB_DIR: folder } = config
    if (provider === undefined && folder !== undefined) await access(folder)
    const blobs = createBlobStoreFrom(config)
    try {
      const signal = AbortSignal.timeout(PROBE_MS)
      await blobs.probe(signal)
      // Without it, every scan verdict is rejected and every upload gets 503.
      await blobs.secret.read({ signal })
    } finally {
      await blobs.close()
    }
    return ok(`${store} can be written and read`)
  } catch (error) {
    return broken(`${store}: ${reasonOf(error)}`, adviceFor(provider))
  }
}

function bucketOf(env: Environment): BucketProvider | undefined {
  return bucketProviderOf({
    GCS_BUCKET: settingOf(env, 'GCS_BUCKET'),
    S3_BUCKET: settingOf(env, 'S3_BUCKET'),
    AZURE_CONTAINER: settingOf(env, 'AZURE_CONTAINER')
  })
}

function adviceFor(provider: BucketProvider | undefined): string {
  switch (provider) {
    case 'gcs':
      return (
        'Check that the bucket exists, that GCS_API_ENDPOINT is right if set, and that the identity ' +
        'may read, write, list and delete objects.'
      )
    case 's3':
      return (
        'Check that the bucket exists, that S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are ' +
        'right, and that the identity has the permissions that docs/operations/storage.md lists.'
      )
    case 'azure':
      return (
        'Check that the container exists, that AZURE_ACCOUNT and AZURE_ENDPOINT are right, and that the key or ' +
        'signature is valid and has the permissions that docs/operations/storage.md lists.'
      )
    case undefined:
      return 'Check that BLOB_DIR is set, exists, is mounted and may be written to.'
  }
}

const SAMPLE = Buffer.from('doctor')

/** Follows an address as a client would. Whether clients reach the same name is not known here. */
export const addressesCheck: Check = {
  name: 'bucket addresses',
  run: async (env) => {
    if (settingOf(env, 'CDN_DIRECT') !== 'true') {
      return skipped('CDN_DIRECT is off: the gateway sends the bytes')
    }
    try {
      const [config, second] = storeConfigs(env)
      if (second !== undefined) return skipped('with settings SECOND_…, the gateway sends the bytes')
      const publicEndpoint = settingOf(env, 'CDN_DIRECT_ENDPOINT')
      const problem = problemOfAddresses(config, publicEndpoint)
      if (problem !== null) return broken(problem, 'Change the settings, or set CDN_DIRECT=false.')
      const blobs = createBlobStoreFrom(config, { publicEndpoint })
      try {
        return await tryAddress(blobs, AbortSignal.timeout(PROBE_MS))
      } finally {
        await blobs.close()
      }
    } catch (error) {
      return broken(
        reasonOf(error),
        'Check CDN_DIRECT_ENDPOINT, and that the credentials may sign addresses (docs/operations/storage.md).'
      )
    }
  }
}

async function tryAddress(blobs: BlobStore, signal: AbortSignal): Promise<CheckResult> {
  const key = blobKeyOf(createId())
  await blobs.write(key, Readable.from([SAMPLE]), { signal })
  try {
    const address = await blobs.address(key, {
      signal,
      seconds: 60,
      contentType: 'text/plain',
      contentDisposition: 'inline',
      cacheControl: 'no-store'
    })
    const { origin } = new URL(address ?? '')
    const reply = await fetch(address ?? '', { signal, redirect: 'error' })
    if (reply.ok && SAMPLE.equals(Buffer.from(await reply.arrayBuffer()))) {
      return ok(`files can be read at ${origin}`)
    }
    return broken(
      `${origin} answers ${reply.status} to an address that the gateway signed`,
      'Check CDN_DIRECT_ENDPOINT, the clock, and that no proxy changes the host name or the query.'
    )
  } finally {
    await blobs.remove(key)
  }
}

/** During a move, the fuller one of two disks. */
export const diskCheck: Check = {
  name: 'disk space',
  run: async (env) => {
    try {
      const folders = storeConfigs(env).flatMap((config) =>
        bucketProviderOf(config) === undefined && config.BLOB_DIR !== undefined ? [config.BLOB_DIR] : []
      )
      const results = await Promise.all(folders.map(diskOf))
      const first = (status: CheckStatus) => results.find((result) => result.status === status)
      return (
        first('broken') ??
        first('warning') ??
        results[0] ??
        skipped('blobs are not on a disk of this machine')
      )
    } catch (error) {
      return skipped(reasonOf(error))
    }
  }
}

async function diskOf(folder: string): Promise<CheckResult> {
  const { bavail, blocks, bsize } = await statfs(folder)
  const free = bavail * bsize
  const found = `${(free / GIB).toFixed(1)} GiB free of ${((blocks * bsize) / GIB).toFixed(1)}`
  if (free < LITTLE_BYTES) {
    return broken(found, 'Free space or move the blobs: without it uploads get 503.')
  }
  return bavail < blocks * LITTLE_SHARE ? warning(found, 'Plan for more space.') : ok(found)
}
