import type { JSX } from 'preact'
import { codeTexts } from './code-texts.js'

interface FindingFlowProps {
  /** Lines from the source of the data to the finding. */
  flow: readonly number[]
  /** Empty when the code is no longer the analyzed one. */
  code: string
  onLine: (line: number) => void
}

const words = codeTexts.analyze.flow

/** The way of a client's value, step by step; each step leads to its line. */
export function FindingFlow({ flow, code, onLine }: FindingFlowProps): JSX.Element {
  const lines = code.split(/\r?\n/)
  const nameOf = (index: number): string =>
    index === 0 ? words.source : index === flow.length - 1 ? words.sink : words.step
  return (
    <details class="finding-flow">
      <summary>{words.title(flow.length)}</summary>
      {flow.map((line, index) => (
        <button
          key={index}
          type="button"
          onClick={() => {
            onLine(line)
          }}
        >
          <span class="finding-head">
            {nameOf(index)} · {codeTexts.analyze.line(line)}
          </span>
          <code>{lines[line - 1]?.trim() ?? ''}</code>
        </button>
      ))}
    </details>
  )
}
