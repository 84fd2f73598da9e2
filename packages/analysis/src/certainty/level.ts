import type { Language } from '@filewright/contracts'
import { syntaxRule } from '../rules/every/syntax.js'
import type { Hit, Severity } from '../types.js'
import type { Place } from './place.js'

/**
 * TypeScript's compiler refuses code with these faults. A finding in code that is compiled is most likely about
 * names that are types, which the rule does not know.
 */
const compilerDecides =
  /^js\/(?:no-(?:import-assign|const-assign|class-assign|func-assign|dupe-keys|dupe-class-members|dupe-args|obj-calls|this-before-super|setter-return|undef|redeclare|new-native-nonconstructor)|constructor-super|getter-return|valid-typeof)$/

/**
 * How serious a finding is: the only place that decides it. A rule says what its findings are at most. An `error`
 * must be earned: no engine had to assume anything that the code does not show (`isLikely`), no compiler would have
 * refused the code, and the line is part of a program that others use.
 */
export function severityOf(
  { rule, isDoubtful = false, isLikely = false }: Hit,
  place: Place,
  language: Language
): Severity {
  if (isDoubtful) return 'info'
  if (rule.severity !== 'error') return rule.severity
  const isCompiled = language === 'typescript' || language === 'tsx'
  const isEarned =
    !isLikely &&
    !(isCompiled && compilerDecides.test(rule.id)) &&
    (place === 'program' || (place === 'test' && rule === syntaxRule))
  return isEarned ? 'error' : 'warning'
}
