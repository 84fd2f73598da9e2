import type { JSX } from 'preact'
import { rulePath, severityNames, type AnalysisType, type SarifLevel } from '@filewright/contracts'
import { formatRoute } from '../routes.js'
import { texts } from '../texts.js'
import { codeTexts } from '../code/code-texts.js'
import { LoadProblem } from '../ui/load-problem.js'
import { Skeleton } from '../ui/skeleton.js'
import { useLoaded } from '../ui/use-loaded.js'
import { useTitle } from '../ui/use-title.js'

export interface Rule {
  id: string
  category: AnalysisType
  level: SarifLevel
  message: string
  help: string
}

/** What a rule detects, and what to do about it. Needs no token: the command line links here. */
export function RulesPage({ rule }: { rule: string }): JSX.Element {
  const loaded = useLoaded('rules', async () => (await import('filewright:rules')).rules)
  const rules = loaded.value
  useTitle([rule, texts.rules.title])
  return (
    <main id="main" tabIndex={-1} class="page rules">
      <LoadProblem of={loaded} />
      {rules === undefined && <Skeleton rows={8} />}
      {rules !== undefined &&
        (rule === '' ? <RuleList rules={rules} /> : <OneRule rules={rules} id={rule} />)}
    </main>
  )
}

function OneRule({ rules, id }: { rules: readonly Rule[]; id: string }): JSX.Element {
  const rule = rules.find((each) => each.id === id)
  const isOfModel = id.startsWith('model/')
  const isOfProof = id.startsWith('proof/')
  return (
    <>
      <h1>{rule === undefined && !isOfModel && !isOfProof ? texts.rules.missing : id}</h1>
      {isOfModel && <p>{texts.rules.ofModel}</p>}
      {isOfProof && <p>{texts.rules.ofProof}</p>}
      {rule !== undefined && (
        <>
          <p>{rule.message}</p>
          <dl class="facts">
            <div>
              <dt>{texts.rules.fix}</dt>
              <dd>{rule.help}</dd>
            </div>
            <div>
              <dt>{texts.rules.level}</dt>
              <dd>{codeTexts.analyze.levels[severityNames[rule.level]]}</dd>
            </div>
            <div>
              <dt>{texts.rules.category}</dt>
              <dd>{texts.rules.categories[rule.category]}</dd>
            </div>
          </dl>
        </>
      )}
      <p>
        <a href={formatRoute({ view: 'rules', rule: '' })}>{texts.rules.all}</a>
      </p>
    </>
  )
}

function RuleList({ rules }: { rules: readonly Rule[] }): JSX.Element {
  return (
    <>
      <h1>{texts.rules.title}</h1>
      <p>{texts.rules.lead(rules.length)}</p>
      <ul class="rule-list">
        {rules.map(({ id, level, message }) => (
          <li key={id}>
            <a href={rulePath(id)}>
              <code>{id}</code>
            </a>{' '}
            <span class="muted">{codeTexts.analyze.levels[severityNames[level]]}</span> {message}
          </li>
        ))}
      </ul>
    </>
  )
}
