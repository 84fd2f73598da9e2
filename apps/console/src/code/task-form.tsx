import type { JSX } from 'preact'
import type { Workspace } from '../editor/workspace.js'
import { texts } from '../texts.js'
import type { Form } from '../ui/form.js'
import { Choice, FrameworkField } from './option-fields.js'
import type { Task } from './use-task.js'

export interface TaskFormProps {
  words: { what: string; types: Record<string, string>; button: string; running: string }
  options: Form<{ type: string; framework: string }>
  workspace: Workspace
  task: Task
  /** False when another button is the next step. */
  isPrimary?: boolean
  /** Called only when there is code. */
  onRun: () => void
}

/** What to do with the code in the editor, and the buttons that start and stop it. */
export function TaskForm({
  words,
  options: { values, set },
  workspace,
  task,
  isPrimary = true,
  onRun
}: TaskFormProps): JSX.Element {
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault()
        if (workspace.text.value.trim() === '') task.complain(texts.code.noCode)
        else onRun()
      }}
    >
      <div class="field-pair">
        <Choice
          label={words.what}
          value={values.type}
          options={words.types}
          onChange={(type) => {
            set({ type })
          }}
        />
        <FrameworkField
          value={values.framework}
          onChange={(framework) => {
            set({ framework })
          }}
        />
      </div>
      <p class="problem" role="alert">
        {task.problem}
      </p>
      <div class="actions">
        <button type="submit" class={isPrimary ? 'primary' : ''} aria-disabled={task.isRunning}>
          {task.isRunning ? words.running : words.button}
        </button>
        {task.isRunning && (
          <button type="button" onClick={task.stop}>
            {texts.code.stop}
          </button>
        )}
      </div>
    </form>
  )
}
