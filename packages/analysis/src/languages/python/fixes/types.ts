import { ancestor, below, kindOf, named, textOf } from '../../../tree/nodes.js'
import type { TreeNode } from '../../../tree/tree.js'

/** What a parameter of the function around a name is declared as. */
export function annotationOf(node: TreeNode): string {
  const scope = ancestor(node, ['function_definition'])
  const parameters = scope?.field('parameters') ?? null
  if (scope === null || parameters === null || assignmentsTo(node, scope).length > 0) return ''
  const own = named(parameters).find(
    (each) => kindOf(each) === 'typed_parameter' && textOf(named(each)[0]) === node.text()
  )
  return textOf(own?.field('type'))
}

function assignmentsTo(node: TreeNode, scope: TreeNode): TreeNode[] {
  return below(scope, 'assignment').filter((each) => textOf(each.field('left')) === node.text())
}

export const callOf = (node: TreeNode): string =>
  kindOf(node) === 'call' ? textOf(node.field('function')) : ''

export function isText(node: TreeNode): boolean {
  if (kindOf(node) === 'identifier') return annotationOf(node) === 'str'
  return /^str$|\.(?:strip|lower|upper|title|isoformat|strftime|hexdigest)$/.test(callOf(node))
}

/** Certainly one value: behind a `%`, a tuple would be several. */
export function isNoTuple(node: TreeNode): boolean {
  if (kindOf(node) !== 'identifier') return isText(node) || /^(?:int|float|len)$/.test(callOf(node))
  if (/^(?:str|int|float)$/.test(annotationOf(node))) return true
  const scope = ancestor(node, ['function_definition', 'module'])
  if (scope === null) return false
  const assigned = assignmentsTo(node, scope)
  // Every other place must read the name: a loop, a with or an import could give it another value.
  const isRead = below(scope, 'identifier').every(
    (each) =>
      each.text() !== node.text() ||
      each.parent()?.id() === assigned[0]?.id() ||
      /^(?:argument_list|binary_operator|interpolation|comparison_operator|call|return_statement)$/.test(
        kindOf(each.parent())
      )
  )
  const value = assigned.length === 1 ? assigned[0]!.field('right') : null
  return (
    isRead &&
    value !== null &&
    (isText(value) || kindOf(value) === 'string' || /^(?:input|int|float|len)$/.test(callOf(value)))
  )
}
