export type {
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
export { blobKeyOf } from './blob-key.js'
export {
  blobStoreConfig,
  createBlobStore,
  createBlobStoreFrom,
  describeBlobStore,
  type BlobStoreConfig,
  type BlobStoreOptions
} from './create-blob-store.js'
export { readInto } from './reader.js'
export { gcsConfig, problemOfGcs } from './gcs/gcs-config.js'
export { createGcsBlobStore, type GcsBlobStoreOptions } from './gcs/gcs-blob-store.js'
export type { RetryPolicy } from './gcs/retry.js'
export { createLocalBlobStore, type LocalBlobStoreOptions } from './local/local-blob-store.js'
export type { LocalFileSystem } from './local/local-file-system.js'
