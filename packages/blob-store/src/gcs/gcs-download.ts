import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, linkSignals } from '@filewright/runtime'
import { throwIfAborted } from '../abort.js'
import type { ReadOptions } from '../blob-store.js'
import { createPullStream } from '../pull-stream.js'
import { rangeBeyondEnd } from '../range.js'
import { createCrc32c } from './crc32c.js'
import { GcsFailure, toAppError } from './gcs-failure.js'
import { openMedia, type GcsMediaDeps } from './gcs-media.js'
import { delayOf, type RetryPolicy } from './retry.js'

export interface GcsDownloadDeps extends GcsMediaDeps {
  policy: RetryPolicy
  /** A connection without a byte for this long is closed, and the read resumes on a new one. */
  idleTimeoutMs: number
}

/** A chunk has about 64 KiB; more read-ahead would only hold memory for slow readers. */
const READ_AHEAD_BYTES = 256 * 1024

/** Per read: a server that repeatedly breaks off after a few bytes must not hold it forever. */
const MAX_RESUMES = 16

/**
 * A connection that is cut or stalls is replaced by one that continues at the same byte of the same
 * generation, so the reader sees one complete object or an error. Whole reads are checked against the
 * object's crc32c before the last bytes are returned.
 */
export async function download(
  deps: GcsDownloadDeps,
  key: string,
  { range, signal }: ReadOptions
): Promise<Readable> {
  throwIfAborted(signal)
  const life = linkSignals(signal)
  try {
    const transfer = await startTransfer(deps, key, range, life.signal)
    let first = await transfer.next()
    return createPullStream({
      pull: async () => {
        if (first === null) {
          return await transfer.next().catch((error: unknown) => {
            throw toAppError(error)
          })
        }
        const chunk = first
        first = null
        return chunk
      },
      close: () => {
        life.abort()
      },
      signal,
      highWaterMark: READ_AHEAD_BYTES
    })
  } catch (error) {
    life.abort()
    throw toAppError(error)
  }
}

interface Transfer {
  next: () => Promise<Uint8Array | null>
}

async function startTransfer(
  deps: GcsDownloadDeps,
  key: string,
  range: ReadOptions['range'],
  signal: AbortSignal
): Promise<Transfer> {
  const { policy, logger, idleTimeoutMs } = deps
  const crc32c = createCrc32c()
  let media = await openMedia(deps, key, { signal, policy, range })
  const { generation, objectSizeBytes } = media
  const expectedCrc32c = range === undefined ? media.crc32c : undefined
  const stop = Math.min(range === undefined ? objectSizeBytes : range.end + 1, objectSizeBytes)
  // Offsets of the connection's next byte and of the reader's.
  let received = media.start
  let position = range?.start ?? 0
  let resumes = 0
  if (range !== undefined && position >= stop) {
    media.abort()
    throw rangeBeyondEnd()
  }

  /** The next bytes, or undefined when the connection ended or stalled early. */
  async function receive(): Promise<Uint8Array | undefined> {
    let stalled = false
    const timer = setTimeout(() => {
      stalled = true
      media.abort()
    }, idleTimeoutMs)
    const chunk = await media.read()
    clearTimeout(timer)
    throwIfAborted(signal)
    return stalled ? undefined : chunk
  }

  async function resume(cuts: number, silentMs: number): Promise<void> {
    media.abort()
    logger?.warn({ key, position, cuts }, 'download was cut or stalled')
    const hopeless = cuts >= policy.attempts || silentMs >= policy.budgetMs || ++resumes > MAX_RESUMES
    if (hopeless) throw new GcsFailure(`the download broke off at byte ${position} of ${stop}`)
    if (generation === undefined) throw new GcsFailure('a download without a generation cannot be resumed')
    await sleep(delayOf(policy, cuts - 1), undefined, { signal }).catch(() => {})
    // Waiting for a new connection also counts as silence: however it fails, the reader waits no longer.
    const resumePolicy = { ...policy, budgetMs: policy.budgetMs - silentMs }
    media = await openMedia(deps, key, {
      signal,
      policy: resumePolicy,
      range: { start: position, end: stop - 1 },
      generation
    })
    received = media.start
  }

  /** The part of a chunk inside the reader's range. */
  function take(chunk: Uint8Array): Uint8Array {
    const wanted = chunk.subarray(Math.max(0, position - received), Math.max(0, stop - received))
    received += chunk.length
    position += wanted.length
    return wanted
  }

  return {
    next: async () => {
      let silentSince = Date.now()
      for (let cuts = 0; position < stop; ) {
        const chunk = await receive()
        if (chunk === undefined) {
          await resume(++cuts, Date.now() - silentSince)
          continue
        }
        const wanted = take(chunk)
        if (wanted.length === 0) {
          silentSince = Date.now()
          continue
        }
        crc32c.update(wanted)
        if (position >= stop && expectedCrc32c !== undefined && crc32c.toString() !== expectedCrc32c) {
          throw new AppError('BLOB_CORRUPT', `crc32c of ${key} is not what Google has on record`)
        }
        return wanted
      }
      return null
    }
  }
}
