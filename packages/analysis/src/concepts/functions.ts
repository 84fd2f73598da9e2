import { words, type TreeRuleMakers } from '../rules/tree-rules.js'
import { kindOf, named } from '../tree/nodes.js'
import type { TreeNode, TreeRule } from '../tree/tree.js'

const maxParameters = 6

/** `countIn` counts names where one declaration has several. */
export const tooManyParameters = (
  style: TreeRuleMakers,
  kinds: readonly string[],
  group: string,
  countIn: (declaration: TreeNode) => number = () => 1
): TreeRule =>
  style.info('parameters', {
    sentence: 'This function has too many parameters.',
    suggestion: `Group related parameters into ${group}.`,
    kinds,
    when: (node) =>
      named(node.field('parameters')).reduce((count, each) => count + countIn(each), 0) > maxParameters
  })

/** `if (a) { return b } else { … }`, where blocks and returns are statements. */
export const elseAfterReturn = (style: TreeRuleMakers): TreeRule =>
  style.info('else-after-return', {
    ...words.elseReturn,
    kinds: 'if_statement',
    when: (node) => {
      const last = statementsOf(node.field('consequence')).at(-1) ?? null
      const alternative = node.field('alternative')
      return kindOf(last) === 'return_statement' &&
        kindOf(alternative) === 'block' &&
        kindOf(node.parent()) !== 'if_statement' &&
        node.field('initializer') === null
        ? alternative
        : false
    }
  })

/** The statements of a block, which some grammars put into a list of their own. */
export function statementsOf(block: TreeNode | null): TreeNode[] {
  return named(block).flatMap((part) => (kindOf(part) === 'statement_list' ? named(part) : [part]))
}
