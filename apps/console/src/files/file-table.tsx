import type { JSX } from 'preact'
import type { DetailedFileSummary, FolderSummary, SortOrder } from '@filewright/client/browser'
import { formatBytes, formatTime, joinFolder } from '../format.js'
import { filesRoute, formatRoute, type FilesRoute } from '../routes.js'
import { texts } from '../texts.js'
import { Icon, iconOfType } from '../ui/icon.js'
import { useRange } from '../keyboard/use-range.js'

/** Files by their ids, folders by their names. */
export interface Selection {
  files: ReadonlyMap<string, DetailedFileSummary>
  folders: ReadonlyMap<string, FolderSummary>
}

export const nothingSelected: Selection = { files: new Map(), folders: new Map() }

interface Chosen {
  files: readonly DetailedFileSummary[]
  folders: readonly FolderSummary[]
}

/** No id of a file has a space. */
const folderKey = (name: string): string => `folder ${name}`

function withChosen(selected: Selection, chosen: Chosen, isOn: boolean): Selection {
  const next = { files: new Map(selected.files), folders: new Map(selected.folders) }
  for (const file of chosen.files) {
    if (isOn) next.files.set(file.id, file)
    else next.files.delete(file.id)
  }
  for (const folder of chosen.folders) {
    if (isOn) next.folders.set(folder.name, folder)
    else next.folders.delete(folder.name)
  }
  return next
}

export interface FileTableProps {
  route: FilesRoute
  files: readonly DetailedFileSummary[]
  folders: readonly FolderSummary[]
  isLoading: boolean
  selected: Selection
  onSelect: (selected: Selection) => void
}

type SortColumn = 'name' | 'size' | 'created_at'

function SortHeader({
  route,
  column,
  label
}: {
  route: FilesRoute
  column: SortColumn
  label: string
}): JSX.Element {
  const isUp = route.sort === column
  const isDown = route.sort === `-${column}`
  // Names sort from A, sizes and dates from the largest.
  const first: SortOrder = column === 'name' ? column : `-${column}`
  const other: SortOrder = column === 'name' ? `-${column}` : column
  const next = route.sort === first ? other : first
  return (
    <th
      scope="col"
      class={`column-${column}`}
      aria-sort={isUp ? 'ascending' : isDown ? 'descending' : 'none'}
    >
      <a href={formatRoute({ ...route, sort: next, page: 1 })}>
        {label}
        {(isUp || isDown) && <Icon name={isUp ? 'up' : 'down'} />}
      </a>
    </th>
  )
}

export function FileTable({
  route,
  files,
  folders,
  isLoading,
  selected,
  onSelect
}: FileTableProps): JSX.Element {
  const isSearch = route.search !== ''
  const isEmpty = files.length + folders.length === 0
  const areAllSelected =
    !isEmpty &&
    files.every(({ id }) => selected.files.has(id)) &&
    folders.every(({ name }) => selected.folders.has(name))

  const chosenBy = (keys: ReadonlySet<string>): Chosen => ({
    files: files.filter(({ id }) => keys.has(id)),
    folders: folders.filter(({ name }) => keys.has(folderKey(name)))
  })
  const range = useRange({
    keys: [...folders.map(({ name }) => folderKey(name)), ...files.map(({ id }) => id)],
    selected,
    isSelected: (key) =>
      selected.files.has(key) || [...selected.folders.keys()].some((name) => folderKey(name) === key),
    withRows: (before, keys, isOn) => withChosen(before, chosenBy(new Set(keys)), isOn),
    onSelect
  })

  return (
    <div class="table-frame">
      <table class="files" aria-busy={isLoading}>
        <thead>
          <tr>
            <th scope="col" class="column-check">
              <input
                type="checkbox"
                aria-label={texts.files.selectPage}
                checked={areAllSelected}
                disabled={isEmpty}
                onChange={(event) => {
                  onSelect(withChosen(selected, { files, folders }, event.currentTarget.checked))
                }}
              />
            </th>
            <SortHeader route={route} column="name" label={texts.files.name} />
            {isSearch && (
              <th scope="col" class="column-folder">
                {texts.files.folder}
              </th>
            )}
            <SortHeader route={route} column="size" label={texts.files.size} />
            <th scope="col" class="column-type">
              {texts.files.type}
            </th>
            <SortHeader route={route} column="created_at" label={texts.files.created} />
          </tr>
        </thead>
        <tbody onMouseDown={range.hold} onKeyDown={range.press}>
          {folders.map((folder) => (
            <FolderRow
              key={`folder ${folder.name}`}
              route={route}
              folder={folder}
              isSelected={selected.folders.has(folder.name)}
              onChoose={range.choose}
            />
          ))}
          {files.map((file) => (
            <tr
              key={file.id}
              data-row={file.id}
              data-current={file.id === route.file}
              data-selected={selected.files.has(file.id)}
              onClick={(event) => {
                range.choose(event, file.id)
              }}
            >
              <td class="column-check">
                <input
                  type="checkbox"
                  aria-label={texts.files.select(file.name)}
                  checked={selected.files.has(file.id)}
                />
              </td>
              <th scope="row" class="column-name">
                <a href={formatRoute({ ...route, file: file.id })} data-file={file.id}>
                  <Icon name={iconOfType(file.type)} />
                  <bdi>{file.name}</bdi>
                </a>
              </th>
              {isSearch && (
                <td class="column-folder">
                  <a href={formatRoute(filesRoute(route.project, { folder: file.folder }))}>
                    <bdi>{file.folder === '' ? route.project : file.folder}</bdi>
                  </a>
                </td>
              )}
              <td class="column-size">{formatBytes(file.size)}</td>
              <td class="column-type">{file.type}</td>
              <td class="column-created_at">
                <time dateTime={file.created_at}>{formatTime(file.created_at)}</time>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface FolderRowProps {
  route: FilesRoute
  folder: FolderSummary
  isSelected: boolean
  onChoose: (event: MouseEvent, key: string) => void
}

function FolderRow({ route, folder, isSelected, onChoose }: FolderRowProps): JSX.Element {
  const to = filesRoute(route.project, { folder: joinFolder(route.folder, folder.name), sort: route.sort })
  return (
    <tr
      class="folder-row"
      data-row={folderKey(folder.name)}
      data-selected={isSelected}
      onClick={(event) => {
        onChoose(event, folderKey(folder.name))
      }}
    >
      <td class="column-check">
        <input type="checkbox" aria-label={texts.files.selectFolder(folder.name)} checked={isSelected} />
      </td>
      <th scope="row" class="column-name">
        <a href={formatRoute(to)}>
          <Icon name="folder" class="folder-icon" />
          <bdi>{folder.name}</bdi>
        </a>
      </th>
      <td class="column-size">{formatBytes(folder.bytes)}</td>
      <td class="column-type">{texts.files.folder}</td>
      <td class="column-created_at">{texts.files.folderSummary(folder.files)}</td>
    </tr>
  )
}
