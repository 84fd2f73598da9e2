import type { Logger } from '@filewright/runtime'
import { withRetries, type RetryPolicy } from './retry.js'
import { exists, isStatus } from './storage-failure.js'

export interface WriteOnce<Stored> {
  /** The object under the key, if there is one. */
  find: () => Promise<Stored | null>
  writeId: string
  policy: RetryPolicy
  signal: AbortSignal | undefined
  logger?: Logger | undefined
  /** One attempt, which the server refuses if the key is taken. */
  write: (leftMs: number) => Promise<void>
  /** Statuses after which an earlier attempt may have created the object. */
  mayBeOurs: readonly number[]
}

/**
 * Creates an object, or rejects with BLOB_EXISTS. An earlier attempt may have created it although its reply
 * was lost: the write's id tells.
 * @returns the object where the server had to be asked for it
 */
export async function writeOnce<Stored extends { writeId: string | undefined }>(
  options: WriteOnce<Stored>
): Promise<Stored | null> {
  const { find, writeId, policy, signal, logger, write, mayBeOurs } = options
  try {
    await withRetries(async ({ leftMs }) => await write(leftMs), { policy, signal, logger, doing: 'commit' })
    return null
  } catch (error) {
    if (!mayBeOurs.some((status) => isStatus(error, status))) throw error
    const found = await find()
    if (found?.writeId === writeId) return found
    throw found === null ? error : exists(error)
  }
}
