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

export const selfComparison = {
  sentence: 'Comparing a value with itself always gives the same result.',
  suggestion: 'Compare it with the other value that you meant.'
} as const

export const uselessExpression = {
  sentence: 'The result of this expression is not used.',
  suggestion: 'Return it, assign it or call it; remove it if it is a leftover.'
} as const

export const stripCharacters = {
  sentence: 'strip(), lstrip() and rstrip() remove any of these characters, not the string as a whole.',
  suggestion: 'Use removeprefix() or removesuffix() to remove a string.'
} as const

export const flaskDebug = {
  sentence: 'debug=True starts the Werkzeug debugger, which lets a visitor run code on the server.',
  suggestion: 'Turn debug mode on from the environment, and only on a development machine.'
} as const
