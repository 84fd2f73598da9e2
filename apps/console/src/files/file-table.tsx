import type { JSX } from 'preact'
import type { DetailedFileSummary, FolderSummary, SortOrder } from '@filewright/client/browser'
import { formatBytes, formatTime, joinFolder } from '../format.js'
import { filesRoute, formatRoute, type FilesRoute } from '../routes.js'
import { texts } from '../texts.js'
import { Icon, iconOfType } from '../ui/icon.js'

/** Files by their ids, folders by their names. */
export interface Selection {
  files: ReadonlyMap<string, DetailedFileSummary>
  folders: ReadonlyMap<string, FolderSummary>
}

export const nothingSelected: Selection = { files: new Map(), folders: new Map() }

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

  function select(
    isSelected: boolean,
    chosen: { files?: readonly DetailedFileSummary[]; folders?: readonly FolderSummary[] }
  ): void {
    const next = { files: new Map(selected.files), folders: new Map(selected.folders) }
    for (const file of chosen.files ?? []) {
      if (isSelected) next.files.set(file.id, file)
      else next.files.delete(file.id)
    }
    for (const folder of chosen.folders ?? []) {
      if (isSelected) next.folders.set(folder.name, folder)
      else next.folders.delete(folder.name)
    }
    onSelect(next)
  }

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
                  select(event.currentTarget.checked, { files, folders })
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
        <tbody>
          {folders.map((folder) => (
            <FolderRow
              key={`folder ${folder.name}`}
              route={route}
              folder={folder}
              isSelected={selected.folders.has(folder.name)}
              onSelect={(isSelected) => {
                select(isSelected, { folders: [folder] })
              }}
            />
          ))}
          {files.map((file) => (
            <tr
              key={file.id}
              data-current={file.id === route.file}
              data-selected={selected.files.has(file.id)}
            >
              <td class="column-check">
                <input
                  type="checkbox"
                  aria-label={texts.files.select(file.name)}
                  checked={selected.files.has(file.id)}
                  onChange={(event) => {
                    select(event.currentTarget.checked, { files: [file] })
                  }}
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
  onSelect: (isSelected: boolean) => void
}

function FolderRow({ route, folder, isSelected, onSelect }: FolderRowProps): JSX.Element {
  const to = filesRoute(route.project, { folder: joinFolder(route.folder, folder.name), sort: route.sort })
  return (
    <tr class="folder-row" data-selected={isSelected}>
      <td class="column-check">
        <input
          type="checkbox"
          aria-label={texts.files.selectFolder(folder.name)}
          checked={isSelected}
          onChange={(event) => {
            onSelect(event.currentTarget.checked)
          }}
        />
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
