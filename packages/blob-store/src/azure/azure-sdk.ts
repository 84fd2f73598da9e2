// The only module that loads the SDK. Import it dynamically: processes with another store must not load it.
export {
  AnonymousCredential,
  BlobSASPermissions,
  ContainerClient,
  newPipeline,
  SASProtocol,
  StorageSharedKeyCredential
} from '@azure/storage-blob'
