import { onAbort, type Logger } from '@filewright/runtime'
import { rangeBeyondEnd } from '../range.js'
import { StorageFailure, notFound } from '../remote/storage-failure.js'
import type { GcsHttp, OpenReply } from './gcs-http.js'
import { crc32cChecksum } from '../remote/checksum.js'
import type { Media, MediaRequest } from '../remote/download.js'
import { withRetries } from '../remote/retry.js'

export interface GcsMediaDeps {
  http: GcsHttp
  urlOf: (key: string) => URL
  logger?: Logger | undefined
  /** For each attempt, until the headers. */
  requestTimeoutMs: number
}

export async function openMedia(deps: GcsMediaDeps, key: string, request: MediaRequest): Promise<Media> {
  const { http, logger, requestTimeoutMs } = deps
  const { signal, policy, range, version: generation } = request
  const url = deps.urlOf(key)
  url.searchParams.set('alt', 'media')
  if (generation !== undefined) url.searchParams.set('generation', generation)
  const headers = {
    'accept-encoding': 'identity',
    ...(range === undefined ? {} : { range: `bytes=${range.start}-${range.end}` })
  }
  return await withRetries(
    async ({ leftMs }) => {
      const timeoutMs = Math.min(requestTimeoutMs, leftMs)
      const opened = await http.open({ method: 'GET', url, headers, signal, timeoutMs })
      try {
        return mediaOf(opened, request)
      } catch (error) {
        opened.abort()
        throw error
      }
    },
    { policy, signal, logger, doing: 'download' }
  )
}

function mediaOf(opened: OpenReply, { signal, range, version: wanted }: MediaRequest): Media {
  const { status, headers } = opened.response
  if (status === 404) throw notFound()
  if (status === 416) throw rangeBeyondEnd()
  if (status !== 200 && status !== 206) throw new StorageFailure(`GET answered ${status}`, { status })
  const generation = headers.get('x-goog-generation') ?? undefined
  if (wanted !== undefined && generation !== wanted) {
    throw new StorageFailure(`requested generation ${wanted}, got ${generation ?? 'an unknown one'}`)
  }
  const place = placeOf(status, headers, range !== undefined)
  if (place.start !== 0 && place.start !== range?.start) {
    throw new StorageFailure(
      `a download was to start at byte ${range?.start ?? 0} and started at ${place.start}`
    )
  }
  const crc32c = /crc32c=([^,\s]+)/.exec(headers.get('x-goog-hash') ?? '')?.[1]
  const checksum = crc32c === undefined ? undefined : crc32cChecksum(crc32c)
  return { ...place, version: generation, checksum, ...connectionOf(opened, signal) }
}

/**
 * The offset of a response's bytes. A server may ignore a range and send the whole object, and Google's test
 * bench sends some ranges with status 200. So the status is not enough: Content-Range decides, if it agrees
 * with Content-Length.
 */
function placeOf(
  status: number,
  headers: Headers,
  ranged: boolean
): Pick<Media, 'start' | 'objectSizeBytes'> {
  const length = wholeNumber(headers.get('content-length'))
  const contentRange = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(headers.get('content-range') ?? '')
  if (contentRange !== null) {
    const [start, last] = [Number(contentRange[1]), Number(contentRange[2])]
    const agrees = length === undefined ? status === 206 : length === last - start + 1
    if (!agrees) {
      throw new StorageFailure('a download came with a Content-Range that its length or status belies')
    }
    return { start, objectSizeBytes: wholeNumber(contentRange[3]) ?? last + 1 }
  }
  if (status === 206) throw new StorageFailure('a part of an object came without its place')
  const storedLength = wholeNumber(headers.get('x-goog-stored-content-length'))
  // Some servers send a range without marking it as one: only the object's own length shows it.
  if (ranged && (length === undefined || length !== storedLength)) {
    throw new StorageFailure('the reply does not say whether it is the requested range')
  }
  const objectSizeBytes = length ?? storedLength
  if (objectSizeBytes === undefined) throw new StorageFailure('a download came without its length')
  return { start: 0, objectSizeBytes }
}

function wholeNumber(text: string | null | undefined): number | undefined {
  return text != null && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

function connectionOf({ response, abort }: OpenReply, signal: AbortSignal): Pick<Media, 'read' | 'abort'> {
  if (response.body === null) throw new StorageFailure('a download came without a body')
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader()
  const end = (): void => {
    abort()
    // fetch holds its Response weakly: once that is collected, an abort closes the socket, but a running read
    // would wait forever.
    reader.cancel().catch(() => {})
  }
  const stopListening = onAbort(signal, end)
  return {
    read: async () =>
      await reader.read().then(
        ({ value }) => value,
        () => undefined
      ),
    abort: () => {
      stopListening()
      end()
    }
  }
}
