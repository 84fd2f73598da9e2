import type { HintRule, TagRule } from '../rule.js'
import { makersOf, type Own } from '../../../rules/makers.js'
import type { AnalysisType } from '../../../types.js'

export const rulesOf = (analysisType: AnalysisType) => ({
  hint: makersOf(
    (rule, severity, own: Omit<Own<HintRule>, 'rule'>): HintRule => ({
      id: `html/${rule}`,
      engine: 'hint',
      rule,
      languages: ['html'],
      analysisType,
      severity,
      ...own
    })
  ),
  tag: makersOf(
    (id, severity, own: Own<TagRule>): TagRule => ({
      id: `html/${id}`,
      engine: 'tag',
      languages: ['html'],
      analysisType,
      severity,
      ...own
    })
  )
})

export const isOutside = (address: string | null | undefined): boolean =>
  /^(?:https?:)?\/\//i.test(address ?? '')

export const hasHead = (all: Parameters<TagRule['when']>[1]): boolean =>
  all.some((each) => each.name === 'head')
