import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, type Logger } from '@filewright/runtime'
import { cancelled } from '../abort.js'
import type { ReadOptions } from '../blob-store.js'
import { createPullStream } from '../pull-stream.js'
import { rangeBeyondEnd } from '../range.js'
import { createCrc32c } from './crc32c.js'
import { GcsFailure, notFound, toAppError } from './gcs-failure.js'
import type { GcsHttp, OpenReply } from './gcs-http.js'
import { delayOf, withRetries, type RetryPolicy } from './retry.js'

export interface GcsDownloadDeps {
  http: GcsHttp
  urlOf: (key: string) => URL
  policy: RetryPolicy
  logger?: Logger | undefined
  /** Until the headers. */
  requestTimeoutMs: number
  /** A connection that gives no byte for this long ends the read. */
  idleTimeoutMs: number
}

/** Some 64 KiB come per chunk; more read-ahead would only hold memory for slow readers. */
const READ_AHEAD_BYTES = 256 * 1024

/**
 * A cut connection is resumed where it broke, from the same generation, so the reader sees one unbroken object or an error; a stalled one
 * fails. Whole reads are checked against the object's crc32c before their last bytes are given out.
 */
export async function download (deps: GcsDownloadDeps, key: string, { range, signal }: ReadOptions): Promise<Readable> {
  const life = new AbortController()
  const onAbort = (): void => { life.abort(signal?.reason) }
  if (signal?.aborted === true) throw cancelled(signal)
  signal?.addEventListener('abort', onAbort, { once: true })
  const end = (): void => {
    signal?.removeEventListener('abort', onAbort)
    life.abort()
  }
  try {
    const transfer = await startTransfer(deps, key, range, life.signal)
    let first = await transfer.next()
    return createPullStream({
      pull: async () => {
        if (first === null) return await transfer.next().catch((error: unknown) => { throw toAppError(error) })
        const chunk = first
        first = null
        return chunk
      },
      close: end,
      signal,
      highWaterMark: READ_AHEAD_BYTES
    })
  } catch (error) {
    end()
    throw toAppError(error)
  }
}

interface Transfer {
  next: () => Promise<Uint8Array | null>
}

async function startTransfer (deps: GcsDownloadDeps, key: string, range: ReadOptions['range'], signal: AbortSignal): Promise<Transfer> {
  const { policy, logger, idleTimeoutMs } = deps
  const crc32c = createCrc32c()
  let position = range?.start ?? 0
  const opened = await openMedia(deps, key, { signal, ...(range === undefined ? {} : { range: `bytes=${range.start}-${range.end}` }) })
  const { headers } = opened.response
  const generation = headers.get('x-goog-generation')
  const length = headers.get('content-length')
  if (length === null) throw new GcsFailure('a download came without its length')
  const stop = position + Number(length)
  const expectedCrc32c = range === undefined ? /crc32c=([^,\s]+)/.exec(headers.get('x-goog-hash') ?? '')?.[1] : undefined
  let connection = connectionOf(opened, signal)

  /** The next bytes, or undefined when the connection ended before its time. */
  async function readOrCut (): Promise<Uint8Array | undefined> {
    let stalled = false
    const timer = setTimeout(() => {
      stalled = true
      connection.abort()
    }, idleTimeoutMs)
    const chunk = await connection.read()
    clearTimeout(timer)
    if (signal.aborted) throw cancelled(signal)
    if (stalled) throw new GcsFailure(`the download stalled at byte ${position} of ${stop}`)
    return chunk
  }

  async function resume (cuts: number): Promise<void> {
    connection.abort()
    logger?.warn({ key, position, cuts }, 'download was cut')
    if (cuts >= policy.attempts) throw new GcsFailure(`the download was cut at byte ${position} of ${stop}`)
    await sleep(delayOf(policy, cuts - 1), undefined, { signal }).catch(() => {})
    const again = await openMedia(deps, key, { signal, range: `bytes=${position}-${stop - 1}`, generation })
    if (again.response.status !== 206 && position > 0) {
      again.abort()
      throw new GcsFailure('the server ignored the range of a resumed read')
    }
    connection = connectionOf(again, signal)
  }

  return {
    next: async () => {
      for (let cuts = 0; position < stop;) {
        const chunk = await readOrCut()
        if (chunk === undefined) {
          await resume(++cuts)
          continue
        }
        position += chunk.length
        crc32c.update(chunk)
        if (position >= stop && expectedCrc32c !== undefined && crc32c.toString() !== expectedCrc32c) {
          throw new AppError('BLOB_CORRUPT', `crc32c of ${key} is not what Google has on record`)
        }
        return chunk
      }
      return null
    }
  }
}

interface Connection {
  /** The next bytes, or undefined when there are none: ended, cut or aborted. */
  read: () => Promise<Uint8Array | undefined>
  abort: () => void
}

function connectionOf ({ response, abort }: OpenReply, signal: AbortSignal): Connection {
  if (response.body === null) throw new GcsFailure('a download came without a body')
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader()
  const end = (): void => {
    signal.removeEventListener('abort', end)
    abort()
    // fetch holds its Response weakly: once that is collected an abort closes the socket but a read under way would wait for ever.
    reader.cancel().catch(() => {})
  }
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  return { read: async () => await reader.read().then(({ value }) => value, () => undefined), abort: end }
}

interface MediaOptions {
  signal: AbortSignal
  range?: string
  generation?: string | null
}

async function openMedia (deps: GcsDownloadDeps, key: string, { signal, range, generation }: MediaOptions): Promise<OpenReply> {
  const url = deps.urlOf(key)
  url.searchParams.set('alt', 'media')
  if (generation != null) url.searchParams.set('generation', generation)
  const headers = { 'accept-encoding': 'identity', ...(range === undefined ? {} : { range }) }
  const opened = await withRetries(
    async () => await deps.http.open({ method: 'GET', url, headers, signal, timeoutMs: deps.requestTimeoutMs }),
    { policy: deps.policy, signal, logger: deps.logger, doing: 'download' }
  )
  const { status } = opened.response
  if (status === 200 || status === 206) return opened
  opened.abort()
  if (status === 404) throw notFound()
  if (status === 416) throw rangeBeyondEnd()
  throw new GcsFailure(`GET answered ${status}`, { status })
}
