import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, linkSignals, type Logger } from '@filewright/runtime'
import { throwIfAborted } from '../abort.js'
import type { ReadOptions } from '../blob-store.js'
import { createPullStream } from '../pull-stream.js'
import { rangeBeyondEnd } from '../range.js'
import type { Checksum } from './checksum.js'
import { StorageFailure, toAppError } from './storage-failure.js'
import { delayOf, type RetryPolicy } from './retry.js'

export interface MediaRequest {
  signal: AbortSignal
  policy: RetryPolicy
  /** Both ends are inclusive. Default: the whole object. */
  range?: { start: number; end: number } | undefined
  /** Requires this version. Default: the live one. */
  version?: string | undefined
}

/** The bytes of an object from one connection. */
export interface Media {
  /** Offset of the first byte in the object: 0 when the server ignored the range. */
  start: number
  /** Size of the whole object if the server sent it; otherwise the end of the response. */
  objectSizeBytes: number
  /** Distinguishes this object from a later one under the same key. */
  version: string | undefined
  /** Of the whole object, as recorded by the store; absent for a range. */
  checksum: Checksum | undefined
  /** The next bytes, or undefined when there are none: ended, cut or aborted. */
  read: () => Promise<Uint8Array | undefined>
  abort: () => void
}

export interface DownloadDeps {
  /** Retries on its own until the response headers are there. */
  open: (key: string, request: MediaRequest) => Promise<Media>
  policy: RetryPolicy
  logger?: Logger | undefined
  /** A connection without a byte for this long is closed, and the read resumes on a new one. */
  idleTimeoutMs: number
  /**
   * Called before the last bytes of a whole read are returned, unless its checksum proved them. Rejects when
   * the store knows another object under this key. Default: a wrong checksum is BLOB_CORRUPT.
   */
  confirm?: (
    key: string,
    read: { sizeBytes: number; version: string | undefined },
    signal: AbortSignal
  ) => Promise<void>
}

/** A chunk has about 64 KiB; more read-ahead would only hold memory for slow readers. */
const READ_AHEAD_BYTES = 256 * 1024

/** Per read: a server that repeatedly breaks off after a few bytes must not hold it forever. */
const MAX_RESUMES = 16

/**
 * A connection that is cut or stalls is replaced by one that continues at the same byte of the same
 * version, so the reader sees one complete object or an error. Whole reads are checked against the
 * object's checksum before the last bytes are returned.
 */
export async function download(
  deps: DownloadDeps,
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
      close: () => life.abort(),
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
  deps: DownloadDeps,
  key: string,
  range: ReadOptions['range'],
  signal: AbortSignal
): Promise<Transfer> {
  const { policy, logger, idleTimeoutMs, confirm } = deps
  let media = await deps.open(key, { signal, policy, range })
  const { version, objectSizeBytes } = media
  const checksum = range === undefined ? media.checksum : undefined
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
    if (hopeless) throw new StorageFailure(`the download broke off at byte ${position} of ${stop}`)
    if (version === undefined) throw new StorageFailure('a download without a version cannot be resumed')
    await sleep(delayOf(policy, cuts - 1), undefined, { signal }).catch(() => {})
    // Waiting for a new connection also counts as silence: however it fails, the reader waits no longer.
    const resumePolicy = { ...policy, budgetMs: policy.budgetMs - silentMs }
    media = await deps.open(key, {
      signal,
      policy: resumePolicy,
      range: { start: position, end: stop - 1 },
      version
    })
    received = media.start
  }

  async function verify(): Promise<void> {
    if (checksum?.matches() === true) return
    await confirm?.(key, { sizeBytes: stop, version }, signal)
    if (checksum === undefined) return
    throw new AppError('BLOB_CORRUPT', `the checksum of ${key} is not what the store has on record`)
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
        checksum?.update(wanted)
        if (position >= stop && range === undefined) await verify()
        return wanted
      }
      return null
    }
  }
}
