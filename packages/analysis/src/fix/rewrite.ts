import type { Language } from '@filewright/contracts'
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

/** What is asked of a tree is worked out once: large code asks it thousands of times. */
export function perTree<T>(ask: (tree: Tree) => T): (tree: Tree) => T {
  const known = new WeakMap<Tree, { answer: T }>()
  return (tree) => {
    const seen = known.get(tree) ?? { answer: ask(tree) }
    known.set(tree, seen)
    return seen.answer
  }
}

/** What is asked of a part of a tree; `key` tells the questions about one part apart. */
export function perScope<T>(
  ask: (scope: TreeNode, tree: Tree, key: string) => T
): (scope: TreeNode, tree: Tree, key?: string) => T {
  const answers = perTree(() => new Map<string, { answer: T }>())
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
    for (const name of new Set(textOf(node).match(/\w+/g))) {
      const list = found.get(name)
      if (list === undefined) found.set(name, [node])
      else list.push(node)
    }
  }
  return found
}
