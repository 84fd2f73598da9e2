import { analyzedLanguages } from '../../language-groups.js'
import type { RuleInfo } from '../../types.js'

/** A short list would otherwise read as praise. */
export const analyzerFailed: RuleInfo = {
  id: 'all/analyzer-failed',
  languages: analyzedLanguages,
  analysisType: 'bugs',
  severity: 'warning',
  sentence: 'An analyzer could not parse this code, so its findings are missing.',
  suggestion: 'Treat the list of findings as incomplete. Split the code or nest it less deeply.'
}
