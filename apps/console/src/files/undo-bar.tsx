import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useSession } from '../console-context.js'
import { explainError } from '../explain-error.js'
import { texts } from '../texts.js'
import { NoticeBar } from '../ui/notice-bar.js'
import { forEachFile } from './for-each-file.js'

export interface UndoBarProps {
  /** Of files that were moved to the trash last; empty for none. */
  ids: readonly string[]
  /** @param left those that are still in the trash */
  onRestored: (left: readonly string[]) => void
  onClose: () => void
}

/** Says how many files were deleted, and restores them. */
export function UndoBar({ ids, onRestored, onClose }: UndoBarProps): JSX.Element {
  const { api, signal } = useSession()
  const [isRestoring, setRestoring] = useState(false)
  const [problem, setProblem] = useState('')
  const retried = useRef(ids)
  useEffect(() => {
    if (ids !== retried.current) setProblem('')
  }, [ids])

  async function undo(): Promise<void> {
    setRestoring(true)
    setProblem('')
    const { failed, firstError, left } = await forEachFile(ids, async (id) => await api.trash.restore(id), {
      signal,
      onProgress: () => {}
    })
    if (failed > 0) setProblem(texts.deleting.undoFailed(failed, explainError(firstError)))
    setRestoring(false)
    retried.current = left
    onRestored(left)
  }

  const note = ids.length === 0 ? '' : texts.deleting.done(ids.length)
  return (
    <NoticeBar
      note={problem === '' ? note : ''}
      problem={problem}
      onClose={
        isRestoring
          ? undefined
          : () => {
              setProblem('')
              onClose()
            }
      }
    >
      {ids.length > 0 && (
        <button
          type="button"
          class="link"
          disabled={isRestoring}
          onClick={() => {
            void undo()
          }}
        >
          {isRestoring ? texts.deleting.undoing : texts.deleting.undo}
        </button>
      )}
    </NoticeBar>
  )
}
