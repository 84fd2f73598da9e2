import type { JSX } from 'preact'
import type { TrashedFile } from '@filewright/client/browser'
import { formatBytes, formatTime } from '../format.js'
import { texts } from '../texts.js'
import { Icon, iconOfType } from '../ui/icon.js'
import { trashTexts } from './trash-texts.js'

export interface TrashTableProps {
  files: readonly TrashedFile[]
  isLoading: boolean
  isWorking: boolean
  selected: ReadonlySet<string>
  onSelect: (selected: ReadonlySet<string>) => void
  onRestore: (id: string) => void
}

export function TrashTable({
  files,
  isLoading,
  isWorking,
  selected,
  onSelect,
  onRestore
}: TrashTableProps): JSX.Element {
  function select(isSelected: boolean, ids: readonly string[]): void {
    const next = new Set(selected)
    for (const id of ids) {
      if (isSelected) next.add(id)
      else next.delete(id)
    }
    onSelect(next)
  }

  return (
    <div class="table-frame">
      <table class="files trash" aria-busy={isLoading}>
        <thead>
          <tr>
            <th scope="col" class="column-check">
              <input
                type="checkbox"
                aria-label={texts.files.selectPage}
                checked={files.length > 0 && files.every(({ id }) => selected.has(id))}
                disabled={files.length === 0}
                onChange={(event) => {
                  select(
                    event.currentTarget.checked,
                    files.map(({ id }) => id)
                  )
                }}
              />
            </th>
            <th scope="col" class="column-name">
              {trashTexts.name}
            </th>
            <th scope="col" class="column-folder">
              {trashTexts.folder}
            </th>
            <th scope="col" class="column-size">
              {trashTexts.size}
            </th>
            <th scope="col" class="column-created_at">
              {trashTexts.until}
            </th>
            <td class="column-action" />
          </tr>
        </thead>
        <tbody>
          {files.map(({ id, name, folder, size, type, expires_at: until }) => (
            <tr key={id} data-selected={selected.has(id)}>
              <td class="column-check">
                <input
                  type="checkbox"
                  aria-label={texts.files.select(name)}
                  checked={selected.has(id)}
                  onChange={(event) => {
                    select(event.currentTarget.checked, [id])
                  }}
                />
              </td>
              <th scope="row" class="column-name">
                <span class="name">
                  <Icon name={iconOfType(type)} />
                  <bdi>{name}</bdi>
                </span>
              </th>
              <td class="column-folder">
                <bdi>{folder === '' ? texts.details.root : folder}</bdi>
              </td>
              <td class="column-size">{formatBytes(size)}</td>
              <td class="column-created_at">
                <time dateTime={until}>{formatTime(until)}</time>
              </td>
              <td class="column-action">
                <button
                  type="button"
                  class="link"
                  aria-label={trashTexts.restoreOne(name)}
                  disabled={isWorking}
                  onClick={() => {
                    onRestore(id)
                  }}
                >
                  {trashTexts.restore}
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
