import type { Logger } from '@filewright/runtime'
import { exists } from '../remote/storage-failure.js'
import { withRetries } from '../remote/retry.js'
import { writeOnce, type WriteOnce } from '../remote/write-once.js'
import type { KeyLocks } from './key-locks.js'
import type { S3Object, S3Objects } from './s3-objects.js'

export interface CommitDeps {
  objects: Pick<S3Objects, 'find'>
  locks: KeyLocks
  logger?: Logger | undefined
}

export interface Commit extends Omit<WriteOnce<S3Object>, 'find' | 'logger'> {
  key: string
  /** Whether the server refuses to overwrite. */
  isConditional: boolean
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
  const find = async (): Promise<S3Object | null> => await deps.objects.find(options.key, options.signal)
  return options.isConditional
    ? await writeOnce({ ...deps, ...options, find })
    : await deps.locks.run(options.key, async () => await lookAndWrite(deps, options))
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
