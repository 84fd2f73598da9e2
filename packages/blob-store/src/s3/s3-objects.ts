import type { Logger } from '@filewright/runtime'
import { StorageFailure, isStatus } from '../remote/storage-failure.js'
import { crc32cChecksum, type Checksum } from '../remote/checksum.js'
import { withRetries, type RetryPolicy } from '../remote/retry.js'
import type { S3Api, S3Session } from './s3-client.js'
import { partsChecksum } from './parts-etag.js'
import { createS3Lists, type S3Lists } from './s3-lists.js'

export interface S3Object {
  key: string
  sizeBytes: number
  etag: string
  updatedAt: Date
  /** The write that created it; absent on objects that are not ours. */
  writeId: string | undefined
  /** Checksum of the whole object, if the server has one. */
  crc32c: string | undefined
}

/** User metadata of every object that we write. */
export const WRITE_ID = 'filewright-write'
/** Also where the server keeps no checksums. Absent on multipart objects, whose metadata precede the bytes. */
export const CRC32C = 'filewright-crc32c'
/** On multipart objects whose ETag is made of the MD5s of parts of this size. */
export const PART_BYTES = 'filewright-part-bytes'

export interface S3ObjectsDeps {
  api: S3Api
  bucket: string
  policy: RetryPolicy
  requestTimeoutMs: number
  logger?: Logger | undefined
  /** Objects per page of a listing. */
  pageSize: number
}

export interface S3Objects extends S3Lists {
  find: (key: string, signal?: AbortSignal) => Promise<S3Object | null>
  remove: (key: string, signal?: AbortSignal) => Promise<void>
}

/** Metadata, delete and list, with retries. */
export function createS3Objects(deps: S3ObjectsDeps): S3Objects {
  const { api, bucket, policy, requestTimeoutMs, logger } = deps

  async function call<T>(
    doing: string,
    signal: AbortSignal | undefined,
    work: (session: S3Session) => Promise<T>
  ): Promise<T> {
    return await withRetries(
      async ({ leftMs }) => {
        return await api.call(work, { doing, signal, timeoutMs: Math.min(requestTimeoutMs, leftMs) })
      },
      { policy, signal, logger, doing }
    )
  }

  async function head(key: string, signal: AbortSignal | undefined): Promise<S3Object> {
    return await call('metadata', signal, async ({ s3, sdk, http }) => {
      const command = new sdk.HeadObjectCommand({ Bucket: bucket, Key: key, ChecksumMode: 'ENABLED' })
      return toS3Object(key, await s3.send(command, http))
    })
  }

  /** A 404 to HEAD has no body: a missing bucket looks like a missing object, and all files like lost ones. */
  async function confirmMissing(key: string, signal: AbortSignal | undefined): Promise<void> {
    try {
      await call('metadata', signal, async ({ s3, sdk, http }) => {
        const command = new sdk.GetObjectCommand({ Bucket: bucket, Key: key, Range: 'bytes=0-0' })
        const { Body: body } = await s3.send(command, http)
        await body?.transformToByteArray()
        throw new StorageFailure('an object is missing to HEAD and not to GET')
      })
    } catch (error) {
      if (!isMissingKey(error)) throw error
    }
  }

  return {
    find: async (key, signal) => {
      try {
        return await head(key, signal)
      } catch (error) {
        if (!isStatus(error, 404)) throw error
        await confirmMissing(key, signal)
        return null
      }
    },
    remove: async (key, signal) => {
      await call('delete', signal, async ({ s3, sdk, http }) => {
        await s3.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key: key }), http)
      })
    },
    ...createS3Lists({ call, bucket, pageSize: deps.pageSize })
  }
}

/** A 404 of a proxy or of a missing bucket says nothing about the object. */
export function isMissingKey(error: unknown): boolean {
  return isStatus(error, 404) && (error as StorageFailure).code === 'NoSuchKey'
}

export interface ObjectHeaders {
  ContentLength?: number | undefined
  ETag?: string | undefined
  LastModified?: Date | undefined
  Metadata?: Record<string, string> | undefined
  ChecksumCRC32C?: string | undefined
  ChecksumType?: string | undefined
}

export function toS3Object(key: string, headers: ObjectHeaders): S3Object {
  const { ContentLength: sizeBytes, ETag: etag, LastModified: updatedAt, Metadata: metadata = {} } = headers
  if (sizeBytes === undefined || etag === undefined || !isDate(updatedAt)) {
    throw new StorageFailure('an object came without its size, ETag or time')
  }
  return { key, sizeBytes, etag, updatedAt, writeId: metadata[WRITE_ID], crc32c: wholeCrc32cOf(headers) }
}

/** A composite checksum is one of the parts' checksums, not of the bytes. */
function wholeCrc32cOf({ Metadata: metadata, ...headers }: ObjectHeaders): string | undefined {
  const own = metadata?.[CRC32C]
  return own ?? (headers.ChecksumType === 'FULL_OBJECT' ? headers.ChecksumCRC32C : undefined)
}

/** An object with a wrong, old date would be swept while it is written. */
export function isDate(date: Date | undefined): date is Date {
  return date !== undefined && !Number.isNaN(date.getTime())
}

/** Of the whole object, if the server or we have recorded one. */
export function checksumOf(headers: ObjectHeaders): Checksum | undefined {
  const crc32c = wholeCrc32cOf(headers)
  if (crc32c !== undefined) return crc32cChecksum(crc32c)
  const partBytes = Number(headers.Metadata?.[PART_BYTES] ?? Number.NaN)
  if (!(partBytes > 0) || headers.ETag === undefined) return undefined
  return partsChecksum(headers.ETag, partBytes)
}
