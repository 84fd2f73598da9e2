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
  /** Without a trailing slash. */
  endpoint: string
  bucket: GoogleStorage.Bucket
  /** Headers with the access token, or none. */
  authorize: () => Promise<Record<string, string>>
}

export const GOOGLE_ENDPOINT = 'https://storage.googleapis.com'

/** Loaded on first use: it takes a second to load, which processes with a local disk do not need. */
function loadSdk(): typeof GoogleStorage {
  return createRequire(import.meta.url)('@google-cloud/storage') as typeof GoogleStorage
}

/** The client library, restricted to one endpoint. */
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
  // The library lets STORAGE_EMULATOR_HOST override `apiEndpoint`: it would send metadata calls, listings and
  // deletes, with the access token, to that host.
  storage.baseUrl = `${endpoint}/storage/v1`
  return {
    endpoint,
    bucket: storage.bucket(bucket),
    authorize: async () => (anonymous ? {} : await storage.authClient.getRequestHeaders())
  }
}
