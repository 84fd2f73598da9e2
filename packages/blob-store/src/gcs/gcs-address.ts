import type { AddressOptions } from '../blob-store.js'
import { StorageFailure } from '../remote/storage-failure.js'
import { timedCall } from '../remote/timed-call.js'
import { createGcsClient, type GcsClientOptions } from './gcs-client.js'

export interface GcsAddressOptions extends GcsClientOptions {
  /** Where clients reach Google, if not at `apiEndpoint`. The signature includes the host. */
  publicEndpoint?: string | undefined
}

/** Signed addresses (V4). With a service account's key no request is sent; otherwise Google's IAM signs. */
export function createGcsAddresses(
  options: GcsAddressOptions
): (key: string, options: AddressOptions) => Promise<string> {
  const { apiEndpoint, publicEndpoint = apiEndpoint, requestTimeoutMs } = options
  let client: ReturnType<typeof createGcsClient> | undefined
  return async (key, { signal, seconds, contentType, contentDisposition, cacheControl }) => {
    client ??= createGcsClient({ ...options, apiEndpoint: publicEndpoint })
    const file = client.bucket.file(key)
    return await timedCall(
      async () => {
        const [address] = await file.getSignedUrl({
          version: 'v4',
          action: 'read',
          expires: Date.now() + seconds * 1_000,
          responseType: contentType,
          responseDisposition: contentDisposition,
          queryParams: { 'response-cache-control': cacheControl }
        })
        return address
      },
      { doing: 'address', signal, timeoutMs: requestTimeoutMs },
      (error) => new StorageFailure(`an address was not signed: ${messageOf(error)}`, { cause: error })
    )
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
