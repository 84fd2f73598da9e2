import type { AddressOptions } from '../blob-store.js'
import { createAzureApi, type AzureApi, type AzureClientOptions } from './azure-client.js'

export interface AzureAddressOptions extends AzureClientOptions {
  /** Where clients reach the storage account, if not at `endpoint`. */
  publicEndpoint?: string | undefined
  requestTimeoutMs: number
}

/** Addresses with a shared access signature, which only the account key can sign. No request is sent. */
export function createAzureAddresses(
  api: AzureApi,
  options: AzureAddressOptions
): (key: string, options: AddressOptions) => Promise<string> {
  const { endpoint, publicEndpoint = endpoint, requestTimeoutMs } = options
  const signing = publicEndpoint === endpoint ? api : createAzureApi({ ...options, endpoint: publicEndpoint })
  return async (key, { signal, seconds, contentType, contentDisposition, cacheControl }) =>
    await signing.call(
      async (container, _signal, sdk) =>
        await container.getBlobClient(key).generateSasUrl({
          permissions: sdk.BlobSASPermissions.parse('r'),
          expiresOn: new Date(Date.now() + seconds * 1_000),
          protocol: publicEndpoint.startsWith('https:')
            ? sdk.SASProtocol.Https
            : sdk.SASProtocol.HttpsAndHttp,
          contentType,
          contentDisposition,
          cacheControl
        }),
      { doing: 'address', signal, timeoutMs: requestTimeoutMs }
    )
}
