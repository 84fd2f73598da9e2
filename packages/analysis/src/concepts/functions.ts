import { words, type TreeRuleMaker } from '../rules/tree-rules.js'
import { kindOf, named } from '../tree/nodes.js'
import type { TreeNode, TreeRule } from '../tree/tree.js'

const maxParameters = 6

/** `countIn` counts names where one declaration has several. */
export const tooManyParameters = (
  style: TreeRuleMaker,
  kinds: readonly string[],
  group: string,
  countIn: (declaration: TreeNode) => number = () => 1
): TreeRule =>
  style(
    'parameters',
    'info',
    { ...words.parameters, suggestion: `Group related parameters into ${group}.` },
    kinds,
    (node) =>
      named(node.field('parameters')).reduce((count, each) => count + countIn(each), 0) > maxParameters
  )

/** `if (a) { return b } else { … }`, where blocks and returns are statements. */
export const elseAfterReturn = (style: TreeRuleMaker): TreeRule =>
  style('else-after-return', 'info', words.elseReturn, 'if_statement', (node) => {
    const last = statementsOf(node.field('consequence')).at(-1) ?? null
    const alternative = node.field('alternative')
    return kindOf(last) === 'return_statement' &&
      kindOf(alternative) === 'block' &&
      kindOf(node.parent()) !== 'if_statement' &&
      node.field('initializer') === null
      ? alternative
      : false
  })

/** The statements of a block, which some grammars put into a list of their own. */
export function statementsOf(block: TreeNode | null): TreeNode[] {
  return named(block).flatMap((part) => (kindOf(part) === 'statement_list' ? named(part) : [part]))
}
