import { child, children, isType, type ScriptNode } from '../nodes.js'

/** Letters, digits, `_` and `-` only: `[^a-z0-9]`, `[^\w-]+`. */
const allButWords = /^\[\^(?:\\[wd-]|[\w]-[\w]|[\w-])+\]\+?$/
/** A range that spans more than letters or more than digits, such as `A-z` or `0-Z`. */
const wideRange = /[0-9]-[A-Za-z_]|[A-Z]-[a-z_]|_-[a-z]/

/** Whether a call removes every character that is not part of a word: `name.replace(/[^a-z0-9]/gi, '')`. */
export function keepsWordCharacters(call: ScriptNode): boolean {
  const callee = child(call, 'callee')
  if (!isType(callee, 'MemberExpression')) return false
  const method = child(callee, 'property')
  if (!isType(method, 'Identifier') || !/^replace(?:All)?$/.test(String(method.name))) return false
  const [searched, replacement] = children(call, 'arguments')
  const regex = searched?.regex as { pattern: string; flags: string } | undefined
  return (
    regex !== undefined &&
    regex.flags.includes('g') &&
    allButWords.test(regex.pattern) &&
    !wideRange.test(regex.pattern) &&
    isType(replacement, 'Literal') &&
    /^[\w-]*$/.test(String(replacement.value))
  )
}
