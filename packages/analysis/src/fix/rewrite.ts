import type { Language } from '@filewright/contracts'
import { addTo } from '../lists.js'
import { remember } from '../remember.js'
import type { Tree, TreeNode } from '../tree/tree.js'

/** A change to nodes of one kind; null where the code would behave differently. */
export interface Rewrite {
  language: Language
  ruleId: string
  kind: string
  description: string
  rewrite: (node: TreeNode, tree: Tree) => string | null
  /** The node that the change is about, if it is not the one that changes. */
  about?: (node: TreeNode) => TreeNode | null
}

/** What is asked of a part of a tree; `key` tells the questions about one part apart. */
export function perScope<T>(
  ask: (scope: TreeNode, tree: Tree, key: string) => T
): (scope: TreeNode, tree: Tree, key?: string) => T {
  const answers = remember((_tree: Tree) => new Map<string, { answer: T }>())
  return (scope, tree, key = '') => {
    const place = `${scope.id()} ${key}`
    const seen = answers(tree).get(place) ?? { answer: ask(scope, tree, key) }
    answers(tree).set(place, seen)
    return seen.answer
  }
}

/** Nodes under every name that their text speaks of. */
export function byName(
  nodes: readonly TreeNode[],
  textOf: (node: TreeNode) => string
): Map<string, TreeNode[]> {
  const found = new Map<string, TreeNode[]>()
  for (const node of nodes) {
    for (const name of new Set(textOf(node).match(/\w+/g))) addTo(found, name, node)
  }
  return found
}
