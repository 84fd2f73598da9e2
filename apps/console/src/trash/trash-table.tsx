import type { JSX } from 'preact'
import type { TrashedFile } from '@filewright/client/browser'
import { formatBytes, formatTime } from '../format.js'
import { texts } from '../texts.js'
import { Icon, iconOfType } from '../ui/icon.js'
import { useRange } from '../keyboard/use-range.js'
import { trashTexts } from './trash-texts.js'

export interface TrashTableProps {
  files: readonly TrashedFile[]
  isLoading: boolean
  isWorking: boolean
  selected: ReadonlySet<string>
  onSelect: (selected: ReadonlySet<string>) => void
  onRestore: (id: string) => void
}

function withRows(selected: ReadonlySet<string>, ids: readonly string[], isOn: boolean): ReadonlySet<string> {
  return isOn ? new Set([...selected, ...ids]) : new Set([...selected].filter((id) => !ids.includes(id)))
}

export function TrashTable({
  files,
  isLoading,
  isWorking,
  selected,
  onSelect,
  onRestore
}: TrashTableProps): JSX.Element {
  const ids = files.map(({ id }) => id)
  const range = useRange({ keys: ids, selected, isSelected: (id) => selected.has(id), withRows, onSelect })

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
                  onSelect(withRows(selected, ids, event.currentTarget.checked))
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
        <tbody onMouseDown={range.hold} onKeyDown={range.press}>
          {files.map(({ id, name, folder, size, type, expires_at: until }) => (
            <tr
              key={id}
              data-row={id}
              data-selected={selected.has(id)}
              onClick={(event) => {
                range.choose(event, id)
              }}
            >
              <td class="column-check">
                <input type="checkbox" aria-label={texts.files.select(name)} checked={selected.has(id)} />
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
