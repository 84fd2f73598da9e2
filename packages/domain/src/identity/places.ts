import { resolve } from 'node:path'
import { bucketProviderOf, describeBlobStore, type BlobStoreConfig } from '@filewright/blob-store'
import type { StoreSet } from '../stores/store-set.js'

/** How an operator recognizes the two. Never contains a user name or a password. */
export interface Places {
  store: string
  database: string
}

export function placesOf(config: BlobStoreConfig, databaseUrl: string): Places {
  return { store: storeName(config), database: databaseName(databaseUrl) }
}

/** The same for the store that is the current one at the time of the question. */
export function currentPlaces(set: Pick<StoreSet, 'last'>, databaseUrl: string): Places {
  return {
    get store() {
      return set.last().current.name
    },
    database: databaseName(databaseUrl)
  }
}

export function storeName(config: BlobStoreConfig): string {
  const { BLOB_DIR: folder, GCS_BUCKET: bucket, GCS_API_ENDPOINT: endpoint } = config
  if (bucket !== undefined) return `bucket ${bucket}${endpoint === undefined ? '' : ` at ${endpoint}`}`
  if (bucketProviderOf(config) !== undefined) return describeBlobStore(config)
  return folder === undefined ? 'no folder' : `folder ${resolve(folder)}`
}

function databaseName(url: string): string {
  if (!URL.canParse(url)) return 'an address that cannot be read'
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}
