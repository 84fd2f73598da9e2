import { kindOf, named as namedNodes, textOf } from '../tree/nodes.js'
import type { TreeNode } from '../tree/tree.js'
import type { Expression } from './form.js'

export const lineOf = (node: TreeNode): number => node.range().start.line + 1

/**
 * The terms of a sum of texts, in their order. Without recursion: sums of thousands of terms nest as deep.
 */
export function termsOf(sum: TreeNode, kind: string, lower: (term: TreeNode) => Expression): Expression[] {
  const terms: Expression[] = []
  const stack = [sum]
  while (stack.length > 0) {
    const node = stack.pop()!
    if (kindOf(node) === kind && textOf(node.field('operator')) === '+') {
      stack.push(node.field('right')!, node.field('left')!)
    } else terms.push(lower(node))
  }
  return terms
}

/** How a comparison is read: `equals` also for what says that nothing was found. */
export function comparison(operator: string): 'equals' | 'differs' | 'other' {
  return /^(?:==|===|<|is)$/.test(operator)
    ? 'equals'
    : /^(?:!=|!==|>=?|is not)$/.test(operator)
      ? 'differs'
      : 'other'
}

export const children = namedNodes
