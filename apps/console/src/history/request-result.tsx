import type { JSX } from 'preact'
import type { GenerationDetails } from '@filewright/client/browser'
import { ChangeList } from '../code/change-list.js'
import { CodeDiff } from '../code/code-diff.js'
import { codeTexts } from '../code/code-texts.js'
import { CodeViewer } from '../editor/code-viewer.js'
import { NARROW, useMedia } from '../ui/use-media.js'
import { historyTexts } from './history-texts.js'

export function RequestResult({ of: details }: { of: GenerationDetails }): JSX.Element {
  return (
    <section aria-labelledby="request-result">
      <h2 id="request-result">{historyTexts.result}</h2>
      <Result of={details} />
    </section>
  )
}

function Result({ of: { request, result } }: { of: GenerationDetails }): JSX.Element {
  const isNarrow = useMedia(NARROW)
  const { content, analysis, score, suggestions = [], optimized_code: optimized } = result ?? {}
  const language = request?.language ?? ''
  if (content !== undefined) {
    return (
      <div class="request-code">
        <CodeViewer text={content} name={language} label={historyTexts.result} />
      </div>
    )
  }
  if (optimized !== undefined) {
    return (
      <>
        <div class="request-code">
          <CodeDiff
            before={request?.code ?? ''}
            after={optimized}
            language={language}
            isSideBySide={!isNarrow}
            labels={codeTexts.optimize.versions}
          />
        </div>
        <ChangeList changes={result?.changes ?? []} improvements={result?.improvements ?? []} />
      </>
    )
  }
  if (analysis === undefined || score === undefined) return <p class="muted">{historyTexts.noResult}</p>
  return (
    <>
      <p>
        {codeTexts.analyze.score}: {codeTexts.analyze.scoreOf(score)}
      </p>
      <ul class="changes">
        {analysis.map(({ type, message, line }, i) => (
          <li key={i}>
            <span class="finding-head">
              {codeTexts.analyze.levels[type]} · {codeTexts.analyze.line(line)}
            </span>
            {message}
          </li>
        ))}
      </ul>
      {analysis.length === 0 && <p class="muted">{codeTexts.analyze.none}</p>}
      <ul class="bullets">
        {suggestions.map((suggestion) => (
          <li key={suggestion}>{suggestion}</li>
        ))}
      </ul>
    </>
  )
}
