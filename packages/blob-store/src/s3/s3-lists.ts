import { StorageFailure, isStatus } from '../remote/storage-failure.js'
import type { S3Session } from './s3-client.js'

export interface S3Entry {
  key: string
  sizeBytes: number
  updatedAt: Date
}

export interface S3Upload {
  key: string
  uploadId: string
  startedAt: Date
}

export interface S3Lists {
  list: (signal?: AbortSignal) => AsyncIterable<S3Entry>
  /** Multipart uploads that were neither completed nor aborted. */
  uploads: (signal?: AbortSignal) => AsyncIterable<S3Upload>
  abortUpload: (upload: Pick<S3Upload, 'key' | 'uploadId'>, signal?: AbortSignal) => Promise<void>
}

export interface S3ListsDeps {
  /** With retries. */
  call: <T>(
    doing: string,
    signal: AbortSignal | undefined,
    work: (session: S3Session) => Promise<T>
  ) => Promise<T>
  bucket: string
  pageSize: number
}

/**
 * Page by page. A page that does not say whether more follow, or that repeats an earlier one, fails the
 * listing: reconcile takes what a listing lacks for lost.
 */
export function createS3Lists({ call, bucket, pageSize }: S3ListsDeps): S3Lists {
  async function* list(signal: AbortSignal | undefined): AsyncGenerator<S3Entry> {
    let token: string | undefined
    let last = Buffer.alloc(0)
    do {
      const from = token
      const page = await call('list', signal, async ({ s3, sdk, http }) => {
        const more = from === undefined ? {} : { ContinuationToken: from }
        const command = new sdk.ListObjectsV2Command({ Bucket: bucket, MaxKeys: pageSize, ...more })
        const { Contents: contents = [], KeyCount: count, ...reply } = await s3.send(command, http)
        if (count !== undefined && count !== contents.length) {
          throw new StorageFailure(`a listing announced ${count} objects and has ${contents.length}`)
        }
        return {
          entries: contents.map(toEntry),
          next: nextOf(reply.IsTruncated, reply.NextContinuationToken)
        }
      })
      for (const entry of page.entries) {
        const name = Buffer.from(entry.key)
        if (Buffer.compare(name, last) <= 0) throw new StorageFailure('a listing repeats itself')
        last = name
        yield entry
      }
      if (page.next !== undefined && page.next === token) throw new StorageFailure('a listing repeats itself')
      token = page.next
    } while (token !== undefined)
  }

  async function* uploads(signal: AbortSignal | undefined): AsyncGenerator<S3Upload> {
    let marker: Markers | undefined
    do {
      const from = marker
      const page = await call('list of uploads', signal, async ({ s3, sdk, http }) => {
        const command = new sdk.ListMultipartUploadsCommand({ Bucket: bucket, MaxUploads: pageSize, ...from })
        const { Uploads: found = [], ...reply } = await s3.send(command, http)
        const next = markersOf(reply.IsTruncated, reply.NextKeyMarker, reply.NextUploadIdMarker, found.at(-1))
        return { found, next }
      })
      for (const { Key: key, UploadId: uploadId, Initiated: startedAt } of page.found) {
        if (key !== undefined && uploadId !== undefined && startedAt !== undefined) {
          yield { key, uploadId, startedAt }
        }
      }
      const isRepeated = page.next !== undefined && JSON.stringify(page.next) === JSON.stringify(marker)
      if (isRepeated) throw new StorageFailure('a list of uploads repeats itself')
      marker = page.next
    } while (marker !== undefined)
  }

  return {
    list,
    uploads,
    abortUpload: async ({ key, uploadId }, signal) => {
      try {
        await call('abort of an upload', signal, async ({ s3, sdk, http }) => {
          const command = new sdk.AbortMultipartUploadCommand({
            Bucket: bucket,
            Key: key,
            UploadId: uploadId
          })
          await s3.send(command, http)
        })
      } catch (error) {
        // Completed or aborted meanwhile.
        if (!isStatus(error, 404)) throw error
      }
    }
  }
}

function nextOf(isTruncated: boolean | undefined, next: string | undefined): string | undefined {
  if (isTruncated === false) return undefined
  if (isTruncated === undefined || next === undefined) {
    throw new StorageFailure('a listing does not say whether more objects follow')
  }
  return next
}

interface Markers {
  KeyMarker: string
  UploadIdMarker?: string
}

/** Swift leaves the markers of the next page empty: the last upload of this page is as good. */
function markersOf(
  isTruncated: boolean | undefined,
  nextKey: string | undefined,
  nextId: string | undefined,
  last: { Key?: string | undefined; UploadId?: string | undefined } | undefined
): Markers | undefined {
  const [key, id] = nextKey === undefined || nextKey === '' ? [last?.Key, last?.UploadId] : [nextKey, nextId]
  const next = nextOf(isTruncated, key)
  if (next === undefined) return undefined
  return { KeyMarker: next, ...(id === undefined ? {} : { UploadIdMarker: id }) }
}

interface ListedObject {
  Key?: string | undefined
  Size?: number | undefined
  LastModified?: Date | undefined
}

function toEntry({ Key: key, Size: sizeBytes, LastModified: updatedAt }: ListedObject): S3Entry {
  // An object with a wrong, old date would be swept while it is written.
  const hasNumbers = Number.isSafeInteger(sizeBytes) && !Number.isNaN(updatedAt?.getTime() ?? Number.NaN)
  if (key === undefined || !hasNumbers) {
    throw new StorageFailure('a listed object lacks its key, size or time')
  }
  return { key, sizeBytes: sizeBytes!, updatedAt: updatedAt! }
}
