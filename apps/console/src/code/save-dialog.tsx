import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { languageOf } from '../editor/workspace-language.js'
import { useSession } from '../console-context.js'
import { explainError } from '../explain-error.js'
import { filesRoute, formatRoute } from '../routes.js'
import { texts } from '../texts.js'
import { Dialog } from '../ui/dialog.js'
import { useForm } from '../ui/use-form.js'
import { useLoaded } from '../ui/use-loaded.js'
import { NameTakenError, type Resolution } from '../uploads/store-file.js'
import { extensionOf } from '../editor/detect-language.js'
import type { Workspace } from '../editor/workspace.js'

export function SaveDialog({ workspace }: { workspace: Workspace }): JSX.Element {
  const { api, store } = useSession()
  const id = useId()
  const projects = useLoaded('projects', async (signal) => await api.projects({ signal }))
  const form = useForm('save', {
    name: workspace.name.value || `untitled.${extensionOf(languageOf(workspace).value)}`,
    project: projects.value?.[0]?.id ?? texts.projects.standardName,
    folder: '',
    /** The id of the stored file. */
    saved: ''
  })
  const { saved } = form.values
  const name = form.values.name.trim()
  const target = { projectId: form.values.project.trim(), folder: form.values.folder.trim() }
  const [isSaving, setSaving] = useState(false)
  const [problem, setProblem] = useState('')
  const [isTaken, setTaken] = useState(false)

  async function save(resolution?: Resolution): Promise<void> {
    if (name === '' || target.projectId === '') {
      setProblem(texts.save.missing)
      return
    }
    setSaving(true)
    setProblem('')
    try {
      const text = workspace.text.value
      const stored = await store(new File([text], name), target, { resolution })
      workspace.saved({ id: stored.id, name: stored.name, text })
      form.set({ project: target.projectId, saved: stored.id })
    } catch (error) {
      setTaken(error instanceof NameTakenError)
      setProblem(error instanceof NameTakenError ? texts.uploads.takenTitle(name) : explainError(error))
    } finally {
      setSaving(false)
    }
  }

  if (saved !== '') {
    const to = filesRoute(target.projectId, { folder: target.folder, file: saved })
    return (
      <Dialog key="saved" title={texts.save.title} onClose={form.close}>
        <p role="status">{texts.save.saved}</p>
        <div class="actions end">
          <a class="button" href={formatRoute(to)} onClick={form.close}>
            {texts.save.show}
          </a>
          <button type="button" class="primary" onClick={form.close}>
            {texts.close}
          </button>
        </div>
      </Dialog>
    )
  }

  const field = (key: 'name' | 'project' | 'folder', label: string): JSX.Element => (
    <div class="field">
      <label for={`${id}-${key}`}>{label}</label>
      <input
        id={`${id}-${key}`}
        type="text"
        dir="auto"
        autocomplete="off"
        list={key === 'project' ? `${id}-known` : undefined}
        value={form.values[key]}
        onInput={(event) => {
          form.set({ [key]: event.currentTarget.value })
          setTaken(false)
          setProblem('')
        }}
      />
    </div>
  )
  return (
    <Dialog title={texts.save.title} onClose={form.close}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        {field('name', texts.save.name)}
        {field('project', texts.save.project)}
        <datalist id={`${id}-known`}>
          {(projects.value ?? []).map((each) => (
            <option key={each.id} value={each.id} />
          ))}
        </datalist>
        {field('folder', `${texts.save.folder} (${texts.code.optional})`)}
        <p class="problem" role="alert">
          {problem}
        </p>
        <div class="actions end">
          <button type="button" onClick={form.close}>
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
