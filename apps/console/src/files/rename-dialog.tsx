import type { JSX } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { DetailedFileInfo } from '@filewright/client/browser'
import { useApi } from '../console-context.js'
import { explainError } from '../explain-error.js'
import { texts } from '../texts.js'
import { Dialog } from '../ui/dialog.js'
import { FormButtons } from '../ui/form-buttons.js'
import type { Form } from '../ui/use-form.js'
import { isFolderPath } from './folder-path.js'

export interface RenameDialogProps {
  file: DetailedFileInfo
  project: string
  form: Form<{ name: string; folder: string }>
  /** Not called after the view was left. */
  onChanged: (file: DetailedFileInfo) => void
}

/** Renames a file or moves it to another folder of its project. */
export function RenameDialog({ file, project, form, onChanged }: RenameDialogProps): JSX.Element {
  const api = useApi()
  const id = useId()
  const { name, folder } = form.values
  const [problem, setProblem] = useState('')
  const [isRunning, setRunning] = useState(false)

  const isLeft = useRef(false)
  useEffect(
    () => () => {
      isLeft.current = true
    },
    []
  )

  /** Two files of one name would look the same. Someone else may still take the name in this moment, as the service allows. */
  async function isTaken(to: { name: string; folder: string }): Promise<boolean> {
    for await (const each of api.files.iterate({ projectId: project, folder: to.folder, search: to.name })) {
      if (each.name === to.name && each.id !== file.id) return true
    }
    return false
  }

  async function change(): Promise<void> {
    const to = { name: name.trim().normalize('NFC'), folder: folder.trim().replace(/^\/+|\/+$/g, '') }
    if (to.name === '' || /[/\\]/.test(to.name)) return setProblem(texts.rename.badName)
    if (!isFolderPath(to.folder)) return setProblem(texts.newFolder.bad)
    setRunning(true)
    setProblem('')
    try {
      if (await isTaken(to)) return setProblem(texts.uploads.takenTitle(to.name))
      const changed = await api.files.change(file.id, to)
      form.close()
      if (!isLeft.current) onChanged(changed)
    } catch (error) {
      setProblem(explainError(error))
    } finally {
      setRunning(false)
    }
  }

  const field = (key: 'name' | 'folder', label: string): JSX.Element => (
    <div class="field">
      <label for={`${id}-${key}`}>{label}</label>
      <input
        id={`${id}-${key}`}
        type="text"
        dir="auto"
        autocomplete="off"
        value={form.values[key]}
        onInput={(event) => {
          form.set({ [key]: event.currentTarget.value })
          setProblem('')
        }}
      />
    </div>
  )
  return (
    <Dialog title={texts.rename.title} onClose={form.close}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          void change()
        }}
      >
        {field('name', texts.save.name)}
        {field('folder', `${texts.save.folder} (${texts.code.optional})`)}
        <p class="help">{texts.rename.help}</p>
        <p class="problem" role="alert">
          {problem}
        </p>
        <FormButtons submit={texts.rename.button} isRunning={isRunning} onCancel={form.close} />
      </form>
    </Dialog>
  )
}
