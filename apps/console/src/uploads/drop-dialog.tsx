import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useSession } from '../console-context.js'
import { filesRoute } from '../routes.js'
import { texts } from '../texts.js'
import { ConfirmDialog } from '../ui/confirm-dialog.js'
import { ProjectDialog } from '../ui/project-dialog.js'
import { useForm } from '../ui/use-form.js'
import { useLoaded } from '../ui/use-loaded.js'
import { droppedFiles } from './dropped-files.js'
import type { Drops } from './drops.js'

/** Beside the drop zones a browser would leave the console and show the file. */
function catchDrops(drops: Drops): () => void {
  const allow = (event: DragEvent): void => {
    event.preventDefault()
  }
  const drop = (event: DragEvent): void => {
    // A drop zone or the editor has taken it.
    if (event.defaultPrevented) return
    event.preventDefault()
    void droppedFiles(event.dataTransfer?.items ?? []).then(drops.add)
  }
  addEventListener('dragover', allow)
  addEventListener('drop', drop)
  return () => {
    removeEventListener('dragover', allow)
    removeEventListener('drop', drop)
  }
}

/** Asks for the project of dropped files. It belongs to no view, so that leaving a view loses no file. */
export function DropDialog(): JSX.Element | null {
  const { drops } = useSession()
  useEffect(() => catchDrops(drops), [drops])
  return drops.files.value.length === 0 ? null : <ProjectOfDrop count={drops.files.value.length} />
}

function ProjectOfDrop({ count }: { count: number }): JSX.Element {
  const { api, uploads, drops, navigate } = useSession()
  const [isLeaving, setLeaving] = useState(false)
  const projects = useLoaded('projects', async (signal) => await api.projects({ signal }))
  const known = projects.value ?? []
  const start = known[0]?.id ?? texts.projects.standardName
  const form = useForm('drop', { project: start })
  const stay = (): void => {
    setLeaving(false)
  }
  return (
    <>
      <ProjectDialog
        title={texts.projects.chooseTitle(count)}
        help={texts.projects.chooseHelp}
        button={texts.projects.chooseButton}
        projects={known}
        start={start}
        form={form}
        onChosen={(projectId) => {
          form.close()
          uploads.add(drops.take(), { projectId, folder: '' })
          navigate(filesRoute(projectId))
        }}
        onClose={() => {
          setLeaving(true)
        }}
      />
      {isLeaving && (
        <ConfirmDialog
          title={texts.projects.discardTitle(count)}
          confirm={texts.projects.discard(count)}
          cancel={texts.projects.discardNot}
          onConfirm={() => {
            form.close()
            drops.take()
          }}
          onClose={stay}
        >
          {texts.projects.discardLead}
        </ConfirmDialog>
      )}
    </>
  )
}
