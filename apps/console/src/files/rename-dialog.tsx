import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import type { DetailedFileInfo } from '@filewright/client/browser'
import { useApi } from '../console-context.js'
import { explainError } from '../explain-error.js'
import { texts } from '../texts.js'
import { Dialog } from '../ui/dialog.js'
import { FormButtons } from '../ui/form-buttons.js'
import { isFolderPath } from './folder-path.js'

export interface RenameDialogProps {
  file: DetailedFileInfo
  project: string
  onChanged: (file: DetailedFileInfo) => void
  onClose: () => void
}

/** Renames a file or moves it to another folder of its project. */
export function RenameDialog({ file, project, onChanged, onClose }: RenameDialogProps): JSX.Element {
  const api = useApi()
  const id = useId()
  const [name, setName] = useState(file.name)
  const [folder, setFolder] = useState(file.folder)
  const [problem, setProblem] = useState('')
  const [isRunning, setRunning] = useState(false)

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
      if (await isTaken(to)) setProblem(texts.uploads.takenTitle(to.name))
      else onChanged(await api.files.change(file.id, to))
    } catch (error) {
      setProblem(explainError(error))
    } finally {
      setRunning(false)
    }
  }

  const field = (key: string, label: string, value: string, set: (text: string) => void): JSX.Element => (
    <div class="field">
      <label for={`${id}-${key}`}>{label}</label>
      <input
        id={`${id}-${key}`}
        type="text"
        dir="auto"
        autocomplete="off"
        value={value}
        onInput={(event) => {
          set(event.currentTarget.value)
          setProblem('')
        }}
      />
    </div>
  )
  return (
    <Dialog title={texts.rename.title} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          void change()
        }}
      >
        {field('name', texts.save.name, name, setName)}
        {field('folder', `${texts.save.folder} (${texts.code.optional})`, folder, setFolder)}
        <p class="help">{texts.rename.help}</p>
        <p class="problem" role="alert">
          {problem}
        </p>
        <FormButtons submit={texts.rename.button} isRunning={isRunning} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
