import type { Language } from '@filewright/contracts'
import type { TextRule } from '../text/text-rule.js'
import type { AnalysisType } from '../types.js'
import { makersOf, type Own } from './makers.js'

/** Makers of rules about the text, for every language where none are named. */
export const textRulesOf = (analysisType: AnalysisType, languages: readonly Language[] = []) =>
  makersOf(
    'all',
    { languages, analysisType },
    (head, own: Own<TextRule>): TextRule => ({ ...head, engine: 'text', ...own })
  )
