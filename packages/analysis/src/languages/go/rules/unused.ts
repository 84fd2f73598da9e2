import { ancestor, kindOf, named, textOf } from '../../../tree/nodes.js'
import { remember } from '../../../remember.js'
import { countsIn } from '../../../tree/scope.js'
import type { TreeNode } from '../../../tree/tree.js'
import { neverUsed, treeRulesOf } from '../../../rules/tree-rules.js'

const bug = treeRulesOf('go', 'go', 'bugs')

/** How often each word stands in a function; comments count, so that doubt is no finding. */
const wordsOf = remember((scope: TreeNode) => countsIn(scope.text()))

/** A name that a statement declares and nothing else in the function speaks of. */
function unusedIn(names: readonly TreeNode[]): TreeNode | null {
  const [first] = names
  const scope = first === undefined ? null : ancestor(first, ['function_declaration', 'method_declaration'])
  if (scope === null) return null
  const words = wordsOf(scope)
  return names.find((each) => each.text() !== '_' && words.get(each.text()) === 1) ?? null
}

/** What a statement gives a name to. */
function namesIn(node: TreeNode): TreeNode[] {
  if (kindOf(node) === 'var_spec') return node.children().filter((each) => kindOf(each) === 'identifier')
  // `for i = range` sets a variable that is declared elsewhere.
  return kindOf(node) === 'range_clause' && !node.text().includes(':=') ? [] : named(node.field('left'))
}

export const goUnusedRules = [
  bug.error('unused-variable', {
    sentence: 'This variable is declared and not used, so the code does not compile.',
    suggestion: 'Remove it, or assign the result to _.',
    kinds: ['short_var_declaration', 'range_clause', 'var_spec'],
    when: (node) => unusedIn(namesIn(node)),
    ...neverUsed('declared', textOf)
  })
]
