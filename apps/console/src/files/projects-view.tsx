import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { ProjectSummary } from '@filewright/client/browser'
import { useSession } from '../console-context.js'
import { formatBytes, formatNumber } from '../format.js'
import { filesRoute, formatRoute } from '../routes.js'
import { texts } from '../texts.js'
import { EmptyState } from '../ui/empty-state.js'
import { Icon } from '../ui/icon.js'
import { LoadProblem } from '../ui/load-problem.js'
import { ProjectDialog } from '../ui/project-dialog.js'
import { Skeleton } from '../ui/skeleton.js'
import { useForm } from '../ui/use-form.js'
import { useLoaded } from '../ui/use-loaded.js'
import { useTitle } from '../ui/use-title.js'
import { AcceptedKinds } from './nothing-here.js'
import { DropZone } from './drop-zone.js'
import { UploadButtons } from './upload-buttons.js'

export function ProjectsView(): JSX.Element {
  const { api, uploads, navigate, drops } = useSession()
  useTitle([texts.projects.title])
  const naming = useForm('new project', { project: '' })
  const projects = useLoaded('projects', async (signal) => await api.projects({ signal }))
  const stored = uploads.stored.value
  useEffect(() => {
    if (stored > 0) projects.reload()
  }, [stored])

  const known = projects.value ?? []

  return (
    <DropZone class="page" place={texts.views.files} onFiles={drops.add}>
      <div class="page-head">
        <h1>{texts.projects.title}</h1>
        <div class="actions">
          <UploadButtons onFiles={drops.add} />
          <button type="button" onClick={naming.open}>
            <Icon name="plus" />
            {texts.projects.open}
          </button>
        </div>
      </div>
      <LoadProblem of={projects} />
      {projects.value !== undefined && known.length === 0 && (
        <EmptyState icon="upload" title={texts.projects.empty} lead={texts.projects.emptyLead}>
          <AcceptedKinds />
        </EmptyState>
      )}
      {projects.value === undefined && projects.isLoading && <Skeleton rows={4} />}
      {known.length > 0 && <ProjectList projects={known} />}
      {naming.isOpen && (
        <ProjectDialog
          title={texts.projects.openTitle}
          help={texts.projects.openHelp}
          button={texts.projects.openButton}
          projects={[]}
          start=""
          form={naming}
          onChosen={(project) => {
            naming.close()
            navigate(filesRoute(project))
          }}
          onClose={naming.close}
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
