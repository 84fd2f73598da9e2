import type { JSX } from 'preact'
import { useApi } from '../console-context.js'
import { explainError } from '../explain-error.js'
import { Preview } from './preview.js'
import { previewKindOf } from './preview-kind.js'
import { texts } from '../texts.js'
import { Dialog } from '../ui/dialog.js'
import { Icon } from '../ui/icon.js'
import { useLoaded } from '../ui/use-loaded.js'

interface ListedFile {
  id: string
  name: string
  type: string
  size: number
}

export interface ViewerProps {
  /** On the page of the list. */
  files: readonly ListedFile[]
  id: string
  onShow: (id: string) => void
  onClose: () => void
}

const isInEditor = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('.cm-editor') !== null

/** One file as large as the window. The arrow keys show the file before and after it in the list. */
export function Viewer({ files, id, onShow, onClose }: ViewerProps): JSX.Element {
  const api = useApi()
  const viewable = files.filter((file) => previewKindOf(file) !== 'none')
  const index = viewable.findIndex((file) => file.id === id)
  const file = useLoaded(id, async (signal) => await api.files.get(id, { signal }))
  const shown = file.value?.id === id ? file.value : undefined
  const name = viewable[index]?.name ?? shown?.name ?? ''

  function step(by: 1 | -1): void {
    const next = index === -1 ? undefined : viewable[index + by]
    if (next !== undefined) onShow(next.id)
  }

  return (
    <Dialog title={name} class="viewer" onClose={onClose}>
      <div
        class="viewer-body"
        onKeyDown={(event) => {
          if (isInEditor(event.target) || event.altKey || event.ctrlKey || event.metaKey) return
          if (event.key === 'ArrowLeft') step(-1)
          if (event.key === 'ArrowRight') step(1)
        }}
      >
        <div class="actions">
          <StepButton label={texts.viewer.previous} isBack onStep={() => step(-1)} isPossible={index > 0} />
          <span role="status">{index === -1 ? '' : texts.viewer.position(index + 1, viewable.length)}</span>
          <StepButton
            label={texts.viewer.next}
            onStep={() => step(1)}
            isPossible={index !== -1 && index < viewable.length - 1}
          />
        </div>
        {shown !== undefined && <Preview key={shown.id} file={shown} />}
        {file.error !== undefined && <p class="problem">{explainError(file.error)}</p>}
      </div>
    </Dialog>
  )
}

interface StepButtonProps {
  label: string
  isBack?: boolean
  isPossible: boolean
  onStep: () => void
}

/** Not `disabled` at the end of the list: the focus would be lost, and with it the arrow keys. */
function StepButton({ label, isBack = false, isPossible, onStep }: StepButtonProps): JSX.Element {
  return (
    <button type="button" class="icon-button" aria-label={label} aria-disabled={!isPossible} onClick={onStep}>
      <Icon name="chevron" class={isBack ? 'turned' : ''} />
    </button>
  )
}
