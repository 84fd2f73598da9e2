import type { Language } from '@filewright/contracts'
import { followFlow } from '../flow/follow.js'
import type { Statement } from '../flow/form.js'
import type { CompiledTables } from '../flow/tables.js'
import { flowRules } from '../rules/flow.js'
import type { AnalysisType, FailureHook, Hit } from '../types.js'

/** What following the values of some code finds. After a failure the other findings stay. */
export function runFlow(
  lower: () => readonly Statement[],
  tables: CompiledTables,
  language: Language,
  wanted: ReadonlySet<AnalysisType>,
  onFailure: FailureHook
): Hit[] {
  if (!wanted.has('security')) return []
  try {
    return followFlow(lower(), tables).flatMap(({ kind, line, ...doubt }) => {
      const rule = flowRules.find((each) => each.kind === kind && each.languages.includes(language))
      return rule === undefined ? [] : [{ rule, line, ...doubt }]
    })
  } catch (error) {
    onFailure('flow', error)
    return []
  }
}
