import { FilewrightError } from '@filewright/client/browser'

export interface WorkOptions {
  signal: AbortSignal
  onProgress: (progress: WorkProgress) => void
}

export interface WorkProgress {
  done: number
  failed: number
}

export interface WorkResult extends WorkProgress {
  /** Why the first one failed. */
  firstError: unknown
  /** Those that failed or were not reached, without those that are gone. */
  left: readonly string[]
}

/** Enough to keep the service busy, and few enough to leave room for others. */
export const AT_ONCE = 6

const isGone = (error: unknown): boolean =>
  error instanceof FilewrightError && (error.status === 404 || error.status === 410)

/** Works on a few files at a time. */
export async function forEachFile(
  ids: readonly string[],
  work: (id: string, signal: AbortSignal) => Promise<unknown>,
  { signal, onProgress }: WorkOptions
): Promise<WorkResult> {
  const progress = { done: 0, failed: 0 }
  const left = new Set(ids)
  const running = new Set<Promise<void>>()
  let firstError: unknown

  async function workOn(id: string): Promise<void> {
    try {
      await work(id, signal)
      left.delete(id)
      progress.done++
    } catch (error) {
      if (signal.aborted) return
      firstError ??= error
      progress.failed++
      if (isGone(error)) left.delete(id)
    }
    onProgress({ ...progress })
  }

  for (const id of ids) {
    if (signal.aborted) break
    const one: Promise<void> = workOn(id).finally(() => running.delete(one))
    running.add(one)
    if (running.size >= AT_ONCE) await Promise.race(running)
  }
  await Promise.all(running)
  return { ...progress, firstError, left: [...left] }
}
