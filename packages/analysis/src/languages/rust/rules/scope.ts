import { ancestor, endsOf } from '../../../tree/nodes.js'
import { remember } from '../../../remember.js'
import { countsIn } from '../../../tree/scope.js'
import type { TreeNode } from '../../../tree/tree.js'

export const functions = ['function_item', 'closure_expression']

export const inLoop = remember((node: TreeNode) =>
  ancestor(node, ['for_expression', 'while_expression', 'loop_expression'], functions)
)

/** What a function says about the names in it, read once for all of them. */
const factsOf = remember((scope: TreeNode) => ({
  words: countsIn(scope.text()),
  isAsync: /^(?:pub(?:\([^)]*\))? )?async fn/.test(endsOf(scope))
}))

export const scopeOf = remember((node: TreeNode) => {
  const scope = ancestor(node, ['function_item'])
  return scope === null ? null : factsOf(scope)
})
