import type { RuffRule } from '../rule.js'
import { makersOf, type Own } from '../../../rules/makers.js'
import type { AnalysisType } from '../../../types.js'

/** Ruff's rules under our types, severities and words. */
export const ruffRulesOf = (analysisType: AnalysisType) =>
  makersOf(
    'py',
    { languages: ['python'], analysisType },
    (head, own: Own<RuffRule>): RuffRule => ({ ...head, engine: 'ruff', ...own })
  )

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
