import type { AddressOptions } from '../blob-store.js'
import { createS3Api, type S3Api, type S3ClientOptions } from './s3-client.js'

export interface S3AddressOptions extends S3ClientOptions {
  bucket: string
  /** Where clients reach the server, if not at `endpoint`. The signature includes the host. */
  publicEndpoint?: string | undefined
  /** For finding the credentials. */
  requestTimeoutMs: number
}

export interface S3Addresses {
  addressOf: (key: string, options: AddressOptions) => Promise<string>
  close: () => void
}

/** Presigned addresses. Signing needs no request to the server. */
export function createS3Addresses(api: S3Api, options: S3AddressOptions): S3Addresses {
  const { bucket, publicEndpoint, requestTimeoutMs } = options
  const ownApi = publicEndpoint === undefined ? null : createS3Api({ ...options, endpoint: publicEndpoint })
  return {
    addressOf: async (key, { signal, seconds, contentType, contentDisposition, cacheControl }) =>
      await (ownApi ?? api).call(
        async ({ s3, sdk }) => {
          const command = new sdk.GetObjectCommand({
            Bucket: bucket,
            Key: key,
            ResponseContentType: contentType,
            ResponseContentDisposition: contentDisposition,
            ResponseCacheControl: cacheControl
          })
          // The SDK has learned the difference to the server's clock, and the presigner does not ask for it.
          const signingDate = new Date(Date.now() + s3.config.systemClockOffset)
          return await sdk.getSignedUrl(s3, command, { expiresIn: seconds, signingDate })
        },
        { doing: 'address', signal, timeoutMs: requestTimeoutMs }
      ),
    close: () => {
      ownApi?.close()
    }
  }
}
