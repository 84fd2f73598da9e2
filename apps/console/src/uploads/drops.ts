import { signal, type ReadonlySignal } from '@preact/signals'
import type { FileToUpload } from './upload.js'

/** Files that were dropped where no project is shown. They wait until the user names a project. */
export interface Drops {
  files: ReadonlySignal<readonly FileToUpload[]>
  add: (files: readonly FileToUpload[]) => void
  /** Empties the list and returns what was in it. */
  take: () => readonly FileToUpload[]
}

export function createDrops(ended: AbortSignal): Drops {
  const files = signal<readonly FileToUpload[]>([])
  function take(): readonly FileToUpload[] {
    const taken = files.value
    files.value = []
    return taken
  }
  ended.addEventListener('abort', take, { once: true })
  return {
    files,
    take,
    add: (more) => {
      if (!ended.aborted) files.value = [...files.value, ...more]
    }
  }
}
