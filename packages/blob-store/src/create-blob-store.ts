import { Type, type Static, type TObject } from 'typebox'
import { AppError, type Logger } from '@filewright/runtime'
import type { BlobStore } from './blob-store.js'
import { createLocalBlobStore } from './local/local-blob-store.js'

/** Environment of every app that touches blobs. */
export const blobStoreConfig = {
  BLOB_DIR: Type.Optional(Type.String({ minLength: 1, description: 'Folder that holds the blobs; needed unless GCS_BUCKET is set' })),
  GCS_BUCKET: Type.Optional(Type.String({ minLength: 3, description: 'Google Cloud Storage bucket that holds the blobs; wins over BLOB_DIR' })),
  GCS_API_ENDPOINT: Type.Optional(Type.String({
    pattern: '^https?://', description: 'Address of a storage server other than Google\'s, spoken to without credentials'
  }))
}

export type BlobStoreConfig = Static<TObject<typeof blobStoreConfig>>

export async function createBlobStoreFrom (config: BlobStoreConfig, { logger }: { logger?: Logger } = {}): Promise<BlobStore> {
  if (config.GCS_BUCKET !== undefined) {
    // Only for those who use it: Google's library takes as long to load as the rest of an app.
    const { createGcsBlobStore } = await import('./gcs/gcs-blob-store.js')
    return createGcsBlobStore({ bucket: config.GCS_BUCKET, apiEndpoint: config.GCS_API_ENDPOINT, logger })
  }
  if (config.BLOB_DIR !== undefined) return createLocalBlobStore({ root: config.BLOB_DIR })
  throw new AppError('CONFIG_INVALID', 'Invalid configuration: BLOB_DIR is required unless GCS_BUCKET is set')
}
