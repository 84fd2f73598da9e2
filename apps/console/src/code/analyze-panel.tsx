import type { JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { languageOf } from '../editor/workspace-language.js'
import { filesOfSarif } from '@filewright/contracts'
import type { AnalyzeRequest } from '@filewright/client/browser'
import { useSession } from '../console-context.js'
import { codeTexts } from './code-texts.js'
import { EngineNote } from './engine-note.js'
import { FindingList } from './finding-list.js'
import { filledIn } from './option-fields.js'
import { TaskForm } from './task-form.js'
import { useForm } from '../ui/use-form.js'
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
  const { api } = useSession()
  const task = useTask()
  const options = useForm('analyze', { type: 'all', framework: '' })
  const [done, setDone] = useState('')
  const doneNote = useRef<HTMLParagraphElement>(null)
  const analyzed = workspace.analysis.value

  async function analyze(signal: AbortSignal): Promise<void> {
    const code = workspace.text.value
    const { type, framework } = options.values
    const chosen = filledIn({ analysis_type: type === 'all' ? '' : type, framework })
    const request = { code, language: languageOf(workspace).value, ...chosen } as AnalyzeRequest
    // SARIF has what the plain response lacks: rules, levels and what to do.
    const [file] = filesOfSarif(await api.ai.analyzeAsSarif(request, { signal }))
    if (file !== undefined) workspace.analysis.value = { code, ...file }
  }

  /** The findings of the new text, and no note that the old ones are outdated. */
  function change(code: string, note: string): void {
    workspace.text.value = code
    setDone(note)
    // The button that was pressed goes with its finding.
    doneNote.current?.focus()
    void task.run(analyze)
  }

  // What a finding already says is not said again.
  const said = new Set(analyzed?.findings.map(({ help }) => help))
  const advice = (analyzed?.suggestions ?? []).filter((suggestion) => !said.has(suggestion))
  const isOutdated = analyzed !== null && analyzed.code !== workspace.text.value
  return (
    <>
      <TaskForm
        words={codeTexts.analyze}
        options={options}
        workspace={workspace}
        task={task}
        onRun={() => {
          setDone('')
          void task.run(analyze)
        }}
      />
      {analyzed === null ? (
        <p class="help">{codeTexts.analyze.start}</p>
      ) : (
        <div class="results" aria-busy={task.isRunning}>
          {isOutdated && <p class="note">{codeTexts.analyze.changed}</p>}
          <div class="score" data-grade={gradeOf(analyzed.score)}>
            <strong>{analyzed.score}</strong>
            <div>
              <h3>{codeTexts.analyze.score}</h3>
              <meter
                min={0}
                max={100}
                low={GRADES[0]}
                high={GRADES[1]}
                optimum={100}
                value={analyzed.score}
                aria-label={codeTexts.analyze.score}
              >
                {codeTexts.analyze.scoreOf(analyzed.score)}
              </meter>
            </div>
          </div>
          <p class="help">{codeTexts.analyze.scoreHelp}</p>
          <p ref={doneNote} tabIndex={-1} class="help" role="status">
            {done}
          </p>
          <FindingList
            analysis={analyzed}
            language={languageOf(workspace).value}
            isOutdated={isOutdated}
            onLine={onLine}
            onCode={change}
          />
          {analyzed.suppressed.length > 0 && (
            <details>
              <summary>{codeTexts.analyze.suppressed(analyzed.suppressed.length)}</summary>
              <ul class="bullets">
                {analyzed.suppressed.map(({ line, rule, message, suppression }) => (
                  <li key={`${line}:${rule}:${message}`}>
                    {codeTexts.analyze.line(line)}: {message} <code>{rule}</code> {codeTexts.analyze.reason}{' '}
                    {suppression}
                  </li>
                ))}
              </ul>
            </details>
          )}
          {advice.length > 0 && (
            <>
              <h3>{codeTexts.analyze.advice}</h3>
              <ul class="bullets">
                {advice.map((suggestion) => (
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
