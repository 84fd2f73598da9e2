import { bare, child, children, isType, type ScriptNode } from '../nodes.js'

/** `element.innerHTML`. Only the last name is looked at: a chain is as long as somebody made it. */
export function isOwnMarkup(node: ScriptNode | null): boolean {
  return (
    isType(node, 'MemberExpression') && /^(?:inner|outer)HTML$/.test(String(child(node, 'property')?.name))
  )
}

/** `process.argv[0]` and `process.argv[1]`. */
export function isOwnProgram(node: ScriptNode): boolean {
  const index = child(node, 'property')?.value
  const list = child(node, 'object')
  return (
    (index === 0 || index === 1) &&
    isType(list, 'MemberExpression') &&
    child(list, 'property')?.name === 'argv' &&
    child(list, 'object')?.name === 'process'
  )
}

/** How deep the value of a copy may lie in a choice, a list or a call. */
const maxCopyDepth = 3

/** `copy[key] = source[key]`, also with a default or through a function. */
export function isCopyOf(key: ScriptNode | null, start: ScriptNode | null, depth = maxCopyDepth): boolean {
  const value = bare(start)
  if (!isType(key, 'Identifier') || value === null || depth === 0) return false
  if (isType(value, 'MemberExpression')) {
    return value.computed === true && child(value, 'property')?.name === key.name
  }
  const parts = [
    child(value, 'left'),
    child(value, 'right'),
    child(value, 'consequent'),
    child(value, 'alternate'),
    ...children(value, 'arguments').slice(0, 2),
    ...children(value, 'elements').slice(0, 2)
  ]
  return parts.some((part) => isCopyOf(key, part, depth - 1))
}
