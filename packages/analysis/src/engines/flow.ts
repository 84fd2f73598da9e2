import type { Language } from '@filewright/contracts'
import { followFlow } from '../flow/follow.js'
import type { Statement } from '../flow/form.js'
import { tablesFor, type CompiledTables } from '../flow/tables.js'
import { flowRules } from '../rules/flow.js'
import type { Source } from '../text/source.js'
import type { AnalysisType, FailureHook, Hit } from '../types.js'

/** What following the values of some code finds. After a failure the other findings stay. */
export function runFlow(
  source: Source,
  lower: () => readonly Statement[],
  tables: CompiledTables,
  language: Language,
  wanted: ReadonlySet<AnalysisType>,
  onFailure: FailureHook
): Hit[] {
  if (!wanted.has('security')) return []
  try {
    const { hits, apiHits } = followFlow(lower(), tablesFor(tables, source.text), source.lines)
    return [
      ...hits.flatMap(({ kind, line, ...doubt }) => {
        const rule = flowRules.find((each) => each.kind === kind && each.languages.includes(language))
        return rule === undefined ? [] : [{ rule, line, ...doubt }]
      }),
      ...apiHits.filter(({ rule }) => rule.onlyIn === undefined || rule.onlyIn.test(source.text))
    ]
  } catch (error) {
    onFailure('flow', error)
    return []
  }
}
