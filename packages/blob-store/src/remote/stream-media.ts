import type { Readable } from 'node:stream'
import { onAbort } from '@filewright/runtime'
import type { Checksum } from './checksum.js'
import type { Media, MediaRequest } from './download.js'
import { StorageFailure } from './storage-failure.js'

/** The reply to a download, as a library returned it. */
export interface OpenedBody {
  body: Readable
  status: number | undefined
  length: number | undefined
  contentRange: string | undefined
  version: string | undefined
  checksum: Checksum | undefined
}

/** @throws StorageFailure for a reply that is not the requested part of the requested version */
export function streamMediaOf(opened: OpenedBody, { signal, range, version: wanted }: MediaRequest): Media {
  const { body, version, checksum } = opened
  if (wanted !== undefined && version !== wanted) {
    throw new StorageFailure(`requested version ${wanted}, got ${version ?? 'an unknown one'}`)
  }
  const place = placeOf(opened)
  if (place.start !== 0 && place.start !== range?.start) {
    throw new StorageFailure(
      `a download was to start at byte ${range?.start ?? 0} and started at ${place.start}`
    )
  }
  return { ...place, version, checksum, ...connectionOf(body, signal) }
}

/** Content-Range decides, if it agrees with Content-Length. */
function placeOf({ status, length, contentRange }: OpenedBody): Pick<Media, 'start' | 'objectSizeBytes'> {
  if (contentRange === undefined) {
    if (status === 206 || length === undefined) {
      throw new StorageFailure('a download came without its place or length')
    }
    return { start: 0, objectSizeBytes: length }
  }
  const [, start, last, size] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/.exec(contentRange) ?? []
  if (start === undefined || (length !== undefined && length !== Number(last) - Number(start) + 1)) {
    throw new StorageFailure('a download came with a Content-Range that its length belies')
  }
  return { start: Number(start), objectSizeBytes: size === '*' ? Number(last) + 1 : Number(size) }
}

function connectionOf(body: Readable, signal: AbortSignal): Pick<Media, 'read' | 'abort'> {
  const pieces = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
  const stopListening = onAbort(signal, () => {
    body.destroy()
  })
  return {
    read: async () =>
      await pieces.next().then(
        ({ done, value }) => (done === true ? undefined : value),
        () => undefined
      ),
    abort: () => {
      stopListening()
      body.destroy()
    }
  }
}
