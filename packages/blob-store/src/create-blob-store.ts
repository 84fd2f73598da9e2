import { Type, type Static, type TObject } from '@filewright/schema'
import { AppError, type Logger } from '@filewright/runtime'
import type { BlobStore } from './blob-store.js'
import { createGcsBlobStore, type GcsBlobStoreOptions } from './gcs/gcs-blob-store.js'
import { gcsConfig, gcsPlaceOf, problemOfGcs } from './gcs/gcs-config.js'
import { createLocalBlobStore, type LocalBlobStoreOptions } from './local/local-blob-store.js'

export type BlobStoreOptions =
  | ({ driver: 'local' } & LocalBlobStoreOptions)
  | ({ driver: 'gcs' } & GcsBlobStoreOptions)

export function createBlobStore(options: BlobStoreOptions): BlobStore {
  return options.driver === 'gcs' ? createGcsBlobStore(options) : createLocalBlobStore(options)
}

/** Settings of every app that uses blobs. */
export const blobStoreConfig = {
  BLOB_DIR: Type.Optional(
    Type.String({ minLength: 1, description: 'Folder that holds the blobs; needed unless GCS_BUCKET is set' })
  ),
  ...gcsConfig
}

export type BlobStoreConfig = Static<TObject<typeof blobStoreConfig>>

export function createBlobStoreFrom(
  config: BlobStoreConfig,
  { logger }: { logger?: Logger } = {}
): BlobStore {
  const { GCS_BUCKET: bucket, GCS_API_ENDPOINT: apiEndpoint, GCS_ANONYMOUS: anonymous } = config
  if (bucket !== undefined) {
    const problem = problemOfGcs(config)
    if (problem !== null) throw new AppError('CONFIG_INVALID', `Invalid configuration: ${problem}`)
    return createBlobStore({ driver: 'gcs', bucket, apiEndpoint, anonymous, logger })
  }
  if (config.BLOB_DIR !== undefined) return createBlobStore({ driver: 'local', root: config.BLOB_DIR })
  throw new AppError('CONFIG_INVALID', 'Invalid configuration: BLOB_DIR is required unless GCS_BUCKET is set')
}

/** A human-readable name of the configured store. */
export function describeBlobStore(config: BlobStoreConfig): string {
  return config.GCS_BUCKET === undefined ? `folder ${config.BLOB_DIR ?? '(none)'}` : gcsPlaceOf(config)
}
