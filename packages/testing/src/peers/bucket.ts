import { randomUUID } from 'node:crypto'
import { startAzuriteServer } from './azurite-server.js'
import { startGcsServer } from './gcs-server.js'
import { startSwiftServer } from './swift-server.js'

export interface Bucket {
  /** The settings that choose it. */
  settings: Record<string, string>
  stop: () => Promise<unknown>
}

/** An empty bucket on a server of its own: OpenStack Swift, Azurite, or the part of Google's API that we have. */
export const buckets = {
  s3: async (): Promise<Bucket> => {
    const { endpoint, credentials, createBucket, stop } = await startSwiftServer()
    const name = `filewright-${randomUUID()}`
    await createBucket(name)
    const settings = {
      S3_BUCKET: name,
      S3_ENDPOINT: endpoint,
      S3_ALLOW_HTTP: 'true',
      S3_ACCESS_KEY_ID: credentials.accessKeyId,
      S3_SECRET_ACCESS_KEY: credentials.secretAccessKey
    }
    return { settings, stop }
  },
  azure: async (): Promise<Bucket> => {
    const { endpoint, account, accountKey, createContainer, stop } = await startAzuriteServer()
    const name = `filewright-${randomUUID()}`
    await createContainer(name)
    const settings = {
      AZURE_CONTAINER: name,
      AZURE_ACCOUNT: account,
      AZURE_ACCOUNT_KEY: accountKey,
      AZURE_ENDPOINT: endpoint,
      AZURE_ALLOW_HTTP: 'true'
    }
    return { settings, stop }
  },
  gcs: async (): Promise<Bucket> => {
    const { endpoint, bucket, close } = await startGcsServer()
    const settings = { GCS_BUCKET: bucket, GCS_API_ENDPOINT: endpoint, GCS_ANONYMOUS: 'true' }
    return { settings, stop: close }
  }
}

/** FILEWRIGHT_TEST_STORE=s3, azure or gcs: the stacks of a run keep their files in buckets. */
export async function chosenBucket(): Promise<Bucket | undefined> {
  const chosen = process.env['FILEWRIGHT_TEST_STORE']
  if (chosen === undefined || chosen === '') return undefined
  if (!Object.hasOwn(buckets, chosen)) {
    throw new Error(`FILEWRIGHT_TEST_STORE must be ${Object.keys(buckets).join(' or ')}`)
  }
  return await buckets[chosen as keyof typeof buckets]()
}
