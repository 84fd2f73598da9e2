import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { texts } from '../texts.js'
import { Dialog } from '../ui/dialog.js'
import { FormButtons } from '../ui/form-buttons.js'
import type { Form } from '../ui/use-form.js'
import { isFolderPath } from './folder-path.js'

/** Opens a folder that does not exist yet: the service stores folders with their files only. */
export function NewFolderDialog(props: {
  form: Form<{ name: string }>
  onChosen: (name: string) => void
}): JSX.Element {
  const { form, onChosen } = props
  const id = useId()
  const { name } = form.values
  const [isBad, setBad] = useState(false)
  return (
    <Dialog title={texts.newFolder.title} onClose={form.close}>
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
              form.set({ name: event.currentTarget.value })
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
        <FormButtons submit={texts.newFolder.button} onCancel={form.close} />
      </form>
    </Dialog>
  )
}
