import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useSession } from '../console-context.js'
import { joinFolder } from '../format.js'
import { filesRoute, formatRoute, webhooksRoute, type FilesRoute } from '../routes.js'
import { texts } from '../texts.js'
import { Icon } from '../ui/icon.js'
import { lazyPart } from '../ui/lazy-view.js'
import { LoadProblem } from '../ui/load-problem.js'
import { useThrottled } from '../ui/use-throttled.js'
import { Skeleton } from '../ui/skeleton.js'
import { useForm } from '../ui/use-form.js'
import { useLoaded } from '../ui/use-loaded.js'
import { useTitle } from '../ui/use-title.js'
import { Crumbs } from './crumbs.js'
import type { FilesToDelete } from './delete-dialog.js'
import { DropZone } from './drop-zone.js'
import { FileTable, nothingSelected } from './file-table.js'
import { countBelow } from './files-below.js'
import { FolderTree } from './folder-tree.js'
import { NothingHere } from './nothing-here.js'
import { Pager } from './pager.js'
import { RecallsBanner } from './recalls-banner.js'
import { SearchBox } from './search-box.js'
import { SelectionBar } from './selection-bar.js'
import { UndoBar } from './undo-bar.js'
import { useZip, ZipBar } from './zip-download.js'
import { UploadButtons } from './upload-buttons.js'

const DeleteDialog = lazyPart(async () => (await import('./delete-dialog.js')).DeleteDialog)
const DetailsPanel = lazyPart(async () => (await import('./details-panel.js')).DetailsPanel)
const NewFolderDialog = lazyPart(async () => (await import('./new-folder-dialog.js')).NewFolderDialog)
const Viewer = lazyPart(async () => (await import('./viewer.js')).Viewer)

export const PAGE_SIZE = 50
/** A batch of uploads changes the list many times a second; refreshing twice a second is enough. */
const REFRESH_MS = 500
/** A confirmation dialog waits at most this long for the count. */
const COUNT_MS = 15_000

export function FilesView({ route }: { route: FilesRoute }): JSX.Element {
  const { api, uploads, navigate, replace } = useSession()
  const { project, folder, search, sort, page } = route
  const [selected, setSelected] = useState(nothingSelected)
  const [toDelete, setToDelete] = useState<FilesToDelete | null>(null)
  const [isViewing, setViewing] = useState(false)
  const [deletions, setDeletions] = useState(0)
  const place = joinFolder(project, folder)
  const undo = useForm(`undo ${project}`, { ids: '' })
  const newFolder = useForm(`new folder ${place}`, { name: '' })
  const zip = useZip()
  // The details name the file.
  useTitle(route.file === '' ? [search, folder, project] : null)
  const above = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))
  const source = JSON.stringify([project, folder, search])
  const query = { projectId: project, ...(search === '' ? { folder } : { search }), sort }

  const listing = useLoaded(JSON.stringify([query, page]), async (signal) => {
    const [files, folders] = await Promise.all([
      api.files.list({ ...query, page, limit: PAGE_SIZE, signal }),
      search === '' && page === 1 ? api.folders({ projectId: project, folder, signal }) : []
    ])
    return { ...files, folders, source }
  })

  const stored = useThrottled(uploads.stored.value, REFRESH_MS)
  useEffect(() => {
    if (stored > 0) listing.reload()
  }, [stored])
  useEffect(() => {
    setSelected(nothingSelected)
  }, [project, folder, search])

  // Another page or sort order replaces the rows when it arrives; rows of another folder are cleared at once.
  const shown = listing.value?.source === source ? listing.value : undefined
  const { files = [], folders = [], pagination = { page, limit: PAGE_SIZE, total: 0 } } = shown ?? {}
  const { total } = pagination
  // The last page may have been deleted.
  useEffect(() => {
    if (shown !== undefined && !listing.isLoading && files.length === 0 && page > 1) {
      replace({ ...route, page: Math.max(1, Math.ceil(total / PAGE_SIZE)) })
    }
  }, [listing.isLoading, files.length, page, total])

  async function askForFolder(): Promise<void> {
    const shownFolder = { projectId: project, folder }
    try {
      const count = await countBelow(api, shownFolder, AbortSignal.timeout(COUNT_MS))
      setToDelete({ count, ids: [], name: '', folders: [shownFolder] })
    } catch {
      // If the count fails, so does the list, which reports the reason.
      listing.reload()
    }
  }

  const isEmpty = shown !== undefined && files.length === 0 && folders.length === 0

  return (
    <div class="workspace">
      <FolderTree project={project} folder={folder} version={stored + deletions} />
      <DropZone
        class="page"
        place={place}
        onFiles={(dropped) => {
          uploads.add(dropped, { projectId: project, folder })
        }}
      >
        <div class="page-head">
          <Crumbs project={project} folder={folder} />
          <div class="actions">
            <UploadButtons
              onFiles={(chosen) => {
                uploads.add(chosen, { projectId: project, folder })
              }}
            />
            <button type="button" onClick={newFolder.open}>
              <Icon name="folder" />
              {texts.newFolder.open}
            </button>
            <a class="button" href={formatRoute({ view: 'trash', project, page: 1 })}>
              <Icon name="trash" />
              {texts.files.trash}
            </a>
            <a class="button" href={formatRoute(webhooksRoute(project))}>
              <Icon name="hook" />
              {texts.files.webhooks}
            </a>
            {folder !== '' && (
              <button
                type="button"
                class="danger"
                onClick={() => {
                  void askForFolder()
                }}
              >
                <Icon name="trash" />
                {texts.files.deleteFolder}
              </button>
            )}
          </div>
        </div>
        <SearchBox
          name={`search ${project}`}
          value={search}
          onSearch={(text) => {
            replace({ ...route, search: text, page: 1, file: '' })
          }}
        />
        <RecallsBanner key={project} project={project} />
        <LoadProblem of={listing} lead={texts.files.failed} />
        <UndoBar
          form={undo}
          onRestored={() => {
            setDeletions((count) => count + 1)
            listing.reload()
          }}
        />
        <ZipBar zip={zip} />
        <div class="list-head">
          <p>{shown === undefined || isEmpty ? '' : texts.files.summary(folders.length, total)}</p>
          {shown !== undefined && !isEmpty && search === '' && (
            <button
              type="button"
              class="quiet"
              onClick={() => {
                zip.start({ projectId: project, folder })
              }}
            >
              <Icon name="download" />
              {texts.files.zipAll}
            </button>
          )}
          <SelectionBar
            selected={selected}
            total={total}
            onClear={() => setSelected(nothingSelected)}
            onZip={() => {
              zip.start({
                projectId: project,
                folder,
                files: [...selected.files.keys()],
                folders: [...selected.folders.keys()].map((name) => joinFolder(folder, name))
              })
            }}
            onDelete={() => {
              const [first] = selected.files.values()
              const chosen = [...selected.folders.values()]
              setToDelete({
                count: chosen.reduce((sum, { files: below }) => sum + below, selected.files.size),
                ids: [...selected.files.keys()],
                name: first?.name ?? '',
                folders: chosen.map(({ name }) => ({ projectId: project, folder: joinFolder(folder, name) }))
              })
            }}
            onDeleteAll={() => {
              setToDelete({ count: total, query })
            }}
          />
        </div>
        {isEmpty ? (
          <NothingHere route={route} />
        ) : (
          <>
            <p class="visually-hidden" role="status">
              {search !== '' && !listing.isLoading ? texts.files.found(total, search) : ''}
            </p>
            <FileTable
              route={route}
              files={files}
              folders={folders}
              isLoading={listing.isLoading}
              selected={selected}
              onSelect={setSelected}
            />
            {shown === undefined && listing.isLoading && <Skeleton rows={8} />}
            <Pager
              page={page}
              total={total}
              pageSize={PAGE_SIZE}
              onPage={(to) => {
                navigate({ ...route, page: to, file: '' })
              }}
            />
          </>
        )}
      </DropZone>
      {route.file !== '' && (
        <DetailsPanel
          id={route.file}
          project={project}
          onView={() => {
            setViewing(true)
          }}
          onClose={() => {
            replace({ ...route, file: '' })
          }}
          onChanged={(changed) => {
            listing.reload()
            setDeletions((count) => count + 1)
            if (search === '' && changed.folder !== folder) {
              navigate(filesRoute(project, { folder: changed.folder, file: changed.id }))
            }
          }}
          onDelete={({ id, name }) => {
            setToDelete({ count: 1, ids: [id], name, folders: [] })
          }}
        />
      )}
      {isViewing && route.file !== '' && (
        <Viewer
          files={files}
          id={route.file}
          onShow={(id) => {
            replace({ ...route, file: id })
          }}
          onClose={() => {
            setViewing(false)
          }}
        />
      )}
      {newFolder.isOpen && (
        <NewFolderDialog
          form={newFolder}
          onChosen={(name) => {
            newFolder.close()
            navigate(filesRoute(project, { folder: joinFolder(folder, name.replace(/^\/+|\/+$/g, '')) }))
          }}
        />
      )}
      {toDelete !== null && (
        <DeleteDialog
          files={toDelete}
          onClose={() => {
            setToDelete(null)
          }}
          onDeleted={(gone) => {
            if (gone.length > 0) undo.set({ ids: gone.join(' ') })
            else undo.close()
            setSelected(nothingSelected)
            setDeletions((count) => count + 1)
            // The folder on display no longer exists.
            if ('folders' in toDelete && toDelete.folders.some((gone) => gone.folder === folder)) {
              navigate(filesRoute(project, { folder: above }))
            } else if (route.file !== '') {
              replace({ ...route, file: '' })
            }
            listing.reload()
          }}
        />
      )}
    </div>
  )
}
