import type { ScriptContext } from '../context.js'
import { calleeOf } from '../names.js'
import { bare, child, children, functionTypes, isType, spanOf, type ScriptNode } from '../nodes.js'
import { closest, walk } from '../walk.js'
import { maxCandidates, type Edit } from '../../../fix/edits.js'
import { freeName, isReadOnly, lineBefore, outermostLoop, semicolonOf, statementOf } from './loops.js'
import { isArray } from './searches.js'

/** Fewer elements are found faster in a list. */
const minElements = 10
const eachMethods = /^(?:filter|map|forEach|some|every|find|findIndex|flatMap)$/

/** What runs the search again and again: a loop, or the statement around a callback for every element. */
function repeated(node: ScriptNode, after: number): ScriptNode | null {
  const loop = outermostLoop(node, (each) => each.range[0] >= after)
  if (loop !== null) return loop
  const callback = closest(node, (each) => isType(each, ...functionTypes))
  const call = callback?.parent
  if (
    !isType(callback, 'ArrowFunctionExpression') ||
    callback.async === true ||
    !isType(call, 'CallExpression') ||
    children(call, 'arguments')[0] !== callback ||
    !isType(child(call, 'callee'), 'MemberExpression') ||
    !eachMethods.test(String(child(child(call, 'callee'), 'property')?.name))
  ) {
    return null
  }
  const statement = statementOf(call)
  return statement !== null &&
    isType(statement, 'VariableDeclaration', 'ReturnStatement', 'ExpressionStatement')
    ? statement
    : null
}

/** A list that is made here, so that nobody else can change it. */
function isOwnList(init: ScriptNode | null): boolean {
  const node = bare(init)
  if (isType(node, 'ArrayExpression')) {
    const elements = children(node, 'elements')
    return elements.length >= minElements || elements.some((each) => isType(each, 'SpreadElement'))
  }
  return (
    isType(node, 'CallExpression') &&
    /^(?:Object\.(?:keys|values)|Array\.from)$|\.(?:map|filter|flatMap|concat|slice)$/.test(calleeOf(node))
  )
}

/** Lists that are searched again and again, turned into a set once. Both compare in the same way. */
export function* searchedSets(root: ScriptNode, script: ScriptContext, text: string): Generator<Edit> {
  const done = new Set<unknown>()
  for (const call of walk(root)) {
    const callee = isType(call, 'CallExpression') ? child(call, 'callee') : null
    const list = child(callee, 'object')
    if (!isType(callee, 'MemberExpression') || callee.computed === true || callee.optional === true) continue
    if (child(callee, 'property')?.name !== 'includes' || !isType(list, 'Identifier')) continue
    const variable = script.variableOf(list)
    const init = script.initOf(list)
    if (variable === null || init === null || done.has(variable) || !isArray(list, script)) continue
    done.add(variable)
    if (done.size > maxCandidates) return
    const uses = variable.references
      .filter((reference) => reference.init !== true)
      .map(({ identifier }) => identifier)
    const declaration = closest(init, (each) => isType(each, 'VariableDeclaration'))
    const isInside = (node: ScriptNode, outer: ScriptNode): boolean =>
      node.range[0] >= outer.range[0] && node.range[1] <= outer.range[1]
    if (declaration === null || !isOwnList(init) || !uses.every(isReadOnly)) continue
    const around = repeated(call, declaration.range[1])
    const place = around === null ? null : lineBefore(around, text)
    const name = freeName(`${String(list.name)}Set`, text)
    if (around === null || place === null || name === null || around.range[0] < declaration.range[1]) continue
    const searches = uses.filter((each) => {
      const member = each.parent
      return (
        isInside(each, around) &&
        child(member, 'property')?.name === 'includes' &&
        isType(member?.parent, 'CallExpression') &&
        children(member.parent, 'arguments').length === 1 &&
        !isType(children(member.parent, 'arguments')[0], 'SpreadElement')
      )
    })
    if (!searches.some((each) => each === list)) continue
    const edit = {
      ruleId: 'js/lookup-in-loop',
      description: 'Looked elements up in a Set instead of searching a list.',
      group: {}
    }
    for (const each of searches) yield { ...edit, ...spanOf(each.parent!), text: `${name}.has` }
    const end = semicolonOf(root, text)
    yield { ...edit, ...place(`const ${name} = new Set(${String(list.name)})${end}`) }
  }
}
