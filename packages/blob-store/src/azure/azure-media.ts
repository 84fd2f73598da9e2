import type { Readable } from 'node:stream'
import type { Logger } from '@filewright/runtime'
import { rangeBeyondEnd } from '../range.js'
import { md5Checksum } from '../remote/checksum.js'
import type { Media, MediaRequest } from '../remote/download.js'
import { withRetries } from '../remote/retry.js'
import { isStatus, notFound, StorageFailure } from '../remote/storage-failure.js'
import { streamMediaOf, type OpenedBody } from '../remote/stream-media.js'
import type { AzureApi } from './azure-client.js'
import { isMissingBlob } from './azure-objects.js'

export interface AzureMediaDeps {
  api: AzureApi
  logger?: Logger | undefined
  /** For each attempt, until the headers. */
  requestTimeoutMs: number
}

export async function openAzureMedia(
  deps: AzureMediaDeps,
  key: string,
  request: MediaRequest
): Promise<Media> {
  const { signal, policy, range } = request
  return await withRetries(
    async ({ leftMs }) => {
      const opened = await openBody(deps, key, request, Math.min(deps.requestTimeoutMs, leftMs))
      try {
        // The emulator answers a range of an empty blob with nothing, where Azure refuses it.
        if (range !== undefined && opened.length === 0) throw rangeBeyondEnd()
        if (range !== undefined && opened.contentRange === undefined) {
          throw new StorageFailure('the reply does not say whether it is the requested range')
        }
        return streamMediaOf(opened, request)
      } catch (error) {
        opened.body.destroy()
        throw error
      }
    },
    { policy, signal, logger: deps.logger, doing: 'download' }
  )
}

async function openBody(
  { api }: AzureMediaDeps,
  key: string,
  { signal, range, version }: MediaRequest,
  timeoutMs: number
): Promise<OpenedBody> {
  try {
    return await api.call(
      async (container, abortSignal) => {
        const reply = await container
          .getBlobClient(key)
          .download(range?.start ?? 0, range === undefined ? undefined : range.end - range.start + 1, {
            abortSignal,
            // Resuming is ours: the SDK's knows no budget.
            maxRetryRequests: 0,
            conditions: version === undefined ? {} : { ifMatch: version }
          })
        const body = reply.readableStreamBody as Readable | undefined
        if (body === undefined) throw new StorageFailure('a download came without a body')
        // The next read gets the error; a late one must not crash the process.
        body.on('error', () => {})
        const { contentMD5 } = reply
        return {
          body,
          status: reply._response.status,
          length: reply.contentLength,
          contentRange: reply.contentRange,
          version: reply.etag,
          checksum:
            contentMD5 === undefined ? undefined : md5Checksum(Buffer.from(contentMD5).toString('base64'))
        }
      },
      { doing: 'download', signal, timeoutMs }
    )
  } catch (error) {
    if (isStatus(error, 416)) throw rangeBeyondEnd()
    // The key now belongs to another blob, so the one being read is gone.
    if (isMissingBlob(error) || isStatus(error, 412)) throw notFound(error)
    throw error
  }
}
