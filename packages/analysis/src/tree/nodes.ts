import { treeOf, type TreeNode } from './tree.js'

/** The nearest node of these kinds around a node, unless one of the kinds to stop at lies between. */
export function ancestor(
  node: TreeNode,
  kinds: readonly string[],
  stop: readonly string[] = []
): TreeNode | null {
  const nearest = treeOf(node).enclosing([...kinds, ...stop])(node)
  return kinds.includes(kindOf(nearest)) ? nearest : null
}

/** A node that the code may lack; questions about it have an empty answer. */
type Optional = TreeNode | null | undefined

export function named(node: Optional): TreeNode[] {
  return (node?.children() ?? []).filter((child) => child.isNamed() && !/comment/.test(String(child.kind())))
}

export function textOf(node: Optional): string {
  return node?.text() ?? ''
}

const maxEndChars = 300

/**
 * Both ends of a text whose middle tells nothing, as of a chain of calls: every call of a chain has all the
 * calls before it in its text.
 */
export function endsOf(node: Optional): string {
  if (node == null) return ''
  const {
    start: { index: start },
    end: { index: end }
  } = node.range()
  const { text } = treeOf(node).source
  return end - start <= 2 * maxEndChars
    ? text.slice(start, end)
    : `${text.slice(start, start + maxEndChars)}…${text.slice(end - maxEndChars, end)}`
}

export function kindOf(node: Optional): string {
  return String(node?.kind() ?? '')
}

export function below(node: TreeNode, kind: string): TreeNode[] {
  return node.findAll({ rule: { kind } })
}

export function hasText(node: Optional, pattern: RegExp): boolean {
  return node != null && pattern.test(node.text())
}

/** Contents of a string literal, whatever its quotes and prefix. */
export function literalOf(node: Optional): string {
  return textOf(node).replace(/^[a-zA-Z]{0,2}#*(?:"""|'''|["'`])|(?:"""|'''|["'`])#*$/g, '')
}

export const stringKinds =
  /^(?:string|string_literal|interpreted_string_literal|raw_string_literal|text_block|concatenated_string)$/

export function isString(node: Optional): boolean {
  return stringKinds.test(kindOf(node))
}

/**
 * The next statement beside this one. Step by step: a list of all siblings of every statement would be
 * quadratic.
 */
export function following(node: TreeNode, skip = /comment/): TreeNode | null {
  let next = node.next()
  while (next !== null && (!next.isNamed() || skip.test(kindOf(next)))) next = next.next()
  return next
}

/** What stands after a statement that never goes on, in the same block. */
export function unreachableAfter(jump: TreeNode, skip: RegExp): TreeNode | null {
  const next = following(jump)
  return next === null || skip.test(kindOf(next)) ? null : next
}
