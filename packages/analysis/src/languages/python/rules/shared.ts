import type { RuffRule } from '../rule.js'
import type { AnalysisType, Severity } from '../../../types.js'

type Row = readonly [
  code: string,
  name: string,
  severity: Severity,
  sentence: string,
  suggestion: string,
  named?: 'named'
]

/**
 * Ruff's rules under our types, severities and words. `named` rules say what Ruff says, because it names the
 * thing.
 */
export function ruffRulesOf(analysisType: AnalysisType, rows: readonly Row[]): RuffRule[] {
  return rows.map(([code, name, severity, sentence, suggestion, named]) => ({
    id: `py/${name}`,
    engine: 'ruff',
    code,
    languages: ['python'],
    analysisType,
    severity,
    sentence,
    suggestion,
    ...(named === 'named' ? { named: true } : {})
  }))
}
