import { NotFoundError } from '@filewright/client/browser'

export interface DeleteManyOptions {
  remove: (id: string, signal: AbortSignal) => Promise<void>
  concurrency: number
  signal: AbortSignal
  onProgress: (progress: DeleteProgress) => void
}

export interface DeleteProgress {
  deleted: number
  failed: number
}

/** Deletes a few at a time. A file that is already gone counts as deleted. */
export async function deleteMany(
  ids: Iterable<string> | AsyncIterable<string>,
  { remove, concurrency, signal, onProgress }: DeleteManyOptions
): Promise<DeleteProgress> {
  const progress = { deleted: 0, failed: 0 }
  const running = new Set<Promise<void>>()

  async function removeOne(id: string): Promise<void> {
    try {
      await remove(id, signal)
      progress.deleted++
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof NotFoundError) progress.deleted++
      else progress.failed++
    }
    onProgress({ ...progress })
  }

  for await (const id of ids) {
    if (signal.aborted) break
    const removal: Promise<void> = removeOne(id).finally(() => running.delete(removal))
    running.add(removal)
    if (running.size >= concurrency) await Promise.race(running)
  }
  await Promise.all(running)
  return progress
}
