import type { JSX } from 'preact'
import { texts } from '../texts.js'
import { Icon } from '../ui/icon.js'
import type { Selection } from './file-table.js'

export interface SelectionBarProps {
  selected: Selection
  /** In the list, on all pages. */
  total: number
  onClear: () => void
  onZip: () => void
  onDelete: () => void
  onDeleteAll: () => void
}

/** Actions for the selected files. Always rendered, so that screen readers announce their number. */
export function SelectionBar({
  selected,
  total,
  onClear,
  onZip,
  onDelete,
  onDeleteAll
}: SelectionBarProps): JSX.Element {
  const count = selected.files.size + selected.folders.size
  return (
    <div class="selection-bar" data-empty={count === 0}>
      <span role="status">
        {count > 0 ? texts.files.selected(selected.folders.size, selected.files.size) : ''}
      </span>
      {count > 0 && (
        <div class="actions">
          <button type="button" onClick={onZip}>
            <Icon name="download" />
            {texts.files.zip}
          </button>
          <button type="button" class="danger" onClick={onDelete}>
            <Icon name="trash" />
            {texts.files.delete}
          </button>
          {selected.folders.size === 0 && total > count && (
            <button type="button" class="quiet" onClick={onDeleteAll}>
              {texts.files.deleteAll(total)}
            </button>
          )}
          <button
            type="button"
            class="icon-button clear-selection"
            aria-label={texts.files.clearSelection}
            title={texts.files.clearSelection}
            onClick={onClear}
          >
            <Icon name="close" />
          </button>
        </div>
      )}
    </div>
  )
}
