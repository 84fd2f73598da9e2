import type { HintRule, TagRule } from '../rule.js'
import { makersOf, type Own } from '../../../rules/makers.js'
import type { AnalysisType } from '../../../types.js'

export function rulesOf(analysisType: AnalysisType) {
  const shared = { languages: ['html'], analysisType } as const
  return {
    hint: makersOf(
      'html',
      shared,
      (head, own: Omit<Own<HintRule>, 'rule'>, rule): HintRule => ({ ...head, engine: 'hint', rule, ...own })
    ),
    tag: makersOf('html', shared, (head, own: Own<TagRule>): TagRule => ({ ...head, engine: 'tag', ...own }))
  }
}

export const isOutside = (address: string | null | undefined): boolean =>
  /^(?:https?:)?\/\//i.test(address ?? '')

export const hasHead = (all: Parameters<TagRule['when']>[1]): boolean =>
  all.some((each) => each.name === 'head')
