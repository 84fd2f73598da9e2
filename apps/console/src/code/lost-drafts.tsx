import type { JSX } from 'preact'
import { useConsole, useSession } from '../console-context.js'
import { formatTime } from '../format.js'
import type { LostDraft } from '../session/draft-store.js'
import { texts } from '../texts.js'

/** Offers the code of tabs that crashed or were closed, the newest first. */
export function LostDrafts(): JSX.Element | null {
  const { drafts } = useConsole()
  const { workspace, lostDrafts } = useSession()
  const [draft, ...others] = lostDrafts.value
  if (draft === undefined) return null

  function drop({ key }: LostDraft): void {
    drafts.forget(key)
    lostDrafts.value = others
  }

  return (
    <div class="note lost-draft" role="status">
      <bdi>
        {texts.code.lost(
          draft.name === '' ? texts.code.untitled : draft.name,
          formatTime(new Date(draft.savedAt).toISOString())
        )}
      </bdi>
      <div class="actions">
        {/* Restoring would replace code that is not saved either. */}
        <button
          type="button"
          disabled={workspace.isDirty.value}
          onClick={() => {
            workspace.restore(draft)
            drop(draft)
          }}
        >
          {texts.code.restore}
        </button>
        <button
          type="button"
          class="danger"
          onClick={() => {
            drop(draft)
          }}
        >
          {texts.code.deleteLost}
        </button>
      </div>
    </div>
  )
}
