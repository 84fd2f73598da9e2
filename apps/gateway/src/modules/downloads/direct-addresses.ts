import type { BlobStore } from '@filewright/blob-store'
import type { ReadyFileRecord } from '@filewright/db'
import type { Logger } from '@filewright/runtime'
import { dispositionOf } from './disposition.js'

export interface DirectAddress {
  address: string
  /** For the redirect: half of the address's lifetime, so that a cached redirect leads somewhere. */
  maxAgeSeconds: number
}

export interface DirectAddresses {
  /** Where the bucket sends the file. Null if the gateway has to send it. */
  addressOf: (
    file: ReadyFileRecord,
    options: {
      disposition: 'inline' | 'attachment'
      contentType: string
      /** The lifetime of the public address; Infinity if it does not expire. */
      secondsLeft: number
      signal: AbortSignal
    }
  ) => Promise<DirectAddress | null>
}

export interface DirectAddressesDeps {
  blobs: Pick<BlobStore, 'address'>
  logger: Pick<Logger, 'warn'>
  /** The longest lifetime of an address. */
  seconds: number
}

export function createDirectAddresses({
  blobs,
  logger,
  seconds: most
}: DirectAddressesDeps): DirectAddresses {
  return {
    addressOf: async (file, { disposition, contentType, secondsLeft, signal }) => {
      const seconds = Math.min(most, Math.ceil(secondsLeft))
      try {
        const address = await blobs.address(file.blobKey, {
          signal,
          seconds,
          contentType,
          contentDisposition: dispositionOf(file.name, disposition),
          cacheControl: `private, max-age=${seconds}`
        })
        return address === null ? null : { address, maxAgeSeconds: Math.floor(seconds / 2) }
      } catch (error) {
        signal.throwIfAborted()
        // The bytes do not depend on a signature.
        logger.warn(
          { err: error, fileId: file.id },
          'no address of the bucket signed, sending the file itself'
        )
        return null
      }
    }
  }
}
