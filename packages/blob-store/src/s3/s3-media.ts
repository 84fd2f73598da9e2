import type { Readable } from 'node:stream'
import type { Logger } from '@filewright/runtime'
import { rangeBeyondEnd } from '../range.js'
import type { Media, MediaRequest } from '../remote/download.js'
import { withRetries } from '../remote/retry.js'
import { streamMediaOf, type OpenedBody } from '../remote/stream-media.js'
import { isStatus, notFound, StorageFailure } from '../remote/storage-failure.js'
import type { S3Api, S3Sdk } from './s3-client.js'
import { checksumOf, isMissingKey, type S3Objects } from './s3-objects.js'

export interface S3MediaDeps {
  api: S3Api
  objects: Pick<S3Objects, 'find'>
  bucket: string
  logger?: Logger | undefined
  /** For each attempt, until the headers. */
  requestTimeoutMs: number
}

export async function openS3Media(deps: S3MediaDeps, key: string, request: MediaRequest): Promise<Media> {
  const { logger, requestTimeoutMs } = deps
  const { signal, policy } = request
  return await withRetries(
    async ({ leftMs }) => {
      const opened = await openBody(deps, key, request, Math.min(requestTimeoutMs, leftMs))
      try {
        return await mediaOf(deps, key, opened, request)
      } catch (error) {
        opened.body.destroy()
        throw error
      }
    },
    { policy, signal, logger, doing: 'download' }
  )
}

async function openBody(
  { api, bucket }: S3MediaDeps,
  key: string,
  { signal, range, version }: MediaRequest,
  timeoutMs: number
): Promise<OpenedBody> {
  try {
    return await api.call(
      async ({ s3, sdk, http }) => {
        const command = new sdk.GetObjectCommand({
          Bucket: bucket,
          Key: key,
          ...(range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` }),
          ...(version === undefined ? {} : { IfMatch: version })
        })
        if (range === undefined) askForChecksum(command)
        const reply = await s3.send(command, http)
        const body = reply.Body as Readable | undefined
        if (body === undefined) throw new StorageFailure('a download came without a body')
        // The next read gets the error; a late one must not crash the process.
        body.on('error', () => {})
        return {
          body,
          status: reply.$metadata.httpStatusCode,
          length: reply.ContentLength,
          contentRange: reply.ContentRange,
          version: reply.ETag,
          checksum: checksumOf(reply)
        }
      },
      { doing: 'download', signal, timeoutMs }
    )
  } catch (error) {
    if (isStatus(error, 416)) throw rangeBeyondEnd()
    // The key now belongs to another object, so the one being read is gone.
    if (isMissingKey(error) || isStatus(error, 412)) throw notFound(error)
    throw error
  }
}

/**
 * Only the header: with the SDK's own option it wraps the body in a stream that gives every byte before it
 * finds them wrong.
 */
function askForChecksum(command: InstanceType<S3Sdk['GetObjectCommand']>): void {
  command.middlewareStack.add(
    (next) => async (args) => {
      const { headers } = args.request as { headers: Record<string, string> }
      headers['x-amz-checksum-mode'] = 'ENABLED'
      return await next(args)
    },
    { step: 'build', name: 'checksumMode' }
  )
}

async function mediaOf(
  { objects }: S3MediaDeps,
  key: string,
  opened: OpenedBody,
  request: MediaRequest
): Promise<Media> {
  const media = streamMediaOf(opened, request)
  const { length, version } = opened
  if (request.range !== undefined && opened.contentRange === undefined) {
    // A whole object, or a range that is not marked as one: only the object's own length shows it.
    const found = await objects.find(key, request.signal)
    if (found === null) throw notFound()
    if (found.sizeBytes !== length || found.etag !== version) {
      throw new StorageFailure('the reply does not say whether it is the requested range')
    }
  }
  return media
}
