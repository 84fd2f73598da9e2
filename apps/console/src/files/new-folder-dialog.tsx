import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { texts } from '../texts.js'
import { Dialog } from '../ui/dialog.js'
import { FormButtons } from '../ui/form-buttons.js'
import { isFolderPath } from './folder-path.js'

/** Opens a folder that does not exist yet: the service stores folders with their files only. */
export function NewFolderDialog(props: {
  onChosen: (name: string) => void
  onClose: () => void
}): JSX.Element {
  const { onChosen, onClose } = props
  const id = useId()
  const [name, setName] = useState('')
  const [isBad, setBad] = useState(false)
  return (
    <Dialog title={texts.newFolder.title} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          const given = name.trim()
          const isGood = given !== '' && isFolderPath(given)
          setBad(!isGood)
          if (isGood) onChosen(given)
        }}
      >
        <div class="field">
          <label for={id}>{texts.newFolder.name}</label>
          <input
            id={id}
            type="text"
            dir="auto"
            autocomplete="off"
            value={name}
            aria-invalid={isBad}
            aria-describedby={`${id}-problem ${id}-help`}
            onInput={(event) => {
              setName(event.currentTarget.value)
              setBad(false)
            }}
          />
          <p id={`${id}-problem`} class="problem" role="alert">
            {isBad ? texts.newFolder.bad : ''}
          </p>
          <p id={`${id}-help`} class="help">
            {texts.newFolder.help}
          </p>
        </div>
        <FormButtons submit={texts.newFolder.button} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
