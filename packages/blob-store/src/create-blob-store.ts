import { resolve } from 'node:path'
import { Type, type Static, type TObject } from '@filewright/schema'
import { AppError, isAppError, loadConfig, setting, type Environment, type Logger } from '@filewright/runtime'
import { createAzureBlobStore, type AzureBlobStoreOptions } from './azure/azure-blob-store.js'
import { azureConfig, azureOptionsOf, azurePlaceOf, problemOfAzure } from './azure/azure-config.js'
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
  | ({ driver: 'azure' } & AzureBlobStoreOptions)

export function createBlobStore(options: BlobStoreOptions): BlobStore {
  switch (options.driver) {
    case 'local':
      return createLocalBlobStore(options)
    case 'gcs':
      return createGcsBlobStore(options)
    case 's3':
      return createS3BlobStore(options)
    case 'azure':
      return createAzureBlobStore(options)
  }
}

/** Settings of a bucket, wherever it is. */
export const bucketConfig = { ...gcsConfig, ...s3Config, ...azureConfig }

/** Settings of every app that uses blobs. */
export const blobStoreConfig = {
  BLOB_DIR: setting.optional(
    'Folder that holds the blobs; needed unless GCS_BUCKET, S3_BUCKET or AZURE_CONTAINER is set',
    { minLength: 1 }
  ),
  ...bucketConfig
}

export type BlobStoreConfig = Static<TObject<typeof blobStoreConfig>>
export type BucketConfig = Partial<Static<TObject<typeof bucketConfig>>>

export type BucketProvider = 'gcs' | 's3' | 'azure'

/** The setting that chooses each provider. */
const BUCKET_SETTINGS = { gcs: 'GCS_BUCKET', s3: 'S3_BUCKET', azure: 'AZURE_CONTAINER' } as const

type Choice = Partial<Record<(typeof BUCKET_SETTINGS)[BucketProvider], string | undefined>>

function providersOf(config: Choice): BucketProvider[] {
  const all = Object.keys(BUCKET_SETTINGS) as BucketProvider[]
  return all.filter((provider) => config[BUCKET_SETTINGS[provider]] !== undefined)
}

/** Undefined when blobs are in a folder of this machine. */
export function bucketProviderOf(config: Choice): BucketProvider | undefined {
  return providersOf(config)[0]
}

/** What is wrong with the combination of settings, or null. */
export function problemOfBucket(config: BucketConfig): string | null {
  const providers = providersOf(config)
  if (providers.length > 1) {
    const names = providers.map((provider) => BUCKET_SETTINGS[provider]).join(' and ')
    return `${names} are both set: files are in one store, so unset one of them`
  }
  return (
    problemOfS3(config) ??
    problemOfAzure(config) ??
    (config.GCS_BUCKET === undefined ? null : problemOfGcs(config))
  )
}

const SECOND = 'SECOND_'

/** The other store of a move: every setting of a store with the prefix SECOND_. Undefined without one. */
export function secondStoreConfig(env: Environment): BlobStoreConfig | undefined {
  const own = Object.entries(env).flatMap(([key, value]) =>
    key.startsWith(SECOND) && value !== undefined && value !== '' ? [[key.slice(SECOND.length), value]] : []
  )
  if (own.length === 0) return undefined
  try {
    const config = loadConfig<BlobStoreConfig>(
      Type.Object(blobStoreConfig),
      Object.fromEntries(own) as Environment
    )
    const problem = problemOfBucket(config)
    if (problem !== null) throw new AppError('CONFIG_INVALID', `Invalid configuration: ${problem}`)
    if (bucketProviderOf(config) !== undefined || config.BLOB_DIR !== undefined) return config
    throw new AppError('CONFIG_INVALID', 'Invalid configuration: no folder and no bucket is named')
  } catch (error) {
    if (!isAppError(error, 'CONFIG_INVALID')) throw error
    throw new AppError('CONFIG_INVALID', `${error.message} (in the settings that begin with ${SECOND})`)
  }
}

/** Why the configured store cannot sign addresses for clients, or null. */
export function problemOfAddresses(config: BlobStoreConfig, publicEndpoint?: string): string | null {
  switch (bucketProviderOf(config)) {
    case 's3':
      break
    case 'azure':
      if (config.AZURE_ACCOUNT_KEY !== undefined) break
      return 'CDN_DIRECT needs AZURE_ACCOUNT_KEY: an AZURE_SAS_TOKEN cannot sign addresses'
    case 'gcs':
      if (!config.GCS_ANONYMOUS) break
      return 'CDN_DIRECT cannot be used with GCS_ANONYMOUS: without credentials no address can be signed'
    case undefined:
      return 'CDN_DIRECT needs a bucket: files in BLOB_DIR have no addresses of their own'
  }
  if (publicEndpoint === undefined) return null
  const message = 'CDN_DIRECT_ENDPOINT must be an address without user name, password, query or fragment'
  if (!URL.canParse(publicEndpoint)) return message
  const { username, password, search, hash } = new URL(publicEndpoint)
  return username === '' && password === '' && search === '' && hash === '' ? null : message
}

/** As an operator names the store to a command. */
export function addressOfStore(config: BlobStoreConfig): string {
  switch (bucketProviderOf(config)) {
    case 's3':
      return `s3://${config.S3_BUCKET ?? ''}`
    case 'azure':
      return `azure://${config.AZURE_CONTAINER ?? ''}`
    case 'gcs':
      return `gs://${config.GCS_BUCKET ?? ''}`
    case undefined:
      return resolve(config.BLOB_DIR ?? '')
  }
}

export function createBlobStoreFrom(
  config: BlobStoreConfig,
  { logger, publicEndpoint }: { logger?: Logger; publicEndpoint?: string | undefined } = {}
): BlobStore {
  const common = { logger, publicEndpoint }
  const problem = problemOfBucket(config)
  if (problem !== null) throw new AppError('CONFIG_INVALID', `Invalid configuration: ${problem}`)
  switch (bucketProviderOf(config)) {
    case 's3':
      return createBlobStore({
        driver: 's3',
        bucket: config.S3_BUCKET ?? '',
        ...s3OptionsOf(config),
        ...common
      })
    case 'azure':
      return createBlobStore({ driver: 'azure', ...azureOptionsOf(config), ...common })
    case 'gcs': {
      const { GCS_BUCKET: bucket = '', GCS_API_ENDPOINT: apiEndpoint, GCS_ANONYMOUS: anonymous } = config
      return createBlobStore({ driver: 'gcs', bucket, apiEndpoint, anonymous, ...common })
    }
    case undefined:
      if (config.BLOB_DIR !== undefined) return createBlobStore({ driver: 'local', root: config.BLOB_DIR })
      throw new AppError(
        'CONFIG_INVALID',
        'Invalid configuration: BLOB_DIR is required unless GCS_BUCKET, S3_BUCKET or AZURE_CONTAINER is set'
      )
  }
}

/** A human-readable name of the configured store. */
export function describeBlobStore(config: Partial<BlobStoreConfig>): string {
  switch (bucketProviderOf(config)) {
    case 's3':
      return s3PlaceOf(config)
    case 'azure':
      return azurePlaceOf(config)
    case 'gcs':
      return gcsPlaceOf(config)
    case undefined:
      return `folder ${config.BLOB_DIR ?? '(none)'}`
  }
}
