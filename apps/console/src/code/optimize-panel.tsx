import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { OptimizationResult, OptimizeRequest } from '@filewright/client/browser'
import { languageOf } from '../editor/workspace-language.js'
import { useSession } from '../console-context.js'
import { explainError, isOutcome } from '../explain-error.js'
import { engineOf } from '../session/session.js'
import { ChangeList } from './change-list.js'
import { codeTexts } from './code-texts.js'
import { EngineNote } from './engine-note.js'
import { filledIn } from './option-fields.js'
import { TaskForm } from './task-form.js'
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
  const options = useForm('optimize', { type: 'any', framework: '' })
  const [note, setNote] = useState(codeTexts.optimize.start)
  const rewrite = workspace.rewrite.value

  async function optimize(signal: AbortSignal): Promise<void> {
    const before = workspace.text.value
    const { type, framework } = options.values
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

  function accept({ optimized_code: code }: Rewrite): void {
    workspace.rewrite.value = null
    // The findings referred to other lines.
    workspace.analysis.value = null
    workspace.text.value = code
    setNote(codeTexts.optimize.accepted)
  }

  return (
    <>
      <TaskForm
        words={codeTexts.optimize}
        options={options}
        workspace={workspace}
        task={task}
        isPrimary={rewrite === null}
        onRun={() => {
          void task.run(optimize)
        }}
      />
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
          <ChangeList {...rewrite} />
          <EngineNote engine={rewrite.engine} />
        </div>
      )}
    </>
  )
}
