import type { HintRule, TagRule } from '../rule.js'
import type { AnalysisType, RuleInfo, Severity } from '../../../types.js'

type Words = Pick<RuleInfo, 'sentence' | 'suggestion'>

export const hint = (
  analysisType: AnalysisType,
  rule: string,
  severity: Severity,
  words: Words,
  options?: unknown
): HintRule => ({
  id: `html/${rule}`,
  engine: 'hint',
  languages: ['html'],
  analysisType,
  severity,
  ...words,
  rule,
  ...(options === undefined ? {} : { options })
})

export const tag = (
  analysisType: AnalysisType,
  id: string,
  severity: Severity,
  words: Words,
  tags: string | null,
  when: TagRule['when']
): TagRule => ({
  id: `html/${id}`,
  engine: 'tag',
  languages: ['html'],
  analysisType,
  severity,
  ...words,
  tags,
  when
})

export const isOutside = (address: string | null | undefined): boolean =>
  /^(?:https?:)?\/\//i.test(address ?? '')

export const hasHead = (all: Parameters<TagRule['when']>[1]): boolean =>
  all.some((each) => each.name === 'head')
