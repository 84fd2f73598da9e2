export type {
  AddressOptions,
  BlobEntry,
  BlobReader,
  BlobSource,
  BlobStat,
  BlobStore,
  ByteRange,
  CallOptions,
  ReadOptions,
  StoreNote,
  StoreSecret,
  WriteOptions
} from './blob-store.js'
export { storageClasses, type Placement, type StorageClass } from './placement.js'
export { blobKeyOf } from './blob-key.js'
export {
  addressOfStore,
  blobStoreConfig,
  bucketProviderOf,
  bucketConfig,
  createBlobStore,
  createBlobStoreFrom,
  describeBlobStore,
  problemOfAddresses,
  problemOfBucket,
  secondStoreConfig,
  type BlobStoreConfig,
  type BucketConfig,
  type BucketProvider,
  type BlobStoreOptions
} from './create-blob-store.js'
export { createGcsBlobStore, type GcsBlobStoreOptions } from './gcs/gcs-blob-store.js'
export { createAzureBlobStore, type AzureBlobStoreOptions } from './azure/azure-blob-store.js'
export { createS3BlobStore, type S3BlobStoreOptions } from './s3/s3-blob-store.js'
export type { RetryPolicy } from './remote/retry.js'
export { createLocalBlobStore, type LocalBlobStoreOptions } from './local/local-blob-store.js'
export type { LocalFileSystem } from './local/local-file-system.js'
