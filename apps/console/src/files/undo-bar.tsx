import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useSession } from '../console-context.js'
import { explainError } from '../explain-error.js'
import { texts } from '../texts.js'
import { forEachFile } from './for-each-file.js'

export interface UndoBarProps {
  /** Of files that were moved to the trash last; empty for none. */
  ids: readonly string[]
  /** @param left those that are still in the trash */
  onRestored: (left: readonly string[]) => void
}

/** Says how many files were deleted, and restores them. Always rendered, so that screen readers announce it. */
export function UndoBar({ ids, onRestored }: UndoBarProps): JSX.Element {
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

  return (
    <div class="undo-bar" data-empty={ids.length === 0 && problem === ''}>
      <span role="status">{ids.length === 0 || problem !== '' ? '' : texts.deleting.done(ids.length)}</span>
      <span class="problem" role="alert">
        {problem}
      </span>
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
    </div>
  )
}
