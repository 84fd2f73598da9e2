import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Finding } from '@filewright/client/browser'
import { texts } from '../texts.js'
import { Icon } from '../ui/icon.js'

type Filter = keyof typeof texts.analyze.filters
const filters = Object.keys(texts.analyze.filters) as Filter[]

export function FindingList(props: {
  findings: readonly Finding[]
  onLine: (line: number) => void
}): JSX.Element {
  const { findings, onLine } = props
  const [filter, setFilter] = useState<Filter>('all')
  const countOf = (name: Filter): number =>
    findings.filter(({ type }) => name === 'all' || type === name).length
  const shown = findings
    .filter(({ type }) => filter === 'all' || type === filter)
    .toSorted((a, b) => a.line - b.line)
  return (
    <>
      <div class="findings-head">
        <h3>{texts.analyze.findings}</h3>
        <div class="segments" role="group" aria-label={texts.analyze.filter}>
          {filters.map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={name === filter}
              onClick={() => {
                setFilter(name)
              }}
            >
              {texts.analyze.filters[name]} <span class="count">{countOf(name)}</span>
            </button>
          ))}
        </div>
      </div>
      {shown.length === 0 && (
        <p class="muted">{findings.length === 0 ? texts.analyze.none : texts.analyze.noneOfKind}</p>
      )}
      <ul class="findings">
        {shown.map(({ type, message, line }, i) => (
          <li key={i} data-type={type}>
            <button
              type="button"
              onClick={() => {
                onLine(line)
              }}
            >
              <Icon name={type === 'warning' ? 'warning' : 'bulb'} />
              <span>
                <span class="finding-head">
                  {texts.analyze[type]} · {texts.analyze.line(line)}
                </span>
                <span class="finding-message">{message}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
