import { calleeOf, keyOf, lastName } from '../names.js'
import { bare, child, children, functionTypes, isType, type ScriptNode } from '../nodes.js'
import { closest, enclosingFunction, walk } from '../walk.js'
import type { ScriptContext } from '../context.js'
import { rulesOf } from './shared.js'

const { visit } = rulesOf('security')

/** A function that merges or sets nested properties is short; larger ones are not read. */
const maxNodes = 3_000

/** Functions that look at a key and say nothing about `__proto__`: a key of parsed JSON is its own. */
const sourceTests = /^(?:hasOwn|hasOwnProperty|propertyIsEnumerable|call|String|isArray|isObject)$/

interface Place {
  readonly object: string
  readonly key: string
}

const textOf = ({ object, key }: Place): string => `${object}[${key}]`

/** `target[key]` where a name is the key and no number. */
function writtenPlace(assignment: ScriptNode, script: ScriptContext): Place | null {
  const left = child(assignment, 'left')
  if (!isType(left, 'MemberExpression') || left.computed !== true || assignment.operator !== '=') return null
  // `current[part] = {}` makes room for the value that is written later.
  if (isType(child(assignment, 'right'), 'ObjectExpression', 'ArrayExpression')) return null
  const [object, key] = [child(left, 'object'), child(left, 'property')]
  if (!isType(object, 'Identifier') || key === null || isType(key, 'Literal', 'TemplateLiteral')) return null
  return isCounter(key, script) ? null : { object: String(object.name), key: script.text(key) }
}

/** `let i = 0`, and `i` counted up. */
function isCounter(key: ScriptNode, script: ScriptContext): boolean {
  if (isType(key, 'BinaryExpression', 'UpdateExpression')) return true
  if (!isType(key, 'Identifier')) return false
  const declared = script.variableOf(key)?.defs[0]?.node
  return typeof child(declared, 'init')?.value === 'number'
}

/** The name under which a function can call itself. */
function nameOf(code: ScriptNode): string {
  const owner = code.parent
  const name = child(code, 'id') ?? (isType(owner, 'VariableDeclarator') ? child(owner, 'id') : null)
  if (name !== null) return String(name.name)
  if (isType(owner, 'Property', 'MethodDefinition')) return keyOf(owner)
  return isType(owner, 'AssignmentExpression') ? lastName(assignedName(owner)) : ''
}

const assignedName = (assignment: ScriptNode): string => {
  const left = child(assignment, 'left')
  return isType(left, 'Identifier') ? String(left.name) : String(child(left, 'property')?.name ?? '')
}

/** Functions around a node, the nearest first: a callback of `forEach` belongs to the function around it. */
function functionsAround(node: ScriptNode): ScriptNode[] {
  const found: ScriptNode[] = []
  for (
    let code = enclosingFunction(node);
    code !== null && found.length < 3;
    code = enclosingFunction(code)
  ) {
    found.push(code)
  }
  return found
}

/** Names of functions that take two objects and write to the first. */
const mergers = /merge|extend|assign|override|defaults|deep/i

/** Names that hold what stands at a place: `const inner = target[key]`, `inner = isObject(inner) ? inner : {}`. */
function aliasesOf(nodes: readonly ScriptNode[], place: string, script: ScriptContext): Set<string> {
  const aliases = new Set([place])
  const holds = (value: ScriptNode | null): boolean =>
    value !== null &&
    (aliases.has(script.text(value)) ||
      (isType(value, 'ConditionalExpression') &&
        (holds(child(value, 'consequent')) || holds(child(value, 'alternate')))) ||
      (isType(value, 'LogicalExpression') && (holds(child(value, 'left')) || holds(child(value, 'right')))))
  for (const node of nodes) {
    if (isType(node, 'VariableDeclarator') && holds(bare(child(node, 'init')))) {
      aliases.add(String(child(node, 'id')?.name))
    }
    if (isType(node, 'AssignmentExpression') && holds(bare(child(node, 'right')))) {
      aliases.add(assignedName(node))
    }
  }
  return aliases
}

/** `merge(target[key], source[key])`: what is written to next may be the prototype of every object. */
function goesDeeper(
  nodes: readonly ScriptNode[],
  name: string,
  place: Place,
  script: ScriptContext
): boolean {
  const calls = nodes.filter((node) => {
    const given = children(node, 'arguments').map((argument) => script.text(argument))
    if (!isType(node, 'CallExpression') || given.length < 2) return false
    const called = lastName(calleeOf(node).replace(/\.(?:call|apply)$/, ''))
    return (
      (called !== '' && called === name) ||
      (mergers.test(called) &&
        given.some((text) => text.endsWith(`[${place.key}]`) && text !== textOf(place)))
    )
  })
  if (calls.length === 0) return false
  const aliases = aliasesOf(nodes, textOf(place), script)
  return calls.some((call) =>
    children(call, 'arguments').some((argument) => aliases.has(script.text(argument)))
  )
}

/** `current = current[part]` in a loop over the parts of a path. */
function stepsDown(nodes: readonly ScriptNode[], object: string, script: ScriptContext): boolean {
  return nodes.some((node) => {
    if (!isType(node, 'AssignmentExpression') || assignedName(node) !== object) return false
    if (!isType(child(node, 'left'), 'Identifier')) return false
    let from = bare(child(node, 'right'))
    while (isType(from, 'AssignmentExpression', 'LogicalExpression')) from = bare(child(from, 'left'))
    const key = child(from, 'property')
    return (
      isType(from, 'MemberExpression') &&
      from.computed === true &&
      child(from, 'object')?.name === object &&
      key !== null &&
      !isCounter(key, script)
    )
  })
}

/** The code speaks of the names that do harm, asks a function about the key, or asks whether the target has it. */
function isChecked(nodes: readonly ScriptNode[], text: string, { object, key }: Place): boolean {
  if (/__proto__|prototype|constructor|Object\.create\(null\)/.test(text.replace(/prototype\.\w+/g, ''))) {
    return true
  }
  const asksTarget = new RegExp(`hasOwn\\w*(?:\\.call)?\\(\\s*${object}\\b|\\b${object}\\.hasOwn`)
  if (asksTarget.test(text)) return true
  return nodes.some(
    (node) =>
      isType(node, 'CallExpression') &&
      !sourceTests.test(lastName(calleeOf(node))) &&
      children(node, 'arguments').some((argument) => argument.name === key) &&
      closest(node, (around) => isType(around, 'IfStatement', 'ConditionalExpression', 'LogicalExpression'), [
        'BlockStatement',
        ...functionTypes
      ]) !== null
  )
}

function pollutes(assignment: ScriptNode, script: ScriptContext): boolean {
  const place = writtenPlace(assignment, script)
  if (place === null) return false
  return functionsAround(assignment).some((code) => {
    const nodes: ScriptNode[] = []
    for (const node of walk(code)) if (nodes.push(node) > maxNodes) return false
    nodes.sort((one, other) => one.range[0] - other.range[0])
    const text = script.text(code)
    const isDeep =
      goesDeeper(nodes, nameOf(code), place, script) ||
      (/\.split\(|\b(?:path|keys|props|segments|parts|pointer|(?:ref)?tokens)\b/i.test(text) &&
        stepsDown(nodes, place.object, script))
    return isDeep && !isChecked(nodes, text, place)
  })
}

export const pollutionRules = [
  visit.warning('unchecked-deep-write', {
    sentence:
      'This function writes nested properties without checking their names, so the name `__proto__` changes every object (prototype pollution).',
    suggestion: 'Skip the names `__proto__`, `constructor` and `prototype`, or use a Map.',
    on: 'AssignmentExpression',
    when: pollutes
  })
]
