import { resolve } from 'node:path'
import { bucketProviderOf, describeBlobStore, type BlobStoreConfig } from '@filewright/blob-store'

/** How an operator recognizes the two. Never contains a user name or a password. */
export interface Places {
  store: string
  database: string
}

export function storeName(config: BlobStoreConfig): string {
  const { BLOB_DIR: folder, GCS_BUCKET: bucket, GCS_API_ENDPOINT: endpoint } = config
  if (bucket !== undefined) return `bucket ${bucket}${endpoint === undefined ? '' : ` at ${endpoint}`}`
  if (bucketProviderOf(config) !== undefined) return describeBlobStore(config)
  return folder === undefined ? 'no folder' : `folder ${resolve(folder)}`
}

export function databaseName(url: string): string {
  if (!URL.canParse(url)) return 'an address that cannot be read'
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}
