import { analyzedLanguages } from '../../language-groups.js'
import type { RuleInfo } from '../../types.js'

/** A short list would otherwise read as praise. */
export const analyzerFailed: RuleInfo = {
  id: 'all/analyzer-failed',
  languages: analyzedLanguages,
  analysisType: 'bugs',
  severity: 'warning',
  sentence: 'An analyzer could not read this code, so its findings are missing.',
  suggestion: 'Read the list of findings as incomplete; code that is nested less deeply can be read.'
}
