import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { texts } from '../texts.js'
import { CopyButton } from '../ui/copy-button.js'
import { Icon } from '../ui/icon.js'
import { LanguagePicker } from './language-picker.js'
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
  const [dialog, setDialog] = useState<'open' | 'save' | null>(null)
  const close = (): void => {
    setDialog(null)
  }
  return (
    <div class="code-toolbar">
      <h2 class={workspace.name.value === '' ? 'untitled' : ''}>
        <bdi>{workspace.name.value === '' ? texts.code.untitled : workspace.name.value}</bdi>
        {workspace.isDirty.value && <span class="unsaved"> ({texts.code.unsaved})</span>}
      </h2>
      <div class="actions">
        <LanguagePicker workspace={workspace} />
        <button
          type="button"
          onClick={() => {
            setDialog('open')
          }}
        >
          <Icon name="file" />
          <span class="label">{texts.code.open}</span>
        </button>
        <button
          type="button"
          disabled={isWriting || workspace.text.value === ''}
          onClick={() => {
            setDialog('save')
          }}
        >
          <Icon name="save" />
          <span class="label">{texts.code.save}</span>
        </button>
        <CopyButton text={() => workspace.text.value} label={texts.code.copy} />
      </div>
      {dialog === 'open' && <OpenDialog onClose={close} />}
      {dialog === 'save' && <SaveDialog workspace={workspace} onClose={close} />}
    </div>
  )
}
