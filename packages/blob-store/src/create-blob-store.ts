import { Type, type Static, type TObject } from 'typebox'
import { AppError, type Logger } from '@filewright/runtime'
import type { BlobStore } from './blob-store.js'
import { createGcsBlobStore, type GcsBlobStoreOptions } from './gcs/gcs-blob-store.js'
import { createLocalBlobStore, type LocalBlobStoreOptions } from './local/local-blob-store.js'

export type BlobStoreOptions = ({ driver: 'local' } & LocalBlobStoreOptions) | ({ driver: 'gcs' } & GcsBlobStoreOptions)

export function createBlobStore (options: BlobStoreOptions): BlobStore {
  return options.driver === 'gcs' ? createGcsBlobStore(options) : createLocalBlobStore(options)
}

/** Environment of every app that touches blobs. */
export const blobStoreConfig = {
  BLOB_DIR: Type.Optional(Type.String({ minLength: 1, description: 'Folder that holds the blobs; needed unless GCS_BUCKET is set' })),
  GCS_BUCKET: Type.Optional(Type.String({ minLength: 3, description: 'Google Cloud Storage bucket that holds the blobs; wins over BLOB_DIR' })),
  GCS_API_ENDPOINT: Type.Optional(Type.String({
    pattern: '^https?://', description: 'Address of a storage server other than Google\'s, spoken to without credentials'
  }))
}

export type BlobStoreConfig = Static<TObject<typeof blobStoreConfig>>

export function createBlobStoreFrom (config: BlobStoreConfig, { logger }: { logger?: Logger } = {}): BlobStore {
  if (config.GCS_BUCKET !== undefined) {
    return createBlobStore({ driver: 'gcs', bucket: config.GCS_BUCKET, apiEndpoint: config.GCS_API_ENDPOINT, logger })
  }
  if (config.BLOB_DIR !== undefined) return createBlobStore({ driver: 'local', root: config.BLOB_DIR })
  throw new AppError('CONFIG_INVALID', 'Invalid configuration: BLOB_DIR is required unless GCS_BUCKET is set')
}
