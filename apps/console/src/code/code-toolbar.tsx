import type { JSX } from 'preact'
import { texts } from '../texts.js'
import { CopyButton } from '../ui/copy-button.js'
import { Icon } from '../ui/icon.js'
import { LanguagePicker } from './language-picker.js'
import { useForm } from '../ui/use-form.js'
import { OpenDialog } from './open-dialog.js'
import { SaveDialog } from './save-dialog.js'
import type { Workspace } from '../editor/workspace.js'

export function CodeToolbar({
  workspace,
  isWriting
}: {
  workspace: Workspace
  isWriting: boolean
}): JSX.Element {
  const opening = useForm('open', {})
  const saving = useForm('save', {})
  return (
    <div class="code-toolbar">
      <h2 class={workspace.name.value === '' ? 'untitled' : ''}>
        <bdi>{workspace.name.value === '' ? texts.code.untitled : workspace.name.value}</bdi>
        {workspace.isDirty.value && <span class="unsaved"> ({texts.code.unsaved})</span>}
      </h2>
      <div class="actions">
        <LanguagePicker workspace={workspace} />
        <button type="button" onClick={opening.open}>
          <Icon name="file" />
          <span class="label">{texts.code.open}</span>
        </button>
        <button type="button" disabled={isWriting || workspace.text.value === ''} onClick={saving.open}>
          <Icon name="save" />
          <span class="label">{texts.code.save}</span>
        </button>
        <CopyButton text={() => workspace.text.value} label={texts.code.copy} />
      </div>
      {opening.isOpen && <OpenDialog onClose={opening.close} />}
      {saving.isOpen && <SaveDialog workspace={workspace} />}
    </div>
  )
}
