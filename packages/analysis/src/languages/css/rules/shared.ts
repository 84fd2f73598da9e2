import type { CssNode, Declaration, Rule } from 'css-tree'
import type { CssRule } from '../rule.js'
import { makersOf, type Own } from '../../../rules/makers.js'
import type { AnalysisType, Severity } from '../../../types.js'

/** What `when` gets is a node of the type that `on` names. */
type MakerFor = <T extends CssNode['type']>(
  id: string,
  own: Omit<Own<CssRule>, 'on' | 'when'> & {
    on: T
    when: (
      node: Extract<CssNode, { type: T }>,
      context: Parameters<CssRule['when']>[1]
    ) => ReturnType<CssRule['when']>
  }
) => CssRule

export const rulesOf = (analysisType: AnalysisType) =>
  makersOf(
    'css',
    { languages: ['css'], analysisType },
    (head, own: Own<CssRule>): CssRule => ({ ...head, engine: 'css', ...own })
  ) as Readonly<Record<Severity, MakerFor>>

export function declarationsOf(node: Rule): Declaration[] {
  return node.block.children.toArray().filter((each) => each.type === 'Declaration')
}
