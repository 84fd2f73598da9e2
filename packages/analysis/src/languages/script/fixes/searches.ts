import type { ScriptContext } from '../context.js'
import { calleeOf, dotted, lastName } from '../names.js'
import { bare, child, children, isType, spanOf, type ScriptNode } from '../nodes.js'
import { walk } from '../walk.js'
import type { Edit } from '../../../fix/edits.js'

const makers = /^(?:Object\.(?:keys|values|entries)|Array\.(?:from|of))$/
const arrayMethods = /^(?:map|filter|slice|concat|flat|flatMap|toSorted|toReversed)$/
const arrayType = /\[\]$|^(?:Readonly)?Array<[\s\S]*>$/

/** Known to be a list from the code at hand: a filter may as well be one of jQuery's. */
export function isArray(start: ScriptNode | null, script: ScriptContext): boolean {
  const node = bare(start)
  if (isType(node, 'ArrayExpression')) return true
  if (isType(node, 'CallExpression')) {
    const callee = calleeOf(node)
    if (makers.test(callee)) return script.isGlobal(child(child(node, 'callee'), 'object'))
    return arrayMethods.test(lastName(callee)) && isArray(child(child(node, 'callee'), 'object'), script)
  }
  if (!isType(node, 'Identifier')) return false
  const type = script.typeOf(node)
  if (type !== null) return arrayType.test(script.text(type))
  const declared = script.variableOf(node)?.defs[0]?.name
  const init = script.initOf(node)
  return init !== null && declared?.parent?.id === declared && isArray(init, script)
}

const readers = new Set([
  'Identifier',
  'Literal',
  'MemberExpression',
  'BinaryExpression',
  'LogicalExpression',
  'TemplateLiteral',
  'TemplateElement',
  'ConditionalExpression',
  'ChainExpression'
])
const textMethods = /^(?:startsWith|endsWith|includes|toLowerCase|toUpperCase|trim)$/

/** A question that changes nothing, so that nobody notices when it is asked of fewer elements. */
function isQuestion(callback: ScriptNode | undefined): boolean {
  const body = child(callback, 'body')
  if (
    !isType(callback, 'ArrowFunctionExpression') ||
    callback.async === true ||
    body === null ||
    !children(callback, 'params').every((each) => isType(each, 'Identifier'))
  ) {
    return false
  }
  return [...walk(body)].every(
    (node) =>
      readers.has(node.type) ||
      (isType(node, 'UnaryExpression') && node.operator !== 'delete') ||
      (isType(node, 'CallExpression') &&
        isType(child(node, 'callee'), 'MemberExpression') &&
        textMethods.test(lastName(dotted(child(node, 'callee')))))
  )
}

/** The call of filter on a list, in place of which another method can stop earlier. */
function filterIn(
  start: ScriptNode | null,
  script: ScriptContext
): { call: ScriptNode; name: ScriptNode } | null {
  const callee = child(start, 'callee')
  const name = child(callee, 'property')
  const args = children(start, 'arguments')
  if (
    !isType(start, 'CallExpression') ||
    !isType(callee, 'MemberExpression') ||
    callee.computed === true ||
    name?.name !== 'filter'
  ) {
    return null
  }
  return args.length === 1 && isQuestion(args[0]) && isArray(child(callee, 'object'), script)
    ? { call: start, name }
    : null
}

/** Only a place that is read: find gives the element, not where it lies, and calls it on nothing. */
function isRead(node: ScriptNode): boolean {
  const { parent } = node
  if (isType(parent, 'CallExpression', 'NewExpression')) return parent.callee !== node
  if (isType(parent, 'AssignmentExpression', 'ForInStatement', 'ForOfStatement', 'AssignmentPattern')) {
    return parent.left !== node
  }
  return (
    !isType(
      parent,
      'UpdateExpression',
      'UnaryExpression',
      'ArrayPattern',
      'RestElement',
      'TaggedTemplateExpression'
    ) && !(isType(parent, 'Property') && isType(parent.parent, 'ObjectPattern'))
  )
}

/** Searches that test more than they must; the answer is the same. */
export function* searches(root: ScriptNode, script: ScriptContext, isTyped: boolean): Generator<Edit> {
  function* replaced(
    node: ScriptNode,
    start: ScriptNode | null,
    rest: RegExp,
    edit: Pick<Edit, 'text' | 'ruleId' | 'description'>
  ): Generator<Edit> {
    const found = filterIn(start, script)
    if (found === null || !rest.test(script.text(node).slice(found.call.range[1] - node.range[0]))) return
    const group = {}
    yield { ...edit, ...spanOf(found.name), group }
    yield { ...edit, start: found.call.range[1], end: node.range[1], text: '', group }
  }

  for (const node of walk(root)) {
    // The type of what find gives has an undefined in it.
    if (isType(node, 'MemberExpression') && !isTyped && isRead(node)) {
      yield* replaced(node, child(node, 'object'), /^\s*\[0\]$/, {
        text: 'find',
        ruleId: 'js/filter-first',
        description: 'Stopped searching at the first match (find instead of filter).'
      })
    } else if (isType(node, 'BinaryExpression')) {
      yield* replaced(
        node,
        child(child(node, 'left'), 'object'),
        /^\s*\.length\s*(?:>\s*0|!==?\s*0|>=\s*1)$/,
        {
          text: 'some',
          ruleId: 'js/filter-count',
          description: 'Stopped counting at the first match (some instead of filter).'
        }
      )
    }
  }
}
