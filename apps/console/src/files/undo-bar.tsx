import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useSession } from '../console-context.js'
import { explainError } from '../explain-error.js'
import { texts } from '../texts.js'
import type { Form } from '../ui/form.js'
import { NoticeBar } from '../ui/notice-bar.js'
import { forEachFile } from './for-each-file.js'

export interface UndoBarProps {
  /** The ids of the files that were moved to the trash last, separated by spaces. */
  form: Form<{ ids: string }>
  onRestored: () => void
}

/** Says how many files were deleted, and restores them. */
export function UndoBar({ form, onRestored }: UndoBarProps): JSX.Element {
  const { api, signal } = useSession()
  const [isRestoring, setRestoring] = useState(false)
  const [failure, setFailure] = useState({ ids: '', problem: '' })
  const ids = form.values.ids.split(' ').filter((id) => id !== '')
  // A later deletion has another list.
  const problem = failure.ids === form.values.ids ? failure.problem : ''

  async function undo(): Promise<void> {
    setRestoring(true)
    setFailure({ ids: '', problem: '' })
    const { failed, firstError, left } = await forEachFile(ids, async (id) => await api.trash.restore(id), {
      signal,
      onProgress: () => {}
    })
    setRestoring(false)
    if (failed > 0) {
      setFailure({
        ids: left.join(' '),
        problem: texts.deleting.undoFailed(failed, explainError(firstError))
      })
    }
    if (left.length === 0) form.close()
    else form.set({ ids: left.join(' ') })
    onRestored()
  }

  return (
    <NoticeBar
      note={problem === '' && ids.length > 0 ? texts.deleting.done(ids.length) : ''}
      problem={problem}
      onClose={isRestoring ? undefined : form.close}
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
