import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { rulePath, severityNames, withoutProof, type RuledFinding } from '@filewright/contracts'
import { texts } from '../texts.js'
import { CopyButton } from '../ui/copy-button.js'
import { Icon, type IconName } from '../ui/icon.js'

type Filter = keyof typeof texts.analyze.filters
const filters = Object.keys(texts.analyze.filters) as Filter[]

const icons = { error: 'error', warning: 'warning', suggestion: 'bulb' } as const satisfies Record<
  string,
  IconName
>

/** In the order of the analysis: the worst first, then by line. */
export function FindingList(props: {
  findings: readonly RuledFinding[]
  onLine: (line: number) => void
}): JSX.Element {
  const { findings, onLine } = props
  const [filter, setFilter] = useState<Filter>('all')
  const isOf = ({ level }: RuledFinding, name: Filter): boolean =>
    name === 'all' || severityNames[level] === name
  const countOf = (name: Filter): number => findings.filter((finding) => isOf(finding, name)).length
  // A filter for nothing would only take room. The level that was chosen may be gone in the next analysis.
  const offered = filters.filter((name) => name === 'all' || countOf(name) > 0)
  const current = offered.includes(filter) ? filter : 'all'
  const shown = findings.filter((finding) => isOf(finding, current))
  return (
    <>
      <div class="findings-head">
        <h3>{texts.analyze.findings}</h3>
        <div class="segments" role="group" aria-label={texts.analyze.filter}>
          {offered.map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={name === current}
              onClick={() => {
                setFilter(name)
              }}
            >
              {texts.analyze.filters[name]} <span class="count">{countOf(name)}</span>
            </button>
          ))}
        </div>
      </div>
      {shown.length === 0 && <p class="muted">{texts.analyze.none}</p>}
      <ul class="findings">
        {shown.map((finding, i) => (
          <FindingItem key={i} finding={finding} onLine={onLine} />
        ))}
      </ul>
    </>
  )
}

function FindingItem({
  finding,
  onLine
}: {
  finding: RuledFinding
  onLine: (line: number) => void
}): JSX.Element {
  const { rule, level, line, help, proof } = finding
  const message = withoutProof(finding)
  const severity = severityNames[level]
  return (
    <li data-level={severity}>
      <button
        type="button"
        onClick={() => {
          onLine(line)
        }}
      >
        <Icon name={icons[severity]} />
        <span>
          <span class="finding-head">
            {texts.analyze.levels[severity]} · {texts.analyze.line(line)}
          </span>
          <span class="finding-message">{message}</span>
        </span>
      </button>
      {proof !== undefined && (
        <div class="finding-proof">
          <p>
            <strong>{texts.analyze.proven}</strong> <code>{proof.input}</code>
          </p>
          <p>{proof.observed}</p>
          <CopyButton text={proof.reproducer} label={texts.analyze.copyReproducer} />
        </div>
      )}
      <p class="finding-more">
        {help !== '' && help !== message && <span>{help} </span>}
        <a href={rulePath(rule)}>
          <code>{rule}</code>
        </a>
      </p>
    </li>
  )
}
