import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { rulePath, severityNames, withoutProof, type RuledFinding } from '@filewright/contracts'
import type { Analysis } from '../editor/workspace.js'
import { codeTexts } from './code-texts.js'
import { CopyButton } from '../ui/copy-button.js'
import { Icon, type IconName } from '../ui/icon.js'
import type { FindingContext } from './finding-context.js'
import { FindingFix } from './finding-fix.js'
import { FindingFlow } from './finding-flow.js'
import { FindingIgnore } from './finding-ignore.js'
import { Choice } from './option-fields.js'

type Filter = keyof typeof codeTexts.analyze.filters
const filters = Object.keys(codeTexts.analyze.filters) as Filter[]

const icons = { error: 'error', warning: 'warning', suggestion: 'bulb' } as const satisfies Record<
  string,
  IconName
>

interface FindingListProps extends Pick<FindingContext, 'language' | 'onCode'> {
  analysis: Analysis
  /** The code has changed since: its lines and fixes are those of another text. */
  isOutdated: boolean
  onLine: (line: number) => void
}

/** Options for what the findings have, with their counts; none where there is no choice. */
function optionsOf(all: string, values: readonly string[]): Record<string, string> | null {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  if (counts.size < 2) return null
  const sorted = [...counts].sort(([one], [other]) => (one < other ? -1 : 1))
  return { '': all, ...Object.fromEntries(sorted.map(([value, count]) => [value, `${value} (${count})`])) }
}

/** In the order of the analysis: the worst first, then by line. */
export function FindingList({ analysis, isOutdated, onLine, ...context }: FindingListProps): JSX.Element {
  const { findings } = analysis
  const [filter, setFilter] = useState<Filter>('all')
  const [category, setCategory] = useState('')
  const [rule, setRule] = useState('')
  const isOf = ({ level }: RuledFinding, name: Filter): boolean =>
    name === 'all' || severityNames[level] === name
  const countOf = (name: Filter): number => findings.filter((finding) => isOf(finding, name)).length
  // A filter for nothing would only take room. What was chosen may be gone in the next analysis.
  const offered = filters.filter((name) => name === 'all' || countOf(name) > 0)
  const current = offered.includes(filter) ? filter : 'all'
  const ofLevel = findings.filter((finding) => isOf(finding, current))
  const categories = optionsOf(
    codeTexts.analyze.anyKind,
    ofLevel.map((finding) => finding.category ?? 'bugs')
  )
  const chosenCategory = categories !== null && category in categories ? category : ''
  const ofCategory = ofLevel.filter(
    (finding) => chosenCategory === '' || (finding.category ?? 'bugs') === chosenCategory
  )
  const rules = optionsOf(
    codeTexts.analyze.anyRule,
    ofCategory.map((finding) => finding.rule)
  )
  const chosenRule = rules !== null && rule in rules ? rule : ''
  const shown = ofCategory.filter((finding) => chosenRule === '' || finding.rule === chosenRule)
  return (
    <>
      <div class="findings-head">
        <h3>{codeTexts.analyze.findings}</h3>
        <div class="segments" role="group" aria-label={codeTexts.analyze.filter}>
          {offered.map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={name === current}
              onClick={() => {
                setFilter(name)
              }}
            >
              {codeTexts.analyze.filters[name]} <span class="count">{countOf(name)}</span>
            </button>
          ))}
        </div>
      </div>
      {(categories !== null || rules !== null) && (
        <div class="field-pair">
          {categories !== null && (
            <Choice
              label={codeTexts.analyze.kind}
              value={chosenCategory}
              options={categories}
              onChange={setCategory}
            />
          )}
          {rules !== null && (
            <Choice label={codeTexts.analyze.rule} value={chosenRule} options={rules} onChange={setRule} />
          )}
        </div>
      )}
      {shown.length === 0 && <p class="muted">{codeTexts.analyze.none}</p>}
      <ul class="findings">
        {shown.map((finding, i) => (
          <FindingItem
            key={`${finding.rule}:${finding.line}:${finding.message}:${i}`}
            {...context}
            analysis={analysis}
            finding={finding}
            isOutdated={isOutdated}
            onLine={onLine}
          />
        ))}
      </ul>
    </>
  )
}

function FindingItem({
  isOutdated,
  onLine,
  ...context
}: FindingContext & { isOutdated: boolean; onLine: (line: number) => void }): JSX.Element {
  const [isIgnoring, setIgnoring] = useState(false)
  const { finding } = context
  const { rule, level, line, help, proof, flow } = finding
  const message = withoutProof(finding)
  const severity = severityNames[level]
  return (
    <li data-level={severity}>
      <button
        type="button"
        class="finding-place"
        onClick={() => {
          onLine(line)
        }}
      >
        <Icon name={icons[severity]} />
        <span>
          <span class="finding-head">
            {codeTexts.analyze.levels[severity]} · {codeTexts.analyze.line(line)}
          </span>
          <span class="finding-message">{message}</span>
        </span>
      </button>
      {flow !== undefined && (
        <FindingFlow flow={flow} code={isOutdated ? '' : context.analysis.code} onLine={onLine} />
      )}
      {proof !== undefined && (
        <div class="finding-proof">
          <p>
            <strong>{codeTexts.analyze.proven}</strong> <code>{proof.input}</code>
          </p>
          <p>{proof.observed}</p>
          <CopyButton text={proof.reproducer} label={codeTexts.analyze.copyReproducer} />
        </div>
      )}
      <p class="finding-more">
        {help !== '' && help !== message && <span>{help} </span>}
        <a href={rulePath(rule)}>
          <code>{rule}</code>
        </a>
      </p>
      {!isOutdated && (
        <div class="finding-tools">
          <FindingFix {...context} />
          {isIgnoring ? (
            <FindingIgnore
              {...context}
              onClose={() => {
                setIgnoring(false)
              }}
            />
          ) : (
            <button
              type="button"
              onClick={() => {
                setIgnoring(true)
              }}
            >
              {codeTexts.analyze.ignoreFor}
            </button>
          )}
        </div>
      )}
    </li>
  )
}
