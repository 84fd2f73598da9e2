import { tagsOf, type Placement, type StorageClass } from '../placement.js'
import { isStatus, StorageFailure } from '../remote/storage-failure.js'
import { createCrc32c } from '../remote/crc32c.js'
import type { CallLimits } from '../remote/timed-call.js'
import type { S3Api } from './s3-client.js'
import { etagOfParts, md5Of } from './parts-etag.js'
import { CRC32C, PART_BYTES, WRITE_ID } from './s3-objects.js'

export interface S3Encryption {
  algorithm: string
  kmsKeyId?: string | undefined
}

export interface S3Part {
  number: number
  etag: string
  crc32c: string | undefined
  md5: Buffer | undefined
}

export interface S3UploadSession {
  key: string
  uploadId: string
  /** The server checks the checksum of the whole object when it is completed. */
  checksWhole: boolean
  /** Readers will take the object's ETag for an MD5 of its parts' MD5s. */
  hasMd5Etag: boolean
}

type Call = Omit<CallLimits, 'doing'>

/** The requests that write, one attempt each. Each one has a checksum that the server verifies. */
export interface S3Requests {
  put: (
    key: string,
    bytes: Uint8Array,
    options: Call & { writeId: string; ifAbsent: boolean; placement?: Placement | undefined }
  ) => Promise<void>
  /** All parts but the last must have the given size. */
  start: (
    key: string,
    options: Call & { writeId: string; partSizeBytes: number; placement?: Placement | undefined }
  ) => Promise<S3UploadSession>
  sendPart: (session: S3UploadSession, number: number, bytes: Uint8Array, options: Call) => Promise<S3Part>
  complete: (
    session: S3UploadSession,
    parts: readonly S3Part[],
    options: Call & { crc32c: string; ifAbsent: boolean }
  ) => Promise<void>
  /** Of the object itself: Ceph answers a completion with an empty ETag. */
  verifyEtag: (session: S3UploadSession, parts: readonly S3Part[], etag: string) => void
}

export interface S3RequestsDeps {
  api: S3Api
  bucket: string
  encryption?: S3Encryption | undefined
  hasTags?: boolean | undefined
}

export function createS3Requests({ api, bucket, encryption, hasTags = false }: S3RequestsDeps): S3Requests {
  // MD5 as well until a reply proves that the server knows CRC32C: others ignore that header.
  let knowsCrc32c = false
  let hasWholeChecksums = true
  // Unknown until a write shows it. Never with encryption by a key service, for one.
  let hasMd5Etags = false
  const common = { Bucket: bucket, ...encryptionOf(encryption) }

  const start: S3Requests['start'] = async (key, { writeId, partSizeBytes, placement, ...call }) => {
    const isAsked = hasWholeChecksums
    const hasMd5Etag = hasMd5Etags && !isAsked
    const reply = await api.call(
      async ({ s3, sdk, http }) =>
        await s3.send(
          new sdk.CreateMultipartUploadCommand({
            ...common,
            ...placementOf(placement, hasTags),
            Key: key,
            ContentType: CONTENT_TYPE,
            Metadata: {
              [WRITE_ID]: writeId,
              ...(hasMd5Etag ? { [PART_BYTES]: String(partSizeBytes) } : {})
            },
            ...(isAsked ? { ChecksumAlgorithm: 'CRC32C', ChecksumType: 'FULL_OBJECT' } : {})
          }),
          http
        ),
      { ...call, doing: 'start of an upload' }
    )
    const { UploadId: uploadId, ChecksumAlgorithm: algorithm, ChecksumType: type } = reply
    if (uploadId === undefined) throw new StorageFailure('an upload was started without its id')
    const checksWhole = isAsked && algorithm === 'CRC32C' && type === 'FULL_OBJECT'
    if (!isAsked || checksWhole) return { key, uploadId, checksWhole, hasMd5Etag }
    hasWholeChecksums = false
    if (algorithm === undefined) return { key, uploadId, checksWhole, hasMd5Etag }
    // The server knows only checksums of checksums and would want one. The started upload is left to sweeps.
    return await start(key, { writeId, partSizeBytes, placement, ...call })
  }

  return {
    start,
    put: async (key, bytes, { writeId, ifAbsent, placement, ...call }) => {
      const checksum = crc32cOf(bytes)
      const md5 = knowsCrc32c ? undefined : md5Of(bytes)
      const reply = await api.call(
        async ({ s3, sdk, http }) =>
          await s3.send(
            new sdk.PutObjectCommand({
              ...common,
              ...placementOf(placement, hasTags),
              Key: key,
              Body: bytes,
              ContentLength: bytes.length,
              ContentType: CONTENT_TYPE,
              Metadata: { [WRITE_ID]: writeId, [CRC32C]: checksum },
              ChecksumCRC32C: checksum,
              ...(md5 === undefined ? {} : { ContentMD5: md5.toString('base64') }),
              ...(ifAbsent ? { IfNoneMatch: '*' } : {})
            }),
            http
          ),
        { ...call, doing: 'write' }
      )
      if (reply.ETag === undefined) throw new StorageFailure('a write was answered without an ETag')
      knowsCrc32c = isSame(reply.ChecksumCRC32C, checksum)
      hasMd5Etags = reply.ETag === `"${md5?.toString('hex') ?? ''}"`
    },
    sendPart: async ({ key, uploadId, checksWhole }, number, bytes, call) => {
      const crc32c = checksWhole ? crc32cOf(bytes) : undefined
      const md5 = checksWhole ? undefined : md5Of(bytes)
      const checksum = {
        ...(md5 === undefined ? {} : { ContentMD5: md5.toString('base64') }),
        ...(crc32c === undefined ? {} : { ChecksumCRC32C: crc32c })
      }
      const reply = await api.call(
        async ({ s3, sdk, http }) =>
          await s3.send(
            new sdk.UploadPartCommand({
              Bucket: bucket,
              Key: key,
              UploadId: uploadId,
              PartNumber: number,
              Body: bytes,
              ContentLength: bytes.length,
              ...checksum
            }),
            http
          ),
        { ...call, doing: 'part of an upload' }
      )
      if (reply.ETag === undefined) throw new StorageFailure('a part was answered without an ETag')
      if (crc32c !== undefined) isSame(reply.ChecksumCRC32C, crc32c)
      return { number, etag: reply.ETag, crc32c, md5 }
    },
    complete: async ({ key, uploadId, checksWhole }, parts, { crc32c, ifAbsent, ...call }) => {
      const reply = await api.call(
        async ({ s3, sdk, http }) =>
          await s3.send(
            new sdk.CompleteMultipartUploadCommand({
              Bucket: bucket,
              Key: key,
              UploadId: uploadId,
              MultipartUpload: { Parts: parts.map(toCompleted) },
              ...(checksWhole ? { ChecksumCRC32C: crc32c, ChecksumType: 'FULL_OBJECT' } : {}),
              ...(ifAbsent ? { IfNoneMatch: '*' } : {})
            }),
            http
          ),
        { ...call, doing: 'end of an upload' }
      )
      if (reply.ETag === undefined) throw new StorageFailure('an upload was completed without an ETag')
    },
    verifyEtag: ({ hasMd5Etag }, parts, etag) => {
      if (!hasMd5Etag) return
      if (unquoted(etag) === unquoted(etagOfParts(parts.flatMap(({ md5 }) => md5 ?? [])))) return
      // Readers would find the object damaged: the next upload makes no such promise.
      hasMd5Etags = false
      throw new StorageFailure('a completed upload has another ETag than its parts', { transient: false })
    }
  }
}

/** The server has no conditional writes, and says so. */
export function isUnsupported(error: unknown): boolean {
  return isStatus(error, 501) || (error instanceof StorageFailure && error.code === 'NotImplemented')
}

const CONTENT_TYPE = 'application/octet-stream'

const CLASSES = {
  standard: 'STANDARD',
  cool: 'STANDARD_IA',
  cold: 'GLACIER_IR'
} as const satisfies Record<StorageClass, string>

function placementOf(
  placement: Placement | undefined,
  hasTags: boolean
): { StorageClass?: (typeof CLASSES)[StorageClass]; Tagging?: string } {
  if (placement === undefined) return {}
  const { storageClass } = placement
  return {
    ...(storageClass === undefined ? {} : { StorageClass: CLASSES[storageClass] }),
    ...(hasTags ? { Tagging: new URLSearchParams(tagsOf(placement)).toString() } : {})
  }
}

function encryptionOf(encryption: S3Encryption | undefined): {
  ServerSideEncryption?: 'AES256'
  SSEKMSKeyId?: string
} {
  if (encryption === undefined) return {}
  const { algorithm, kmsKeyId } = encryption
  return {
    // The setting's schema allows Amazon's names only.
    ServerSideEncryption: algorithm as 'AES256',
    ...(kmsKeyId === undefined ? {} : { SSEKMSKeyId: kmsKeyId })
  }
}

function toCompleted({ number, etag, crc32c }: S3Part): {
  PartNumber: number
  ETag: string
  ChecksumCRC32C?: string
} {
  return { PartNumber: number, ETag: etag, ...(crc32c === undefined ? {} : { ChecksumCRC32C: crc32c }) }
}

/** False when the server sent no checksum. */
function isSame(theirs: string | undefined, ours: string): boolean {
  if (theirs !== undefined && theirs !== ours) {
    throw new StorageFailure('the server has another crc32c than was sent')
  }
  return theirs !== undefined
}

function crc32cOf(bytes: Uint8Array): string {
  const crc32c = createCrc32c()
  crc32c.update(bytes)
  return crc32c.toString()
}

/** Servers quote an ETag in a header, and some not in a body. */
function unquoted(etag: string): string {
  return etag.replaceAll('"', '')
}
