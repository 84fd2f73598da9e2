import { syntaxRule } from '../rules/every/syntax.js'
import type { Hit, Severity } from '../types.js'
import type { Place } from './place.js'

/**
 * How serious a finding is: the only place that decides it. A rule says what its findings are at most. An `error`
 * must be earned: no engine had to assume anything that the code does not show (`isLikely`), and the line is part
 * of a program that others use.
 */
export function severityOf({ rule, isDoubtful = false, isLikely = false }: Hit, place: Place): Severity {
  if (isDoubtful) return 'info'
  if (rule.severity !== 'error' || isLikely) return rule.severity === 'error' ? 'warning' : rule.severity
  return place === 'program' || (place === 'test' && rule === syntaxRule) ? 'error' : 'warning'
}
