import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { ProjectSummary } from '@filewright/client/browser'
import { useSession } from '../console-context.js'
import { formatBytes, formatNumber } from '../format.js'
import { filesRoute, formatRoute } from '../routes.js'
import { texts } from '../texts.js'
import { EmptyState } from '../ui/empty-state.js'
import { Icon } from '../ui/icon.js'
import { LoadProblem } from '../ui/load-problem.js'
import { useLoaded } from '../ui/use-loaded.js'
import type { FileToUpload } from '../uploads/upload-queue.js'
import { DropZone } from './drop-zone.js'
import { ProjectDialog } from './project-dialog.js'
import { UploadButtons } from './upload-buttons.js'

export function ProjectsView(): JSX.Element {
  const { api, uploads, navigate } = useSession()
  const [dropped, setDropped] = useState<FileToUpload[]>([])
  const [isNaming, setNaming] = useState(false)
  const projects = useLoaded('projects', async (signal) => await api.projects({ signal }))
  const stored = uploads.stored.value
  useEffect(() => {
    if (stored > 0) projects.reload()
  }, [stored])

  const known = projects.value ?? []
  const isAsking = isNaming || dropped.length > 0

  function chosen(project: string): void {
    uploads.add(dropped, { projectId: project, folder: '' })
    close()
    navigate(filesRoute(project))
  }

  function close(): void {
    setDropped([])
    setNaming(false)
  }

  return (
    <DropZone class="page" place={texts.views.files} onFiles={setDropped}>
      <div class="page-head">
        <h1>{texts.projects.title}</h1>
        <div class="actions">
          <UploadButtons onFiles={setDropped} />
          <button
            type="button"
            onClick={() => {
              setNaming(true)
            }}
          >
            <Icon name="plus" />
            {texts.projects.open}
          </button>
        </div>
      </div>
      <LoadProblem of={projects} />
      {projects.value !== undefined && known.length === 0 && (
        <EmptyState icon="upload" title={texts.projects.empty} lead={texts.projects.emptyLead} />
      )}
      {known.length > 0 && <ProjectList projects={known} />}
      {isAsking && (
        <ProjectDialog
          title={isNaming ? texts.projects.openTitle : texts.projects.chooseTitle(dropped.length)}
          help={isNaming ? texts.projects.openHelp : texts.projects.chooseHelp}
          button={isNaming ? texts.projects.openButton : texts.projects.chooseButton}
          projects={isNaming ? [] : known}
          start={isNaming ? '' : (known[0]?.id ?? texts.projects.standardName)}
          onChosen={chosen}
          onClose={close}
        />
      )}
    </DropZone>
  )
}

function ProjectList({ projects }: { projects: readonly ProjectSummary[] }): JSX.Element {
  return (
    <ul class="project-list">
      {projects.map(({ id, files, bytes }) => (
        <li key={id}>
          <a href={formatRoute(filesRoute(id))}>
            <span class="project-icon">
              <Icon name="folder" />
            </span>
            <bdi class="project-name">{id}</bdi>
            <span class="muted">
              {formatNumber(files)} {files === 1 ? 'file' : 'files'} · {formatBytes(bytes)}
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}
