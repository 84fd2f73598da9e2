import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import type { CreateTokenRequest } from '@filewright/client/browser'
import { Choice } from '../code/option-fields.js'
import { useSession } from '../console-context.js'
import { newTokenDraft, type TokenDraft } from '../session/token-work.js'
import { Dialog } from '../ui/dialog.js'
import { FormButtons } from '../ui/form-buttons.js'
import { useDialogTask } from '../ui/use-dialog-task.js'
import { tokenTexts } from './token-texts.js'

const words = tokenTexts.form
const MEGABYTE = 1024 * 1024
const COUNT = /^[1-9]\d{0,8}$/

/** The request, or why the form cannot be sent. */
function requestOf({
  name,
  isForAll,
  projects,
  days,
  maxFiles,
  maxMegabytes
}: TokenDraft): CreateTokenRequest | string {
  const named = projects
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '')
  if (name.trim() === '') return words.nameMissing
  if (!isForAll && named.length === 0) return words.projectsMissing
  if ([maxFiles, maxMegabytes].some((count) => count.trim() !== '' && !COUNT.test(count.trim()))) {
    return words.quotaBad
  }
  return {
    name: name.trim(),
    projects: isForAll ? null : [...new Set(named)],
    ...(days === '' ? {} : { expires_in_days: Number(days) }),
    ...(maxFiles.trim() === '' ? {} : { max_files: Number(maxFiles) }),
    ...(maxMegabytes.trim() === '' ? {} : { max_bytes: Number(maxMegabytes) * MEGABYTE })
  }
}

export function TokenForm(): JSX.Element {
  const { api, tokens: work } = useSession()
  const { isRunning, problem, setProblem, run } = useDialogTask()
  const draft = work.draft.value
  const id = useId()
  const change = (changes: Partial<TokenDraft>): void => {
    work.draft.value = { ...work.draft.value, ...changes }
    setProblem('')
  }
  const close = (): void => {
    work.isFormOpen.value = false
  }

  async function create(request: CreateTokenRequest): Promise<void> {
    const { name, secret } = await api.tokens.create(request)
    work.secret.value = { name, secret }
    work.draft.value = newTokenDraft
    work.changes.value++
    close()
  }

  function submit(event: SubmitEvent): void {
    event.preventDefault()
    const request = requestOf(draft)
    if (typeof request === 'string') setProblem(request)
    else if (!isRunning) void run(async () => await create(request))
  }

  const field = (
    name: 'name' | 'projects' | 'maxFiles' | 'maxMegabytes',
    label: string,
    help = ''
  ): JSX.Element => (
    <div class="field">
      <label for={`${id}-${name}`}>{label}</label>
      <input
        id={`${id}-${name}`}
        type="text"
        dir="auto"
        autocomplete="off"
        inputMode={name.startsWith('max') ? 'numeric' : 'text'}
        value={draft[name]}
        aria-describedby={help === '' ? undefined : `${id}-${name}-help`}
        onInput={(event) => {
          change({ [name]: event.currentTarget.value })
        }}
      />
      {help !== '' && (
        <p id={`${id}-${name}-help`} class="help">
          {help}
        </p>
      )}
    </div>
  )

  return (
    <Dialog title={tokenTexts.create} onClose={close}>
      <form class="form" onSubmit={submit}>
        {field('name', words.name, words.nameHelp)}
        <Choice
          label={words.scope}
          value={draft.isForAll ? 'all' : 'some'}
          options={{ some: words.some, all: words.all }}
          onChange={(scope) => {
            change({ isForAll: scope === 'all' })
          }}
        />
        {!draft.isForAll && field('projects', words.some, words.projectsHelp)}
        <Choice
          label={words.expires}
          value={draft.days}
          options={words.days as Record<string, string>}
          onChange={(days) => {
            change({ days })
          }}
        />
        <div class="field-pair">
          {field('maxFiles', words.maxFiles)}
          {field('maxMegabytes', words.maxMegabytes)}
        </div>
        <p class="help">{words.quotaHelp}</p>
        <p class="problem" role="alert">
          {problem}
        </p>
        <FormButtons submit={words.button} isRunning={isRunning} onCancel={close} />
      </form>
    </Dialog>
  )
}
