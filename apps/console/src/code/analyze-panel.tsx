import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { AnalyzeRequest } from '@filewright/client/browser'
import { useSession } from '../console-context.js'
import { engineOf } from '../session/session.js'
import { texts } from '../texts.js'
import { EngineNote } from './engine-note.js'
import { FindingList } from './finding-list.js'
import { Choice, filledIn, FrameworkField } from './option-fields.js'
import { useTask } from './use-task.js'
import type { Workspace } from '../editor/workspace.js'

export interface AnalyzePanelProps {
  workspace: Workspace
  onLine: (line: number) => void
}

/** Below the first value the score is bad, from the second on it is good. */
const GRADES = [50, 80] as const
const gradeOf = (score: number): string => (score < GRADES[0] ? 'bad' : score < GRADES[1] ? 'fair' : 'good')

export function AnalyzePanel({ workspace, onLine }: AnalyzePanelProps): JSX.Element {
  const session = useSession()
  const task = useTask()
  const [type, setType] = useState<keyof typeof texts.analyze.types>('all')
  const [framework, setFramework] = useState('')
  const analyzed = workspace.analysis.value

  async function analyze(signal: AbortSignal): Promise<void> {
    const code = workspace.text.value
    const chosen = filledIn({ analysis_type: type === 'all' ? '' : type, framework })
    const request = { code, language: workspace.language.value, ...chosen } as AnalyzeRequest
    const result = await session.api.ai.analyze(request, { signal })
    workspace.analysis.value = { code, result, engine: engineOf(session) }
  }

  function submit(event: SubmitEvent): void {
    event.preventDefault()
    if (workspace.text.value.trim() === '') task.complain(texts.code.noCode)
    else void task.run(analyze)
  }

  const isOutdated = analyzed !== null && analyzed.code !== workspace.text.value
  return (
    <>
      <form class="form" onSubmit={submit}>
        <div class="field-pair">
          <Choice label={texts.analyze.what} value={type} options={texts.analyze.types} onChange={setType} />
          <FrameworkField value={framework} onChange={setFramework} />
        </div>
        <p class="problem" role="alert">
          {task.problem}
        </p>
        <div class="actions">
          <button type="submit" class="primary" aria-disabled={task.isRunning}>
            {task.isRunning ? texts.analyze.running : texts.analyze.button}
          </button>
          {task.isRunning && (
            <button type="button" onClick={task.stop}>
              {texts.code.stop}
            </button>
          )}
        </div>
      </form>
      {analyzed === null ? (
        <p class="help">{texts.analyze.start}</p>
      ) : (
        <div class="results" aria-busy={task.isRunning}>
          {isOutdated && <p class="note">{texts.analyze.changed}</p>}
          <div class="score" data-grade={gradeOf(analyzed.result.score)}>
            <strong>{analyzed.result.score}</strong>
            <div>
              <h3>{texts.analyze.score}</h3>
              <meter
                min={0}
                max={100}
                low={GRADES[0]}
                high={GRADES[1]}
                optimum={100}
                value={analyzed.result.score}
                aria-label={texts.analyze.score}
              >
                {texts.analyze.scoreOf(analyzed.result.score)}
              </meter>
            </div>
          </div>
          <p class="help">{texts.analyze.scoreHelp}</p>
          <FindingList findings={analyzed.result.analysis} onLine={onLine} />
          {analyzed.result.suggestions.length > 0 && (
            <>
              <h3>{texts.analyze.suggestions}</h3>
              <ul class="bullets">
                {analyzed.result.suggestions.map((suggestion) => (
                  <li key={suggestion}>{suggestion}</li>
                ))}
              </ul>
            </>
          )}
          <EngineNote engine={analyzed.engine} />
        </div>
      )}
    </>
  )
}
