import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { OptimizationResult, OptimizeRequest } from '@filewright/client/browser'
import { languageOf } from '../editor/workspace-language.js'
import { useSession } from '../console-context.js'
import { explainError, isOutcome } from '../explain-error.js'
import { engineOf } from '../session/session.js'
import { texts } from '../texts.js'
import { codeTexts } from './code-texts.js'
import { EngineNote } from './engine-note.js'
import { Choice, filledIn, FrameworkField } from './option-fields.js'
import { useForm } from '../ui/use-form.js'
import { useTask } from './use-task.js'
import type { Rewrite, Workspace } from '../editor/workspace.js'

export interface OptimizePanelProps {
  workspace: Workspace
  isSideBySide: boolean
  onLayout: (isSideBySide: boolean) => void
}

export function OptimizePanel({ workspace, isSideBySide, onLayout }: OptimizePanelProps): JSX.Element {
  const session = useSession()
  const task = useTask()
  const { values, set: choose } = useForm('optimize', { type: 'any', framework: '' })
  const { framework } = values
  const type = values.type as keyof typeof codeTexts.optimize.types
  const [note, setNote] = useState(codeTexts.optimize.start)
  const rewrite = workspace.rewrite.value

  async function optimize(signal: AbortSignal): Promise<void> {
    const before = workspace.text.value
    const chosen = filledIn({ optimization_type: type === 'any' ? '' : type, framework })
    const request = { code: before, language: languageOf(workspace).value, ...chosen } as OptimizeRequest
    let result: OptimizationResult
    try {
      result = await session.api.ai.optimize(request, { signal })
    } catch (error) {
      if (!isOutcome(error)) throw error
      workspace.rewrite.value = null
      setNote(explainError(error))
      return
    }
    const isSame = result.optimized_code === before
    workspace.rewrite.value = isSame ? null : { ...result, before, engine: engineOf(session) }
    setNote(isSame ? codeTexts.optimize.same : '')
  }

  function submit(event: SubmitEvent): void {
    event.preventDefault()
    if (workspace.text.value.trim() === '') task.complain(texts.code.noCode)
    else void task.run(optimize)
  }

  function accept({ optimized_code: code }: Rewrite): void {
    workspace.rewrite.value = null
    // The findings referred to other lines.
    workspace.analysis.value = null
    workspace.text.value = code
    setNote(codeTexts.optimize.accepted)
  }

  return (
    <>
      <form class="form" onSubmit={submit}>
        <div class="field-pair">
          <Choice
            label={codeTexts.optimize.what}
            value={type}
            options={codeTexts.optimize.types}
            onChange={(type) => {
              choose({ type })
            }}
          />
          <FrameworkField
            value={framework}
            onChange={(framework) => {
              choose({ framework })
            }}
          />
        </div>
        <p class="problem" role="alert">
          {task.problem}
        </p>
        <div class="actions">
          <button type="submit" class={rewrite === null ? 'primary' : ''} aria-disabled={task.isRunning}>
            {task.isRunning ? codeTexts.optimize.running : codeTexts.optimize.button}
          </button>
          {task.isRunning && (
            <button type="button" onClick={task.stop}>
              {texts.code.stop}
            </button>
          )}
        </div>
      </form>
      <p class="help" role="status">
        {rewrite === null ? note : ''}
      </p>
      {rewrite !== null && (
        <div class="results">
          <div class="actions">
            <button
              type="button"
              class="primary"
              onClick={() => {
                accept(rewrite)
              }}
            >
              {codeTexts.optimize.accept}
            </button>
            <button
              type="button"
              onClick={() => {
                workspace.rewrite.value = null
                setNote(codeTexts.optimize.start)
              }}
            >
              {codeTexts.optimize.discard}
            </button>
          </div>
          <div class="segments" role="group" aria-label={codeTexts.optimize.layout}>
            {[true, false].map((side) => (
              <button
                key={String(side)}
                type="button"
                aria-pressed={side === isSideBySide}
                onClick={() => {
                  onLayout(side)
                }}
              >
                {side ? codeTexts.optimize.sideBySide : codeTexts.optimize.unified}
              </button>
            ))}
          </div>
          <ChangeList rewrite={rewrite} />
          <EngineNote engine={rewrite.engine} />
        </div>
      )}
    </>
  )
}

function ChangeList({ rewrite }: { rewrite: Rewrite }): JSX.Element {
  return (
    <>
      <h3>{codeTexts.optimize.changes}</h3>
      <ul class="changes">
        {rewrite.changes.map(({ type, description, line }, i) => (
          <li key={i}>
            <span class="finding-head">
              {codeTexts.optimize.change[type]} · {codeTexts.analyze.line(line)}
            </span>
            {description}
          </li>
        ))}
      </ul>
      {rewrite.improvements.length > 0 && (
        <>
          <h3>{codeTexts.optimize.improvements}</h3>
          <ul class="bullets">
            {rewrite.improvements.map((improvement) => (
              <li key={improvement}>{improvement}</li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}
