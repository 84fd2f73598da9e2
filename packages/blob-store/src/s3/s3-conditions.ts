import type { Logger } from '@filewright/runtime'
import { isStatus } from '../remote/storage-failure.js'
import { withRetries, type RetryPolicy } from '../remote/retry.js'
import { isUnsupported, type S3Requests } from './s3-requests.js'
import type { S3Objects } from './s3-objects.js'

/** No key looks like it, so no listing of blobs shows it. It stays in the bucket. */
export const CONDITIONS = '.filewright-conditions'

export interface S3Conditions {
  /** Whether the server refuses a write with `If-None-Match: *` to a key that exists. */
  put: (signal?: AbortSignal) => Promise<boolean>
  /** The same for the end of a multipart upload, which some servers treat differently. */
  complete: (signal?: AbortSignal) => Promise<boolean>
}

export interface S3ConditionsDeps {
  requests: S3Requests
  objects: Pick<S3Objects, 'abortUpload'>
  policy: RetryPolicy
  requestTimeoutMs: number
  logger?: Logger | undefined
}

interface Call {
  signal: AbortSignal | undefined
  timeoutMs: number
}

/** Amazon's are documented. */
export const AMAZON_CONDITIONS: S3Conditions = { put: async () => true, complete: async () => true }

/**
 * Tries them on an object of our own, once per process: a server that ignores the header answers 200 and
 * overwrites. A failed attempt is not remembered.
 */
export function createS3Conditions(deps: S3ConditionsDeps): S3Conditions {
  const { requests, objects, policy, requestTimeoutMs, logger } = deps
  const bytes = Buffer.from('1')
  const writeId = 'conditions'

  async function isRefused(
    doing: string,
    signal: AbortSignal | undefined,
    write: (timeoutMs: number) => Promise<void>
  ): Promise<'refused' | 'written' | 'unsupported'> {
    try {
      await withRetries(async ({ leftMs }) => await write(Math.min(requestTimeoutMs, leftMs)), {
        policy,
        signal,
        logger,
        doing
      })
      return 'written'
    } catch (error) {
      if (isStatus(error, 412)) return 'refused'
      if (isUnsupported(error)) return 'unsupported'
      throw error
    }
  }

  async function put(signal?: AbortSignal): Promise<boolean> {
    const tryOnce = async (): Promise<string> =>
      await isRefused(
        'test of a condition',
        signal,
        async (timeoutMs) =>
          await requests.put(CONDITIONS, bytes, { writeId, ifAbsent: true, signal, timeoutMs })
      )
    const first = await tryOnce()
    // The first process of all creates it.
    const answer = first === 'written' ? await tryOnce() : first
    return tell('a write', answer === 'refused')
  }

  async function complete(signal?: AbortSignal): Promise<boolean> {
    await isRefused(
      'test of a condition',
      signal,
      async (timeoutMs) =>
        await requests.put(CONDITIONS, bytes, { writeId, ifAbsent: false, signal, timeoutMs })
    )
    const attempt = async <T>(work: (call: Call) => Promise<T>): Promise<T> =>
      await withRetries(
        async ({ leftMs }) => await work({ signal, timeoutMs: Math.min(requestTimeoutMs, leftMs) }),
        { policy, signal, logger, doing: 'test of a condition' }
      )
    const partSizeBytes = bytes.length
    const session = await attempt(
      async (call) => await requests.start(CONDITIONS, { writeId, partSizeBytes, ...call })
    )
    try {
      const part = await attempt(async (call) => await requests.sendPart(session, 1, bytes, call))
      const crc32c = part.crc32c ?? ''
      const answer = await isRefused(
        'test of a condition',
        signal,
        async (timeoutMs) =>
          await requests.complete(session, [part], { crc32c, ifAbsent: true, signal, timeoutMs })
      )
      return tell('the end of a multipart upload', answer === 'refused')
    } finally {
      await objects.abortUpload(session).catch(() => {})
    }
  }

  function tell(what: string, isHonoured: boolean): boolean {
    if (!isHonoured) logger?.warn({ what }, 'this S3 server has no conditional writes')
    return isHonoured
  }

  return { put: remembered(put), complete: remembered(complete) }
}

function remembered(
  ask: (signal?: AbortSignal) => Promise<boolean>
): (signal?: AbortSignal) => Promise<boolean> {
  let known: boolean | undefined
  return async (signal) => {
    known ??= await ask(signal)
    return known
  }
}
