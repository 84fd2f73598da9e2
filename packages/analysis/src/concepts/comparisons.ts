import { notANumber, words, type TreeRuleMakers } from '../rules/tree-rules.js'
import { isSlip } from '../text/slips.js'
import { endsOf, kindOf, textOf } from '../tree/nodes.js'
import type { TreeNode, TreeRule } from '../tree/tree.js'

/** `a == a`; with the kind of an assignment among the kinds, also `a = a`. */
export const selfCompare = (bug: TreeRuleMakers, kinds: readonly string[]): TreeRule =>
  bug.error('self-compare', {
    ...words.selfCompare,
    kinds,
    when: (node) =>
      /^(?:==|!=|<|>|<=|>=|=)$/.test(textOf(node.field('operator'))) &&
      /^[\w.]+$/.test(textOf(node.field('left'))) &&
      textOf(node.field('left')) === textOf(node.field('right')) &&
      notANumber(node),
    message: (node) =>
      /^assignment/.test(kindOf(node)) ? 'This variable is assigned to itself.' : words.selfCompare.sentence
  })

/** Two comparisons of one value with constants that leave nothing to decide. */
export function fixedConditions(
  bug: TreeRuleMakers,
  kind: string,
  or: '||' | 'or',
  and: '&&' | 'and'
): TreeRule[] {
  const joinedBy = (operator: typeof or | typeof and) => (node: TreeNode) =>
    textOf(node.field('operator')) === operator && isSlip(endsOf(node), operator)
  return [
    bug.error('always-true', {
      sentence: 'This condition is always true: every value passes one of the two comparisons.',
      suggestion: `Use ${and} instead of ${or}.`,
      kinds: kind,
      when: joinedBy(or)
    }),
    bug.error('always-false', {
      sentence: 'This condition is always false: the two comparisons exclude each other.',
      suggestion: `Use ${or} instead of ${and}.`,
      kinds: kind,
      when: joinedBy(and)
    })
  ]
}

/** `isOpen == true` */
export const booleanCompare = (style: TreeRuleMakers): TreeRule =>
  style.info('boolean-compare', {
    sentence: 'Comparing a boolean with true or false is redundant.',
    suggestion: 'Use the value itself, or its negation.',
    kinds: 'binary_expression',
    when: (node) =>
      /^[!=]=$/.test(textOf(node.field('operator'))) && /^(?:true|false)$/.test(textOf(node.field('right')))
  })
