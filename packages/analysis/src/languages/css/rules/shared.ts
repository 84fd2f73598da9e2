import type { CssNode, Declaration, Rule } from 'css-tree'
import type { CssRule } from '../rule.js'
import type { AnalysisType, RuleInfo, Severity } from '../../../types.js'

export function rule<T extends CssNode['type']>(
  analysisType: AnalysisType,
  id: string,
  severity: Severity,
  words: Pick<RuleInfo, 'sentence' | 'suggestion'>,
  on: T,
  when: (
    node: Extract<CssNode, { type: T }>,
    context: Parameters<CssRule['when']>[1]
  ) => ReturnType<CssRule['when']>
): CssRule {
  return {
    id: `css/${id}`,
    engine: 'css',
    languages: ['css'],
    analysisType,
    severity,
    ...words,
    on,
    when: when as CssRule['when']
  }
}

export function declarationsOf(node: Rule): Declaration[] {
  return node.block.children.toArray().filter((each) => each.type === 'Declaration')
}
