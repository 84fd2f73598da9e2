import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { withLineFix, type LineFix } from '@filewright/contracts'
import { useSession } from '../console-context.js'
import { texts } from '../texts.js'
import { codeTexts } from './code-texts.js'
import type { FindingContext } from './finding-context.js'
import { findFix, type NoFix } from './find-fix.js'
import { useTask } from './use-task.js'

/** Shows a verified fix of one finding as a diff, and applies it. */
export function FindingFix({ analysis, finding, language, onCode }: FindingContext): JSX.Element {
  const { api } = useSession()
  const task = useTask()
  const [fix, setFix] = useState<LineFix | NoFix | null>(null)
  const lines = analysis.code.split('\n')

  async function find(signal: AbortSignal): Promise<void> {
    setFix(await findFix(api, { analysis, finding, language }, signal))
  }

  return (
    <div class="finding-tool" data-open={fix !== null}>
      {(fix === null || typeof fix === 'string') && (
        <div class="actions">
          <button
            type="button"
            aria-disabled={task.isRunning}
            onClick={() => {
              void task.run(find)
            }}
          >
            {task.isRunning ? codeTexts.analyze.findingFix : codeTexts.analyze.showFix}
          </button>
          {task.isRunning && (
            <button type="button" onClick={task.stop}>
              {texts.code.stop}
            </button>
          )}
        </div>
      )}
      <p class="problem" role="alert">
        {task.problem}
      </p>
      <p role="status" class="help">
        {typeof fix === 'string' ? codeTexts.analyze.noFix[fix] : ''}
      </p>
      {fix !== null && typeof fix !== 'string' && (
        <>
          <FixDiff before={lines.slice(fix.first - 1, fix.last)} fix={fix} />
          <div class="actions">
            <button
              type="button"
              class="primary"
              onClick={() => {
                onCode(withLineFix(lines, fix).join('\n'), codeTexts.analyze.fixed)
              }}
            >
              {codeTexts.analyze.applyFix}
            </button>
          </div>
        </>
      )}
    </div>
  )
}

function FixDiff({ before, fix }: { before: readonly string[]; fix: LineFix }): JSX.Element {
  const row = (text: string, number: number, kind: 'removed' | 'added'): JSX.Element => (
    <tr key={`${kind}${number}`} data-kind={kind}>
      <td class="muted">{number}</td>
      <td>
        <span class="visually-hidden">{codeTexts.analyze[kind]}</span>
        <span aria-hidden="true">{kind === 'added' ? '+' : '-'}</span>
      </td>
      <td>
        <code>{text}</code>
      </td>
    </tr>
  )
  return (
    <div class="fix-diff" role="region" aria-label={codeTexts.analyze.fixOf(fix.first)}>
      <table>
        <tbody>
          {before.map((text, i) => row(text, fix.first + i, 'removed'))}
          {fix.lines.map((text, i) => row(text, fix.first + i, 'added'))}
        </tbody>
      </table>
    </div>
  )
}
