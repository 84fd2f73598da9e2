import { createRequire } from 'node:module'
import type * as GoogleStorage from '@google-cloud/storage'

export interface GcsClientOptions {
  bucket: string
  projectId?: string | undefined
  apiEndpoint?: string | undefined
  anonymous?: boolean | undefined
  requestTimeoutMs: number
}

export interface GcsClient {
  /** Without a slash at its end. */
  endpoint: string
  bucket: GoogleStorage.Bucket
  /** Headers that carry the access token, or none. */
  authorize: () => Promise<Record<string, string>>
}

export const GOOGLE_ENDPOINT = 'https://storage.googleapis.com'

/** At first use: it takes a second to load, which processes that keep their blobs on a disk need not pay. */
function loadSdk(): typeof GoogleStorage {
  return createRequire(import.meta.url)('@google-cloud/storage') as typeof GoogleStorage
}

/** The client library, kept to one endpoint. */
export function createGcsClient(options: GcsClientOptions): GcsClient {
  const { bucket, projectId, apiEndpoint = GOOGLE_ENDPOINT, anonymous = false, requestTimeoutMs } = options
  const endpoint = apiEndpoint.replace(/\/+$/, '')
  const { Storage } = loadSdk()
  const storage = new Storage({
    apiEndpoint: endpoint,
    useAuthWithCustomEndpoint: !anonymous,
    timeout: requestTimeoutMs,
    retryOptions: { autoRetry: false },
    ...(projectId === undefined ? {} : { projectId })
  })
  // Here the library lets STORAGE_EMULATOR_HOST win over `apiEndpoint`: it would send metadata calls,
  // listings and deletes, each with the access token, to whatever host that names.
  storage.baseUrl = `${endpoint}/storage/v1`
  return {
    endpoint,
    bucket: storage.bucket(bucket),
    authorize: async () => (anonymous ? {} : await storage.authClient.getRequestHeaders())
  }
}
