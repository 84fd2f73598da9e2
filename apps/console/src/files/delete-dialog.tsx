import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { NotFoundError, type ListOptions } from '@filewright/client/browser'
import { useApi } from '../console-context.js'
import { explainError } from '../explain-error.js'
import { texts } from '../texts.js'
import { Dialog } from '../ui/dialog.js'
import { useLoaded } from '../ui/use-loaded.js'
import { forEachFile, type WorkProgress } from './for-each-file.js'
import { idsBelow, type FolderPlace } from './files-below.js'

/** Selected files and folders with everything below them, or everything that a list shows on all pages. */
export type FilesToDelete =
  | {
      count: number
      ids: readonly string[]
      /** Of the first file. */
      name: string
      folders: readonly FolderPlace[]
    }
  | { count: number; query: ListOptions }

export interface DeleteDialogProps {
  files: FilesToDelete
  onClose: () => void
  /** Called when at least one file may have been deleted, with those that can be restored. */
  onDeleted: (restorable: readonly string[]) => void
}

/** Names the item to delete, if it has a name. */
function titleOf(files: FilesToDelete): string {
  if ('query' in files) return texts.deleting.title(files.count)
  const { count, ids, name, folders } = files
  const [first, ...others] = folders
  if (first === undefined) return count === 1 ? texts.deleting.oneTitle(name) : texts.deleting.title(count)
  if (ids.length + others.length > 0) return texts.deleting.foldersTitle(folders.length, count)
  return texts.deleting.folderTitle(first.folder.slice(first.folder.lastIndexOf('/') + 1), count)
}

export function DeleteDialog({ files, onClose, onDeleted }: DeleteDialogProps): JSX.Element {
  const api = useApi()
  const service = useLoaded('service', async (signal) => await api.service({ signal }))
  const trashDays = service.value?.limits.trash_days ?? 0
  const [progress, setProgress] = useState<WorkProgress | null>(null)
  const [problem, setProblem] = useState('')
  const abort = useRef<AbortController | null>(null)

  /** Collects all names first, because pages shift while files are deleted. */
  async function idsOf(signal: AbortSignal): Promise<readonly string[]> {
    if ('query' in files) {
      const ids = new Set<string>()
      for await (const { id } of api.files.iterate({ ...files.query, signal })) ids.add(id)
      return [...ids]
    }
    const ids = new Set(files.ids)
    for (const place of files.folders) for await (const id of idsBelow(api, place, signal)) ids.add(id)
    return [...ids]
  }

  async function run(): Promise<void> {
    abort.current = new AbortController()
    const { signal } = abort.current
    setProblem('')
    setProgress({ done: 0, failed: 0 })
    const gone: string[] = []
    try {
      const remove = async (id: string): Promise<void> => {
        try {
          await api.files.delete(id, { signal })
          gone.push(id)
        } catch (error) {
          // Someone else has deleted it.
          if (!(error instanceof NotFoundError)) throw error
        }
      }
      const result = await forEachFile(await idsOf(signal), remove, { signal, onProgress: setProgress })
      if (result.failed === 0) onClose()
      else setProblem(texts.deleting.failed(result.failed, explainError(result.firstError)))
    } catch (error) {
      if (!signal.aborted) setProblem(explainError(error))
    } finally {
      setProgress(null)
      onDeleted(trashDays > 0 ? gone : [])
    }
  }

  function close(): void {
    abort.current?.abort()
    onClose()
  }

  return (
    <Dialog title={titleOf(files)} onClose={close}>
      <p>{service.isLoading ? '' : texts.deleting.lead(files.count, trashDays)}</p>
      {progress !== null && (
        <div class="deleting">
          <progress
            max={files.count}
            value={progress.done + progress.failed}
            aria-label={texts.deleting.button(files.count)}
          />
          <p role="status">{texts.deleting.progress(progress.done, files.count)}</p>
        </div>
      )}
      <p class="problem" role="alert">
        {problem}
      </p>
      <div class="actions end">
        <button type="button" onClick={close}>
          {progress === null ? texts.cancel : texts.deleting.stop}
        </button>
        {progress === null && (
          <button
            type="button"
            class="danger solid"
            onClick={() => {
              void run()
            }}
          >
            {texts.deleting.button(files.count)}
          </button>
        )}
      </div>
    </Dialog>
  )
}
