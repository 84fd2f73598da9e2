import { deleteMany } from '../files/delete-many.js'

export interface WorkResult {
  done: number
  failed: number
  /** Why the first one failed. */
  firstError: unknown
}

export interface WorkOptions {
  signal: AbortSignal
  onProgress: (handled: number) => void
}

const AT_ONCE = 6

/** Works on a few files at a time. A file that has left the trash meanwhile is a failure. */
export async function forEachFile(
  ids: readonly string[],
  work: (id: string, signal: AbortSignal) => Promise<unknown>,
  { signal, onProgress }: WorkOptions
): Promise<WorkResult> {
  let firstError: unknown
  const { deleted, failed } = await deleteMany(ids, {
    concurrency: AT_ONCE,
    signal,
    remove: async (id, stopped) => {
      try {
        await work(id, stopped)
      } catch (error) {
        firstError ??= error
        throw new Error('not done', { cause: error })
      }
    },
    onProgress: (progress) => {
      onProgress(progress.deleted + progress.failed)
    }
  })
  return { done: deleted, failed, firstError }
}
