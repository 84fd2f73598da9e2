import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { useSession } from '../console-context.js'
import { joinFolder } from '../format.js'
import { texts } from '../texts.js'
import { Dialog } from '../ui/dialog.js'
import type { Resolution } from './store-file.js'
import type { Upload } from './upload.js'

/** Asks what to do with a file whose name is taken. It belongs to no view, like the uploads. */
export function ConflictDialog(): JSX.Element | null {
  const { uploads } = useSession()
  const [conflict, ...others] = uploads.conflicts.value
  if (conflict === undefined) return null
  return <Question key={conflict.id} conflict={conflict} more={others.length} />
}

function Question({ conflict, more }: { conflict: Upload; more: number }): JSX.Element {
  const { uploads } = useSession()
  const [forAll, setForAll] = useState(false)
  const { file, target } = conflict
  const resolve = (how: Resolution | 'skip') => (): void => {
    uploads.resolve(how, { forAll })
  }
  return (
    <Dialog
      title={texts.uploads.takenTitle(file.name)}
      // The file stays in the list of uploads, from where it can be tried again.
      onClose={() => {
        uploads.cancel(conflict)
      }}
    >
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          resolve('keep-both')()
        }}
      >
        <p>
          <bdi>{texts.uploads.takenLead(joinFolder(target.projectId, target.folder))}</bdi>
        </p>
        <p class="help">{texts.uploads.takenHelp}</p>
        <label class="check">
          <input
            type="checkbox"
            checked={forAll}
            onChange={(event) => {
              setForAll(event.currentTarget.checked)
            }}
          />
          {texts.uploads.forAll(more)}
        </label>
        <div class="actions end wrap">
          <button type="button" onClick={resolve('skip')}>
            {texts.uploads.skip}
          </button>
          <button type="button" onClick={resolve('replace')}>
            {texts.uploads.replace}
          </button>
          <button type="submit" class="primary">
            {texts.uploads.keepBoth}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
