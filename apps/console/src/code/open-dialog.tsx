import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { useConsole, useSession } from '../console-context.js'
import { explainError } from '../explain-error.js'
import { canBeEdited } from '../files/preview-kind.js'
import { SearchBox } from '../files/search-box.js'
import { formatBytes } from '../format.js'
import { texts } from '../texts.js'
import { Dialog } from '../ui/dialog.js'
import { Icon, iconOfType } from '../ui/icon.js'
import { useLoaded } from '../ui/use-loaded.js'

const SHOWN = 100

/** Offers the newest files that the editor can show; a search finds the others. */
export function OpenDialog({ onClose }: { onClose: () => void }): JSX.Element {
  const { api, replace } = useSession()
  const { route } = useConsole()
  const [chosen, setChosen] = useState('')
  const [search, setSearch] = useState('')
  const id = useId()
  const projects = useLoaded('projects', async (signal) => await api.projects({ signal }))
  const project = chosen === '' ? (projects.value?.[0]?.id ?? '') : chosen
  const files = useLoaded(JSON.stringify([project, search]), async (signal) => {
    if (project === '') return []
    const { files: found } = await api.files.list({ projectId: project, search, limit: SHOWN, signal })
    return found.filter(canBeEdited)
  })
  const problem = projects.error ?? files.error

  function open(file: string): void {
    const tab = route.value.view === 'code' ? route.value.tab : 'analyze'
    onClose()
    replace({ view: 'code', tab, file })
  }

  return (
    <Dialog title={texts.open.title} onClose={onClose}>
      <div class="form">
        <div class="field">
          <label for={id}>{texts.open.project}</label>
          <select
            id={id}
            value={project}
            onChange={(event) => {
              setChosen(event.currentTarget.value)
            }}
          >
            {(projects.value ?? []).map((each) => (
              <option key={each.id} value={each.id}>
                {each.id}
              </option>
            ))}
          </select>
        </div>
        <SearchBox name="search to open" value={search} onSearch={setSearch} />
        {problem !== undefined && (
          <p class="problem" role="alert">
            {explainError(problem)}
          </p>
        )}
        <ul class="open-list" aria-label={texts.open.file}>
          {(files.value ?? []).map((file) => (
            <li key={file.id}>
              <button
                type="button"
                class="quiet"
                onClick={() => {
                  open(file.id)
                }}
              >
                <Icon name={iconOfType(file.type)} />
                <bdi>{file.name}</bdi>
                <span class="muted">{formatBytes(file.size)}</span>
              </button>
            </li>
          ))}
          {files.value?.length === 0 && !files.isLoading && <li class="muted">{texts.open.none}</li>}
        </ul>
      </div>
    </Dialog>
  )
}
