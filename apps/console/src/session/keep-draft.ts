import { effect, untracked } from '@preact/signals'
import type { Draft } from './draft-store.js'
import type { Unfinished } from './unfinished.js'

/** A crash loses at most this much typing. */
const PAUSE_MS = 300

export interface KeepDraftDeps {
  /** Reads everything that a draft has, so that each change of it counts. */
  unfinished: () => Unfinished | null
  write: (draft: Draft | null) => void
  signal: AbortSignal
  /** Where `pagehide` is dispatched. */
  page: Pick<EventTarget, 'addEventListener'>
}

/** Writes unfinished work to the store a moment after each change, until the session ends. */
export function keepDraft({ unfinished, write, signal, page }: KeepDraftDeps): void {
  let timer: ReturnType<typeof setTimeout> | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (signal.aborted) return
    const work = untracked(unfinished)
    write(work === null ? null : { ...work, savedAt: Date.now() })
  }

  const stop = effect(() => {
    void unfinished()
    timer ??= setTimeout(flush, PAUSE_MS)
  })
  // A draft that was just restored has left the store.
  flush()
  page.addEventListener('pagehide', flush, { signal })
  signal.addEventListener('abort', () => {
    clearTimeout(timer)
    stop()
  })
}
