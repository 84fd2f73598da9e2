import type { JSX } from 'preact'
import { texts } from '../texts.js'
import { Icon } from '../ui/icon.js'

export interface SelectionBarProps {
  selected: ReadonlyMap<string, unknown>
  /** In the list, on all pages. */
  total: number
  onClear: () => void
  onDelete: () => void
  onDeleteAll: () => void
}

/** Actions for the selected files. Always rendered, so that screen readers announce their number. */
export function SelectionBar({
  selected,
  total,
  onClear,
  onDelete,
  onDeleteAll
}: SelectionBarProps): JSX.Element {
  const count = selected.size
  return (
    <div class="selection-bar" data-empty={count === 0}>
      <span role="status">{count > 0 ? texts.files.selected(count) : ''}</span>
      {count > 0 && (
        <div class="actions">
          <button type="button" class="danger" onClick={onDelete}>
            <Icon name="trash" />
            {texts.files.delete}
          </button>
          {total > count && (
            <button type="button" class="quiet" onClick={onDeleteAll}>
              {texts.files.deleteAll(total)}
            </button>
          )}
          <button type="button" class="quiet clear-selection" onClick={onClear}>
            {texts.files.clearSelection}
          </button>
        </div>
      )}
    </div>
  )
}
