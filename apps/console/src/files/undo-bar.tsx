import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useApi } from '../console-context.js'
import { texts } from '../texts.js'
import { NoticeBar } from '../ui/notice-bar.js'
import { deleteMany } from './delete-many.js'

const AT_ONCE = 6

export interface UndoBarProps {
  /** Of files that were moved to the trash last; empty for none. */
  ids: readonly string[]
  onRestored: () => void
  onClose: () => void
}

/** Says how many files were deleted, and restores them. */
export function UndoBar({ ids, onRestored, onClose }: UndoBarProps): JSX.Element {
  const api = useApi()
  const [state, setState] = useState<'idle' | 'restoring' | 'failed'>('idle')
  const [failed, setFailed] = useState(0)
  useEffect(() => {
    setState('idle')
  }, [ids])

  async function undo(): Promise<void> {
    setState('restoring')
    const result = await deleteMany(ids, {
      concurrency: AT_ONCE,
      signal: new AbortController().signal,
      remove: async (id) => {
        // A file that has left the trash is a failure here, though it is gone.
        await api.trash.restore(id).catch((error: unknown) => {
          throw new Error('not restored', { cause: error })
        })
      },
      onProgress: () => {}
    })
    setFailed(result.failed)
    setState(result.failed > 0 ? 'failed' : 'idle')
    onRestored()
  }

  const note = ids.length === 0 ? '' : texts.deleting.done(ids.length)
  return (
    <NoticeBar
      note={state === 'failed' ? '' : note}
      problem={state === 'failed' ? texts.deleting.undoFailed(failed) : ''}
      onClose={
        state === 'restoring'
          ? undefined
          : () => {
              setState('idle')
              onClose()
            }
      }
    >
      {ids.length > 0 && (
        <button
          type="button"
          class="link"
          disabled={state === 'restoring'}
          onClick={() => {
            void undo()
          }}
        >
          {state === 'restoring' ? texts.deleting.undoing : texts.deleting.undo}
        </button>
      )}
    </NoticeBar>
  )
}
