import { Type, type Static, type TObject } from '@filewright/schema'
import { AppError, type Logger } from '@filewright/runtime'
import type { BlobStore } from './blob-store.js'
import { createGcsBlobStore, type GcsBlobStoreOptions } from './gcs/gcs-blob-store.js'
import { gcsConfig, gcsPlaceOf, problemOfGcs } from './gcs/gcs-config.js'
import { createLocalBlobStore, type LocalBlobStoreOptions } from './local/local-blob-store.js'
import { createS3BlobStore, type S3BlobStoreOptions } from './s3/s3-blob-store.js'
import { problemOfS3, s3Config, s3OptionsOf, s3PlaceOf } from './s3/s3-config.js'

export type BlobStoreOptions =
  | ({ driver: 'local' } & LocalBlobStoreOptions)
  | ({ driver: 'gcs' } & GcsBlobStoreOptions)
  | ({ driver: 's3' } & S3BlobStoreOptions)

export function createBlobStore(options: BlobStoreOptions): BlobStore {
  switch (options.driver) {
    case 'local':
      return createLocalBlobStore(options)
    case 'gcs':
      return createGcsBlobStore(options)
    case 's3':
      return createS3BlobStore(options)
  }
}

/** Settings of a bucket, wherever it is. */
export const bucketConfig = { ...gcsConfig, ...s3Config }

/** Settings of every app that uses blobs. */
export const blobStoreConfig = {
  BLOB_DIR: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'Folder that holds the blobs; needed unless GCS_BUCKET or S3_BUCKET is set'
    })
  ),
  ...bucketConfig
}

export type BlobStoreConfig = Static<TObject<typeof blobStoreConfig>>
export type BucketConfig = Partial<Static<TObject<typeof bucketConfig>>>

/** What is wrong with the combination of settings, or null. */
export function problemOfBucket(config: BucketConfig): string | null {
  if (config.GCS_BUCKET !== undefined && config.S3_BUCKET !== undefined) {
    return 'GCS_BUCKET and S3_BUCKET are both set: files are in one store, so unset one of them'
  }
  return problemOfS3(config) ?? (config.GCS_BUCKET === undefined ? null : problemOfGcs(config))
}

export function createBlobStoreFrom(
  config: BlobStoreConfig,
  { logger }: { logger?: Logger } = {}
): BlobStore {
  const { GCS_BUCKET: bucket, GCS_API_ENDPOINT: apiEndpoint, GCS_ANONYMOUS: anonymous } = config
  const problem = problemOfBucket(config)
  if (problem !== null) throw new AppError('CONFIG_INVALID', `Invalid configuration: ${problem}`)
  if (config.S3_BUCKET !== undefined) {
    return createBlobStore({ driver: 's3', bucket: config.S3_BUCKET, ...s3OptionsOf(config), logger })
  }
  if (bucket !== undefined) return createBlobStore({ driver: 'gcs', bucket, apiEndpoint, anonymous, logger })
  if (config.BLOB_DIR !== undefined) return createBlobStore({ driver: 'local', root: config.BLOB_DIR })
  throw new AppError(
    'CONFIG_INVALID',
    'Invalid configuration: BLOB_DIR is required unless GCS_BUCKET or S3_BUCKET is set'
  )
}

/** True when blobs are not in a folder of this machine. */
export function hasBucket(config: BucketConfig): boolean {
  return config.GCS_BUCKET !== undefined || config.S3_BUCKET !== undefined
}

/** A human-readable name of the configured store. */
export function describeBlobStore(config: Partial<BlobStoreConfig>): string {
  if (config.S3_BUCKET !== undefined) return s3PlaceOf(config)
  return config.GCS_BUCKET === undefined ? `folder ${config.BLOB_DIR ?? '(none)'}` : gcsPlaceOf(config)
}
