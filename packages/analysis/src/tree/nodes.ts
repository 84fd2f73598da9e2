import { treeOf, type TreeNode } from './tree.js'

/**
 * The answer for each node, scope or tree is computed once: rules of one language ask the same things of
 * them, and every question crosses into native code.
 */
export function remember<K extends object, T>(ask: (key: K) => T): (key: K) => T {
  const known = new WeakMap<K, { answer: T }>()
  return (key) => {
    const seen = known.get(key)
    if (seen !== undefined) return seen.answer
    const answer = ask(key)
    known.set(key, { answer })
    return answer
  }
}

/** The nearest node of these kinds around a node, unless one of the kinds to stop at lies between. */
export function ancestor(
  node: TreeNode,
  kinds: readonly string[],
  stop: readonly string[] = []
): TreeNode | null {
  const nearest = treeOf(node).enclosing([...kinds, ...stop])(node)
  return kinds.includes(kindOf(nearest)) ? nearest : null
}

export function named(node: TreeNode | null): TreeNode[] {
  return node === null
    ? []
    : node.children().filter((child) => child.isNamed() && !/comment/.test(String(child.kind())))
}

export function textOf(node: TreeNode | null): string {
  return node === null ? '' : node.text()
}

const maxEndChars = 300

/**
 * Both ends of a text whose middle tells nothing, as of a chain of calls: every call of a chain has all the
 * calls before it in its text.
 */
export function endsOf(node: TreeNode | null): string {
  if (node === null) return ''
  const {
    start: { index: start },
    end: { index: end }
  } = node.range()
  const { text } = treeOf(node).source
  return end - start <= 2 * maxEndChars
    ? text.slice(start, end)
    : `${text.slice(start, start + maxEndChars)}…${text.slice(end - maxEndChars, end)}`
}

export function kindOf(node: TreeNode | null): string {
  return node === null ? '' : String(node.kind())
}

export function below(node: TreeNode, kind: string): TreeNode[] {
  return node.findAll({ rule: { kind } })
}

export function hasText(node: TreeNode | null, pattern: RegExp): boolean {
  return node !== null && pattern.test(node.text())
}

/** Contents of a string literal, whatever its quotes and prefix. */
export function literalOf(node: TreeNode | null): string {
  return textOf(node).replace(/^[a-zA-Z]{0,2}#*(?:"""|'''|["'`])|(?:"""|'''|["'`])#*$/g, '')
}

export const stringKinds =
  /^(?:string|string_literal|interpreted_string_literal|raw_string_literal|text_block|concatenated_string)$/

export function isString(node: TreeNode | null): boolean {
  return node !== null && stringKinds.test(kindOf(node))
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
