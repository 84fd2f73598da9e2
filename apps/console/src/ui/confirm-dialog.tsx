import type { ComponentChildren, JSX } from 'preact'
import { texts } from '../texts.js'
import { Dialog } from './dialog.js'
import { useDialogTask } from './use-dialog-task.js'

export interface ConfirmDialogProps {
  title: string
  confirm: string
  cancel?: string
  /** What will happen. */
  children: ComponentChildren
  /** The dialog stays open with the reason when this fails. */
  onConfirm: () => void | Promise<void>
  onClose: () => void
}

/** Asks before something is lost. The focus starts at the button that changes nothing. */
export function ConfirmDialog({
  title,
  confirm,
  cancel = texts.cancel,
  children,
  onConfirm,
  onClose
}: ConfirmDialogProps): JSX.Element {
  const { isRunning, problem, run } = useDialogTask()
  return (
    <Dialog title={title} onClose={onClose}>
      <p class="breakable">{children}</p>
      {problem !== '' && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <div class="actions end">
        <button type="button" onClick={onClose}>
          {cancel}
        </button>
        <button
          type="button"
          class="danger solid"
          disabled={isRunning}
          onClick={() => {
            void run(async () => {
              await onConfirm()
            })
          }}
        >
          {confirm}
        </button>
      </div>
    </Dialog>
  )
}
