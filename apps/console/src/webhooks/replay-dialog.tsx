import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import type { ReplayRequest } from '@filewright/client/browser'
import { Dialog } from '../ui/dialog.js'
import { useDialogTask } from '../ui/use-dialog-task.js'
import { webhookTexts } from './webhook-texts.js'
import { FormButtons } from '../ui/form-buttons.js'

/** The field's value is a time of this device, without a zone. */
const timeOf = (local: string): string => new Date(local).toISOString()

/** Local times as the fields have them; empty for none. */
export interface TimeRange {
  from: string
  to: string
}

export interface ReplayDialogProps {
  /** Kept by the page: closing the dialog by accident loses nothing. */
  range: TimeRange
  onRange: (range: TimeRange) => void
  onReplay: (request: ReplayRequest) => Promise<void>
  onClose: () => void
}

export function ReplayDialog({ range, onRange, onReplay, onClose }: ReplayDialogProps): JSX.Element {
  const { from, to } = range
  const { isRunning, problem, setProblem, run } = useDialogTask()
  const id = useId()
  const words = webhookTexts.replay

  async function replay(): Promise<void> {
    if (from === '') setProblem(words.missing)
    else if (to !== '' && to <= from) setProblem(words.order)
    else {
      await run(async () => {
        await onReplay({ from: timeOf(from), ...(to === '' ? {} : { to: timeOf(to) }) })
      })
    }
  }

  const field = (name: keyof TimeRange): JSX.Element => (
    <div class="field">
      <label for={`${id}-${name}`}>{words[name]}</label>
      <input
        id={`${id}-${name}`}
        type="datetime-local"
        value={range[name]}
        onInput={(event) => {
          onRange({ ...range, [name]: event.currentTarget.value })
          setProblem('')
        }}
      />
    </div>
  )
  return (
    <Dialog title={words.title} onClose={onClose}>
      <form
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void replay()
        }}
      >
        <p>{words.lead}</p>
        {field('from')}
        {field('to')}
        <p class="problem" role="alert">
          {problem}
        </p>
        <FormButtons submit={words.button} isRunning={isRunning} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
