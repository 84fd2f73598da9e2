import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { useSession } from '../console-context.js'
import { texts } from '../texts.js'
import { ConfirmDialog } from '../ui/confirm-dialog.js'
import { Dialog } from '../ui/dialog.js'
import { EventChoice } from './event-choice.js'
import { useDialogTask } from '../ui/use-dialog-task.js'
import { webhookTexts } from './webhook-texts.js'
import type { WebhookDraft } from '../session/webhook-work.js'
import { FormButtons } from '../ui/form-buttons.js'

const MAX_DESCRIPTION = 2_000

/** Creates or changes a webhook. What is typed is in the session, and is discarded only after a question. */
export function WebhookForm({ draft }: { draft: WebhookDraft }): JSX.Element {
  const { api, webhooks: work } = useSession()
  const [isLeaving, setLeaving] = useState(false)
  const { isRunning, problem, setProblem, run } = useDialogTask()
  const id = useId()
  const words = webhookTexts.form
  const isNew = draft.id === ''

  const set = (changes: Partial<WebhookDraft>): void => {
    work.draft.value = { ...draft, ...changes, isChanged: true }
    setProblem('')
  }
  const discard = (): void => {
    work.draft.value = null
  }
  const close = (): void => {
    if (draft.isChanged) setLeaving(true)
    else discard()
  }
  const stay = (): void => {
    setLeaving(false)
  }

  async function send(): Promise<void> {
    const { project, url, description } = draft
    const request = { url: url.trim(), events: [...draft.events], description: description.trim() }
    if (!isNew) await api.webhooks.change(draft.id, request)
    else {
      const { secret } = await api.webhooks.create({ ...request, project_id: project })
      work.secret.value = { url: request.url, secret, overlapHours: null }
    }
    discard()
  }

  /** The service names its own field. For a program on this machine there is another way. */
  function shownProblem(): string {
    const ofField = problem.replace(/^url /, `${words.url} `)
    const isLocal = /^https?:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?:[:/]|$)/i.test(draft.url.trim())
    return isLocal && ofField !== problem
      ? `${ofField} ${words.listen(draft.project, draft.url.trim())}`
      : ofField
  }

  async function submit(): Promise<void> {
    if (draft.url.trim() === '') setProblem(words.urlMissing)
    else if (draft.events.length === 0) setProblem(words.eventsMissing)
    else {
      await run(send)
      // Also after a failure: a response may be lost although the service has made the change.
      work.changes.value++
    }
  }

  return (
    <>
      <Dialog title={isNew ? words.createTitle : words.changeTitle} class="large" onClose={close}>
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault()
            void submit()
          }}
        >
          <div class="field">
            <label for={`${id}-url`}>{words.url}</label>
            <input
              id={`${id}-url`}
              type="text"
              inputMode="url"
              dir="ltr"
              autocomplete="off"
              spellcheck={false}
              placeholder="https://example.com/hook"
              value={draft.url}
              aria-describedby={`${id}-help ${id}-problem`}
              onInput={(event) => {
                set({ url: event.currentTarget.value })
              }}
            />
            <p id={`${id}-help`} class="help">
              {words.urlHelp}
            </p>
          </div>
          <EventChoice
            label={words.events}
            chosen={draft.events}
            onChange={(events) => {
              set({ events })
            }}
          />
          <div class="field">
            <label for={`${id}-description`}>
              {webhookTexts.description} ({texts.code.optional})
            </label>
            <input
              id={`${id}-description`}
              type="text"
              dir="auto"
              autocomplete="off"
              maxLength={MAX_DESCRIPTION}
              value={draft.description}
              onInput={(event) => {
                set({ description: event.currentTarget.value })
              }}
            />
          </div>
          <p id={`${id}-problem`} class="problem" role="alert">
            {shownProblem()}
          </p>
          <FormButtons
            submit={isRunning ? words.saving : isNew ? words.create : words.change}
            isRunning={isRunning}
            onCancel={close}
          />
        </form>
      </Dialog>
      {isLeaving && (
        <ConfirmDialog
          title={words.discardTitle}
          confirm={words.discard}
          cancel={words.keep}
          onConfirm={discard}
          onClose={stay}
        >
          {words.discardLead}
        </ConfirmDialog>
      )}
    </>
  )
}
