import type { Logger } from '@filewright/runtime'
import { exists, isStatus } from '../remote/storage-failure.js'
import { withRetries, type RetryPolicy } from '../remote/retry.js'
import type { KeyLocks } from './key-locks.js'
import type { S3Object, S3Objects } from './s3-objects.js'

export interface CommitDeps {
  objects: Pick<S3Objects, 'find'>
  locks: KeyLocks
  logger?: Logger | undefined
}

export interface Commit {
  key: string
  writeId: string
  /** Whether the server refuses to overwrite. */
  isConditional: boolean
  policy: RetryPolicy
  signal: AbortSignal | undefined
  /** One attempt. */
  write: (leftMs: number) => Promise<void>
  /** Statuses after which an earlier attempt may have created the object. */
  mayBeOurs: readonly number[]
}

/**
 * Creates an object, or rejects with BLOB_EXISTS. An earlier attempt may have created it although its reply
 * was lost: the write's id tells.
 *
 * Without conditional writes, writers of one process take turns and look first. Writers in two processes could
 * overwrite each other: keys are random and have one writer, so only a faulty caller would. Both look again
 * afterwards, so one of them usually finds out.
 * @returns the object where the server had to be asked for it
 */
export async function commit(deps: CommitDeps, options: Commit): Promise<S3Object | null> {
  return options.isConditional
    ? await writeOnce(deps, options)
    : await deps.locks.run(options.key, async () => await lookAndWrite(deps, options))
}

async function writeOnce({ objects, logger }: CommitDeps, options: Commit): Promise<S3Object | null> {
  const { key, writeId, policy, signal, write, mayBeOurs } = options
  try {
    await withRetries(async ({ leftMs }) => await write(leftMs), { policy, signal, logger, doing: 'commit' })
    return null
  } catch (error) {
    if (!mayBeOurs.some((status) => isStatus(error, status))) throw error
    const found = await objects.find(key, signal)
    if (found?.writeId === writeId) return found
    throw found === null ? error : exists(error)
  }
}

async function lookAndWrite({ objects, logger }: CommitDeps, options: Commit): Promise<S3Object | null> {
  const { key, writeId, policy, signal, write } = options
  return await withRetries(
    async ({ leftMs }) => {
      const before = await objects.find(key, signal)
      if (before?.writeId === writeId) return before
      if (before !== null) throw exists()
      await write(leftMs)
      const after = await objects.find(key, signal)
      if (after !== null && after.writeId !== writeId) throw exists()
      return after
    },
    { policy, signal, logger, doing: 'commit' }
  )
}
