import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { languageOf } from '../editor/workspace-language.js'
import { useSession } from '../console-context.js'
import { explainError } from '../explain-error.js'
import { filesRoute, formatRoute } from '../routes.js'
import { texts } from '../texts.js'
import { Dialog } from '../ui/dialog.js'
import { useLoaded } from '../ui/use-loaded.js'
import { NameTakenError, type Resolution } from '../uploads/store-file.js'
import { extensionOf } from '../editor/detect-language.js'
import type { Workspace } from '../editor/workspace.js'

interface Saved {
  project: string
  folder: string
  id: string
}

export function SaveDialog({
  workspace,
  onClose
}: {
  workspace: Workspace
  onClose: () => void
}): JSX.Element {
  const { api, store } = useSession()
  const id = useId()
  const projects = useLoaded('projects', async (signal) => await api.projects({ signal }))
  const [project, setProject] = useState<string | null>(null)
  const [folder, setFolder] = useState('')
  const [name, setName] = useState(
    workspace.name.value || `untitled.${extensionOf(languageOf(workspace).value)}`
  )
  const [isSaving, setSaving] = useState(false)
  const [problem, setProblem] = useState('')
  const [isTaken, setTaken] = useState(false)
  const [saved, setSaved] = useState<Saved | null>(null)
  const projectId = project ?? projects.value?.[0]?.id ?? texts.projects.standardName

  async function save(resolution?: Resolution): Promise<void> {
    if (name.trim() === '' || projectId.trim() === '') {
      setProblem(texts.save.missing)
      return
    }
    setSaving(true)
    setProblem('')
    try {
      const text = workspace.text.value
      const file = new File([text], name.trim())
      const target = { projectId: projectId.trim(), folder: folder.trim() }
      const stored = await store(file, target, { resolution })
      workspace.saved({ id: stored.id, name: stored.name, text })
      setSaved({ project: projectId.trim(), folder: folder.trim(), id: stored.id })
    } catch (error) {
      setTaken(error instanceof NameTakenError)
      setProblem(
        error instanceof NameTakenError ? texts.uploads.takenTitle(name.trim()) : explainError(error)
      )
    } finally {
      setSaving(false)
    }
  }

  if (saved !== null) {
    const to = filesRoute(saved.project, { folder: saved.folder, file: saved.id })
    return (
      <Dialog key="saved" title={texts.save.title} onClose={onClose}>
        <p role="status">{texts.save.saved}</p>
        <div class="actions end">
          <a class="button" href={formatRoute(to)}>
            {texts.save.show}
          </a>
          <button type="button" class="primary" onClick={onClose}>
            {texts.close}
          </button>
        </div>
      </Dialog>
    )
  }

  const field = (key: string, label: string, value: string, set: (text: string) => void): JSX.Element => (
    <div class="field">
      <label for={`${id}-${key}`}>{label}</label>
      <input
        id={`${id}-${key}`}
        type="text"
        dir="auto"
        autocomplete="off"
        list={key === 'project' ? `${id}-known` : undefined}
        value={value}
        onInput={(event) => {
          set(event.currentTarget.value)
          setTaken(false)
          setProblem('')
        }}
      />
    </div>
  )
  return (
    <Dialog title={texts.save.title} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        {field('name', texts.save.name, name, setName)}
        {field('project', texts.save.project, projectId, setProject)}
        <datalist id={`${id}-known`}>
          {(projects.value ?? []).map((each) => (
            <option key={each.id} value={each.id} />
          ))}
        </datalist>
        {field('folder', `${texts.save.folder} (${texts.code.optional})`, folder, setFolder)}
        <p class="problem" role="alert">
          {problem}
        </p>
        <div class="actions end">
          <button type="button" onClick={onClose}>
            {texts.cancel}
          </button>
          {isTaken &&
            (['replace', 'keep-both'] as const).map((how) => (
              <button
                key={how}
                type="button"
                disabled={isSaving}
                onClick={() => {
                  void save(how)
                }}
              >
                {how === 'replace' ? texts.uploads.replace : texts.uploads.keepBoth}
              </button>
            ))}
          {!isTaken && (
            <button type="submit" class="primary" disabled={isSaving}>
              {isSaving ? texts.save.saving : texts.save.button}
            </button>
          )}
        </div>
      </form>
    </Dialog>
  )
}
