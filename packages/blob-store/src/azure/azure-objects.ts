import type { Logger } from '@filewright/runtime'
import type { RemoteObject } from '../remote/remote-blob-store.js'
import { withRetries, type RetryPolicy } from '../remote/retry.js'
import { isStatus, StorageFailure } from '../remote/storage-failure.js'
import type { AzureApi, Container } from './azure-client.js'

export interface AzureObject extends Omit<RemoteObject, 'key'> {
  etag: string
  /** The write that created it; absent on objects that are not ours. */
  writeId: string | undefined
  /** Of the whole content, in base64, if the server has one. */
  md5: string | undefined
}

/** Metadata of every blob that we write. Azure allows no hyphen in its name. */
export const WRITE_ID = 'filewright_write'

export interface AzureObjectsDeps {
  api: AzureApi
  policy: RetryPolicy
  requestTimeoutMs: number
  logger?: Logger | undefined
  /** Objects per page of a listing; Azure returns at most 5,000. */
  pageSize: number
}

export interface AzureObjects {
  find: (key: string, signal?: AbortSignal) => Promise<AzureObject | null>
  /** False when it did not exist or, with an ETag, when another one does. */
  remove: (key: string, options: { etag?: string; signal?: AbortSignal | undefined }) => Promise<boolean>
  list: (signal?: AbortSignal) => AsyncIterable<RemoteObject>
}

/** Any other 404 is a missing container, or a proxy's error page. */
export function isMissingBlob(error: unknown): boolean {
  return error instanceof StorageFailure && error.status === 404 && error.code === 'BlobNotFound'
}

export function createAzureObjects(deps: AzureObjectsDeps): AzureObjects {
  const { api, policy, requestTimeoutMs, logger, pageSize } = deps

  async function call<T>(
    doing: string,
    signal: AbortSignal | undefined,
    work: (container: Container, abortSignal: AbortSignal, attempt: number) => Promise<T>
  ): Promise<T> {
    return await withRetries(
      async ({ attempt, leftMs }) => {
        const limits = { doing, signal, timeoutMs: Math.min(requestTimeoutMs, leftMs) }
        return await api.call(
          async (container, abortSignal) => await work(container, abortSignal, attempt),
          limits
        )
      },
      { policy, signal, logger, doing }
    )
  }

  async function* list(signal: AbortSignal | undefined): AsyncGenerator<RemoteObject> {
    let continuationToken: string | undefined
    do {
      const token = continuationToken
      const page = await call('list', signal, async (container, abortSignal) => {
        const pages = container
          .listBlobsFlat({ abortSignal })
          .byPage({ maxPageSize: pageSize, ...(token === undefined ? {} : { continuationToken: token }) })
        const { value } = await pages.next()
        const { blobItems } = (value as ListPage | undefined)?.segment ?? {}
        if (blobItems === undefined) throw new StorageFailure('a listing came without its list')
        return { objects: blobItems.map(listedObject), next: (value as ListPage).continuationToken }
      })
      yield* page.objects
      continuationToken = page.next === '' ? undefined : page.next
    } while (continuationToken !== undefined)
  }

  return {
    find: async (key, signal) => {
      try {
        return await call('metadata', signal, async (container, abortSignal) =>
          foundObject(await container.getBlobClient(key).getProperties({ abortSignal }))
        )
      } catch (error) {
        if (isMissingBlob(error)) return null
        throw error
      }
    },
    remove: async (key, { etag, signal }) => {
      let attempts = 0
      try {
        await call('delete', signal, async (container, abortSignal, attempt) => {
          attempts = attempt + 1
          const conditions = etag === undefined ? {} : { ifMatch: etag }
          await container.getBlobClient(key).delete({ abortSignal, conditions, deleteSnapshots: 'include' })
        })
        return true
      } catch (error) {
        // After an attempt whose reply was lost, "not found" probably means that we deleted it.
        if (isMissingBlob(error)) return attempts > 1
        if (isStatus(error, 412)) return false
        throw error
      }
    },
    list
  }
}

interface ListPage {
  segment?: { blobItems?: ListItem[] }
  continuationToken?: string
}

interface ListItem {
  name?: string
  properties?: { contentLength?: number; lastModified?: Date }
}

function listedObject({ name, properties = {} }: ListItem): RemoteObject {
  if (typeof name !== 'string') throw new StorageFailure('a blob came without its name')
  return { key: name, ...sizeAndTimeOf(properties) }
}

function foundObject(found: {
  contentLength?: number
  lastModified?: Date
  etag?: string
  contentMD5?: Uint8Array
  metadata?: Record<string, string>
}): AzureObject {
  const { etag, contentMD5, metadata = {} } = found
  if (etag === undefined) throw new StorageFailure('a blob came without its ETag')
  return {
    ...sizeAndTimeOf(found),
    etag,
    writeId: metadata[WRITE_ID],
    md5: contentMD5 === undefined ? undefined : Buffer.from(contentMD5).toString('base64')
  }
}

/** A blob with a wrong, old date would be swept while it is written. */
function sizeAndTimeOf({
  contentLength = Number.NaN,
  lastModified
}: {
  contentLength?: number
  lastModified?: Date
}): {
  sizeBytes: number
  updatedAt: Date
} {
  if (
    !Number.isSafeInteger(contentLength) ||
    !(lastModified instanceof Date) ||
    Number.isNaN(+lastModified)
  ) {
    throw new StorageFailure('a blob came without its size or time')
  }
  return { sizeBytes: contentLength, updatedAt: lastModified }
}
