import type { JSX } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ProjectSummary } from '@filewright/client/browser'
import { texts } from '../texts.js'
import { Dialog } from './dialog.js'
import { FormButtons } from './form-buttons.js'
import type { Form } from './use-form.js'

export interface ProjectDialogProps {
  title: string
  help: string
  button: string
  /** Suggested while the user types. */
  projects: readonly ProjectSummary[]
  start: string
  form: Form<{ project: string }>
  onChosen: (project: string) => void
  onClose: () => void
}

/** The service's rule: printable, no slashes. */
const isProjectName = (name: string): boolean => /^[^/\\\p{C}]{1,128}$/u.test(name)

/** Asks for a project: an existing or a new one. */
export function ProjectDialog({
  title,
  help,
  button,
  projects,
  start,
  form,
  onChosen,
  onClose
}: ProjectDialogProps): JSX.Element {
  const input = useRef<HTMLInputElement>(null)
  const name = form.values.project
  const [isBad, setBad] = useState(false)
  const id = useId()

  // The proposal may arrive after the dialog. Typing replaces it. An effect after the next paint could select what the user
  // has typed since, and the next key would replace it.
  useLayoutEffect(() => {
    if (name === start) input.current?.select()
  }, [start])

  function submit(event: SubmitEvent): void {
    event.preventDefault()
    const given = name.trim()
    setBad(!isProjectName(given))
    if (isProjectName(given)) onChosen(given)
  }

  return (
    <Dialog title={title} onClose={onClose}>
      <form class="form" onSubmit={submit}>
        <div class="field">
          <label for={id}>{texts.projects.name}</label>
          <input
            ref={input}
            id={id}
            type="text"
            dir="auto"
            autocomplete="off"
            list={`${id}-known`}
            value={name}
            aria-invalid={isBad}
            aria-describedby={`${id}-help ${id}-problem`}
            onInput={(event) => {
              form.set({ project: event.currentTarget.value })
              setBad(false)
            }}
          />
          <datalist id={`${id}-known`}>
            {projects.map((project) => (
              <option key={project.id} value={project.id} />
            ))}
          </datalist>
          <p id={`${id}-problem`} class="problem" role="alert">
            {isBad ? texts.projects.badName : ''}
          </p>
          <p id={`${id}-help`} class="help">
            {help}
          </p>
        </div>
        <FormButtons submit={button} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
