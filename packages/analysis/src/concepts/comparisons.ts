import { notANumber, words, type TreeRuleMaker } from '../rules/tree-rules.js'
import { isSlip } from '../text/slips.js'
import { endsOf, kindOf, textOf } from '../tree/nodes.js'
import type { TreeNode, TreeRule } from '../tree/tree.js'

/** `a == a`; with the kind of an assignment among the kinds, also `a = a`. */
export const selfCompare = (bug: TreeRuleMaker, kinds: readonly string[]): TreeRule =>
  bug(
    'self-compare',
    'error',
    words.selfCompare,
    kinds,
    (node) =>
      /^(?:==|!=|<|>|<=|>=|=)$/.test(textOf(node.field('operator'))) &&
      /^[\w.]+$/.test(textOf(node.field('left'))) &&
      textOf(node.field('left')) === textOf(node.field('right')) &&
      notANumber(node),
    {
      message: (node) =>
        /^assignment/.test(kindOf(node)) ? 'This variable is assigned to itself.' : words.selfCompare.sentence
    }
  )

/** Two comparisons of one value with constants that leave nothing to decide. */
export function fixedConditions(
  bug: TreeRuleMaker,
  kind: string,
  or: '||' | 'or',
  and: '&&' | 'and'
): TreeRule[] {
  const joinedBy = (operator: typeof or | typeof and) => (node: TreeNode) =>
    textOf(node.field('operator')) === operator && isSlip(endsOf(node), operator)
  return [
    bug(
      'always-true',
      'error',
      { ...words.alwaysTrue, suggestion: `Use ${and} instead of ${or}.` },
      kind,
      joinedBy(or)
    ),
    bug(
      'always-false',
      'error',
      { ...words.alwaysFalse, suggestion: `Use ${or} instead of ${and}.` },
      kind,
      joinedBy(and)
    )
  ]
}

/** `isOpen == true` */
export const booleanCompare = (style: TreeRuleMaker): TreeRule =>
  style(
    'boolean-compare',
    'info',
    words.booleanCompare,
    'binary_expression',
    (node) =>
      /^[!=]=$/.test(textOf(node.field('operator'))) && /^(?:true|false)$/.test(textOf(node.field('right')))
  )
