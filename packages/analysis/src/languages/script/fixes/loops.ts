import type { ScriptContext } from '../context.js'
import { calleeOf, lastName } from '../names.js'
import {
  child,
  children,
  functionTypes,
  isType,
  loopTypes,
  spanOf,
  textOf,
  type ScriptNode
} from '../nodes.js'
import { closest, walk } from '../walk.js'
import { maxCandidates, type Edit } from '../../../fix/edits.js'

/** A loop of the function that a node is in, whose body runs the node; the outermost that `may` allows. */
export function outermostLoop(node: ScriptNode, may: (loop: ScriptNode) => boolean): ScriptNode | null {
  let found: ScriptNode | null = null
  let inner = node
  for (let current = node.parent; current != null; inner = current, current = current.parent) {
    if (isType(current, ...functionTypes)) break
    if (!isType(current, ...loopTypes)) continue
    if (inner === current.init || (!isType(current, 'ForStatement') && inner === current.right)) continue
    if (!may(current)) break
    found = current
  }
  return found
}

/** Puts a line before a statement; null where the statement shares its line. */
export function lineBefore(
  statement: ScriptNode,
  text: string
): ((line: string) => Pick<Edit, 'start' | 'end' | 'text'>) | null {
  if (!isType(statement.parent, 'BlockStatement', 'Program')) return null
  const [start] = statement.range
  const indent = text.slice(text.lastIndexOf('\n', start - 1) + 1, start)
  return /^[ \t]*$/.test(indent) ? (line) => ({ start, end: start, text: `${line}\n${indent}` }) : null
}

export const semicolonOf = (root: ScriptNode, text: string): string => {
  const statements = children(root, 'body')
  const ends = statements.filter(({ range }) => text[range[1] - 1] === ';').length
  const isInside = /;[ \t]*$/m.test(text)
  return ends * 2 >= statements.length && isInside ? ';' : ''
}

/** A name that nothing in the code has. */
export function freeName(wanted: string, text: string): string | null {
  return new RegExp(`(?<![\\w$])${wanted.replaceAll('$', '\\$')}(?![\\w$])`).test(text) ? null : wanted
}

const usesPattern = /^(?:test|exec)$/
const takesPattern = /^(?:match|replace|split|search)$/

/** Whether a pattern is only asked: it keeps nothing from one question to the next. */
function isAsked(node: ScriptNode): boolean {
  const { parent } = node
  if (isType(parent, 'MemberExpression') && parent.object === node && parent.computed !== true) {
    return (
      isType(parent.parent, 'CallExpression') &&
      parent.parent.callee === parent &&
      usesPattern.test(String(child(parent, 'property')?.name))
    )
  }
  return (
    isType(parent, 'CallExpression') &&
    children(parent, 'arguments')[0] === node &&
    isType(child(parent, 'callee'), 'MemberExpression') &&
    takesPattern.test(lastName(calleeOf(parent)))
  )
}

function isValidPattern(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags) instanceof RegExp
  } catch {
    return false
  }
}

/** Patterns that every round makes anew, made once before the loop. */
export function* hoistedPatterns(root: ScriptNode, script: ScriptContext, text: string): Generator<Edit> {
  let looked = 0
  for (const node of walk(root)) {
    if (!isType(node, 'NewExpression') || child(node, 'callee')?.name !== 'RegExp') continue
    const [pattern, flags, ...others] = children(node, 'arguments').map(textOf)
    const isGlobal = script.isGlobal(child(node, 'callee'))
    // A pattern that remembers where it stopped begins anew in every round.
    if (pattern == null || flags === null || others.length > 0 || /[gy]/.test(flags ?? '') || !isGlobal) {
      continue
    }
    if (!isValidPattern(pattern, flags ?? '')) continue
    const loop = outermostLoop(node, () => true)
    const place = loop === null ? null : lineBefore(loop, text)
    if (place === null) continue
    if (++looked > maxCandidates) return
    const edit = {
      ruleId: 'js/regex-in-loop',
      description: 'Compiled the pattern once, before the loop.',
      group: {}
    }
    const end = semicolonOf(root, text)
    if (isAsked(node)) {
      const name = freeName('pattern', text)
      if (name === null) continue
      yield { ...edit, ...spanOf(node), text: name }
      yield { ...edit, ...place(`const ${name} = ${script.text(node)}${end}`) }
      // The name is taken now; the next one gets its turn when the code is read again.
      return
    }
    const declarator = node.parent
    const declaration = declarator?.parent
    const id = child(declarator, 'id')
    if (
      !isType(declarator, 'VariableDeclarator') ||
      !isType(declaration, 'VariableDeclaration') ||
      declaration.kind !== 'const' ||
      children(declaration, 'declarations').length !== 1 ||
      !isType(declaration.parent, 'BlockStatement') ||
      declaration.parent.parent !== loop ||
      !isType(id, 'Identifier') ||
      child(id, 'typeAnnotation') !== null
    ) {
      continue
    }
    const variable = script.variableOf(id)
    const uses = variable?.references.filter((reference) => reference.init !== true) ?? []
    const words = text.match(
      new RegExp(`(?<![\\w$.])${String(id.name).replaceAll('$', '\\$')}(?![\\w$])`, 'g')
    )
    // Outside of the loop the name must mean nothing else.
    if (words?.length !== uses.length + 1) continue
    if (!uses.every(({ identifier }) => isAsked(identifier))) continue
    yield { ...edit, ...spanOf(declaration), text: '' }
    yield { ...edit, ...place(script.text(declaration)) }
  }
}

const readMethods = /^(?:includes|indexOf|lastIndexOf|join|slice|at|concat|entries|keys|values)$/
const callbackMethods = /^(?:map|filter|forEach|some|every|find|findIndex|reduce|flatMap)$/

/** Whether a callback cannot reach the list itself, which it gets as its last argument. */
function isHarmlessCallback(callback: ScriptNode | undefined, method: string): boolean {
  if (!isType(callback, ...functionTypes)) return false
  const params = children(callback, 'params')
  return (
    params.length <= (method === 'reduce' ? 3 : 2) &&
    !params.some((each) => isType(each, 'RestElement')) &&
    ![...walk(callback)].some((each) => isType(each, 'Identifier') && each.name === 'arguments')
  )
}

/** Whether a use of a list cannot change it or hand it to others. */
export function isReadOnly(node: ScriptNode): boolean {
  const { parent } = node
  if (isType(parent, 'MemberExpression') && parent.object === node) {
    if (parent.computed === true) {
      return !(
        (isType(parent.parent, 'AssignmentExpression') && parent.parent.left === parent) ||
        isType(parent.parent, 'UpdateExpression') ||
        (isType(parent.parent, 'UnaryExpression') && parent.parent.operator === 'delete') ||
        isType(parent.parent, 'ArrayPattern', 'AssignmentPattern', 'Property')
      )
    }
    const name = String(child(parent, 'property')?.name)
    const call = parent.parent
    if (isType(call, 'CallExpression') && call.callee === parent) {
      const [callback] = children(call, 'arguments')
      return readMethods.test(name) || (callbackMethods.test(name) && isHarmlessCallback(callback, name))
    }
    return (
      name === 'length' &&
      !(isType(call, 'AssignmentExpression') && call.left === parent) &&
      !isType(call, 'UpdateExpression')
    )
  }
  return isType(parent, 'SpreadElement') || (isType(parent, 'ForOfStatement') && parent.right === node)
}

/** The statement of a block that a node is part of. */
export function statementOf(node: ScriptNode): ScriptNode | null {
  return isType(node.parent, 'BlockStatement', 'Program')
    ? node
    : closest(node, (each) => isType(each.parent, 'BlockStatement', 'Program'))
}
