import type { JSX } from 'preact'
import type { OptimizationResult } from '@filewright/client/browser'
import { codeTexts } from './code-texts.js'

type ChangeListProps = Pick<OptimizationResult, 'changes' | 'improvements'>

export function ChangeList({ changes, improvements }: ChangeListProps): JSX.Element {
  return (
    <>
      <h3>{codeTexts.optimize.changes}</h3>
      <ul class="changes">
        {changes.map(({ type, description, line }, i) => (
          <li key={i}>
            <span class="finding-head">
              {codeTexts.optimize.change[type]} · {codeTexts.analyze.line(line)}
            </span>
            {description}
          </li>
        ))}
      </ul>
      {improvements.length > 0 && (
        <>
          <h3>{codeTexts.optimize.improvements}</h3>
          <ul class="bullets">
            {improvements.map((improvement) => (
              <li key={improvement}>{improvement}</li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}
