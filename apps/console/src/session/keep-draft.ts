import { effect, untracked } from '@preact/signals'
import type { Workspace } from '../editor/workspace.js'
import type { Draft } from './draft-store.js'

/** A crash loses at most this much typing. */
const PAUSE_MS = 300

export interface KeepDraftDeps {
  workspace: Workspace
  write: (draft: Draft | null) => void
  signal: AbortSignal
  /** Where `pagehide` is dispatched. */
  page: Pick<EventTarget, 'addEventListener'>
}

/** Writes the editor's unsaved code and the prompt to the store a moment after each change, until the session ends. */
export function keepDraft({ workspace, write, signal, page }: KeepDraftDeps): void {
  let timer: ReturnType<typeof setTimeout> | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (signal.aborted) return
    const unfinished = untracked(workspace.unfinished)
    write(unfinished === null ? null : { ...unfinished, savedAt: Date.now() })
  }

  const stop = effect(() => {
    // Reads everything that a draft has, so that each change of it counts.
    void workspace.unfinished()
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
