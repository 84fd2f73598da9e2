import type { JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import type { GenerateRequest, ModelRecord } from '@filewright/client/browser'
import { answererOf } from '@filewright/contracts'
import { useSession } from '../console-context.js'
import { engineOf } from '../session/session.js'
import { texts } from '../texts.js'
import { codeTexts } from './code-texts.js'
import { Icon } from '../ui/icon.js'
import { useForm } from '../ui/use-form.js'
import { useLoaded } from '../ui/use-loaded.js'
import { EngineNote } from './engine-note.js'
import { Choice, filledIn, FrameworkField } from './option-fields.js'
import { unfenced } from './unfenced.js'
import { useTask } from './use-task.js'
import type { Workspace } from '../editor/workspace.js'

/** The code that is shown beside that in the editor. */
export interface Compared {
  text: string
  labels: { before: string; after: string }
}

export interface GeneratePanelProps {
  workspace: Workspace
  /** The editor is read-only while a model writes into it. */
  onWriting: (isWriting: boolean) => void
  compared: Compared | null
  onCompare: (before: Compared | null) => void
}

const { previous, result } = codeTexts.generate
const comparedLabels = { before: previous, after: result }

const modelOptions = (models: readonly ModelRecord[]): Record<string, string> =>
  Object.fromEntries(models.map(({ id, name }) => [id, name]))

export function GeneratePanel(props: GeneratePanelProps): JSX.Element {
  const { workspace, onWriting, compared, onCompare } = props
  const session = useSession()
  const { api } = session
  const task = useTask()
  const prompt = workspace.prompt.value
  const { values: options, set: choose } = useForm('generate', { type: 'code', framework: '', model: '' })
  const { type, framework, model } = options
  const [note, setNote] = useState('')
  const [engine, setEngine] = useState('')
  const before = workspace.replaced.value
  const earlier = workspace.earlier.value
  const models = useLoaded('models', async (signal) => await api.ai.models({ signal }))
  const id = useId()

  async function generate(signal: AbortSignal): Promise<void> {
    const { text, chosenLanguage } = workspace
    const wanted = chosenLanguage.value
    const request = { prompt, type, ...filledIn({ framework, language: wanted, model }) } as GenerateRequest
    const generation = api.ai.generate(request, { signal })
    const previous = workspace.snapshot()
    let written = ''
    setNote(codeTexts.generate.writing)
    setEngine('')
    try {
      for await (const piece of generation) {
        // Keeps the old text until there is a new one.
        if (written === '') {
          workspace.replaced.value = previous.text === '' ? null : previous
          workspace.restore({ fileId: '', name: '', text: '', chosenLanguage: wanted })
          setEngine(engineOf(session))
        }
        written += piece
        text.value = unfenced(written)
      }
      const { content, tokens_used: tokens, model } = await generation
      // The checked result counts; it may differ from the streamed text.
      text.value = content
      setNote(codeTexts.generate.done(tokens))
      if (earlier !== null) {
        const now = answererOf({ engine: engineOf(session), model })
        onCompare({ text: earlier.text, labels: codeTexts.generate.versions(earlier.label, now) })
      }
    } catch (error) {
      setNote(signal.aborted && written !== '' ? codeTexts.generate.stopped : '')
      throw error
    }
  }

  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    if (prompt.trim() === '') {
      task.complain(codeTexts.generate.missing)
      return
    }
    onWriting(true)
    onCompare(null)
    try {
      await task.run(generate)
    } finally {
      onWriting(false)
    }
  }

  return (
    <form
      class="form"
      onSubmit={(event) => {
        void submit(event)
      }}
    >
      <div class="field">
        <label for={id}>{codeTexts.generate.prompt}</label>
        <textarea
          id={id}
          dir="auto"
          rows={5}
          placeholder={codeTexts.generate.promptHint}
          value={prompt}
          aria-describedby={`${id}-problem`}
          onInput={(event) => {
            workspace.prompt.value = event.currentTarget.value
          }}
        />
        <p id={`${id}-problem`} class="problem" role="alert">
          {task.problem}
        </p>
      </div>
      <div class="field-pair">
        <Choice
          label={codeTexts.generate.type}
          value={type as GenerateRequest['type']}
          options={codeTexts.generate.types}
          onChange={(type) => {
            choose({ type })
          }}
        />
        <Choice
          label={codeTexts.generate.model}
          value={model === '' ? (models.value?.[0]?.id ?? '') : model}
          options={modelOptions(models.value ?? [])}
          onChange={(model) => {
            choose({ model })
          }}
        />
      </div>
      <FrameworkField
        value={framework}
        onChange={(framework) => {
          choose({ framework })
        }}
      />
      <div class="actions">
        {/* Two elements by their keys: one that turned into the other under the pointer would submit the form. */}
        {task.isRunning ? (
          <button key="stop" type="button" onClick={task.stop}>
            <Icon name="stop" />
            {texts.code.stop}
          </button>
        ) : (
          <button key="start" type="submit" class="primary">
            {codeTexts.generate.button}
          </button>
        )}
        {before !== null && !task.isRunning && (
          <button
            type="button"
            class="quiet"
            onClick={() => {
              workspace.restore(before)
              onCompare(null)
              workspace.replaced.value = null
              setNote('')
            }}
          >
            {codeTexts.generate.putBack}
          </button>
        )}
      </div>
      {before !== null && !task.isRunning && (
        <div class="actions">
          <button
            type="button"
            aria-pressed={compared !== null}
            onClick={() => {
              onCompare(compared === null ? { text: before.text, labels: comparedLabels } : null)
            }}
          >
            {codeTexts.generate.compare}
          </button>
        </div>
      )}
      <p class="help" role="status">
        {note === ''
          ? earlier === null
            ? codeTexts.generate.replaces
            : codeTexts.generate.again(earlier.label)
          : note}
      </p>
      <EngineNote engine={engine} />
    </form>
  )
}
