import { calleeOf, dotted, lastName } from '../names.js'
import { child, children, functionTypes, isType, statementsOf, textOf, type ScriptNode } from '../nodes.js'
import { closest, contains } from '../walk.js'
import type { ScriptContext } from '../context.js'
import { rulesOf } from './shared.js'

const { visit } = rulesOf('bugs')

/**
 * Parts that may all be empty, at one end of the text at most: `^\s*`, `[^.]*$`. Groups do not matter. Or the
 * end of the text, as the last choice: `\d+|$`.
 */
const alwaysMatches =
  /[^\\]\|\$?$|^\^?\.\*\??(?:\((?:\?:)?(?:[^()\\]|\\.)*\)[?*])*\$?$|^(?!\^.*\$$)\^?(?:(?:\\[a-zA-Z]|\[(?:[^\]\\]|\\.)+\]|\.|[\w ])[*?]\??)+\$?$/

/** `^\n?( *)` matches where `^\n? *` does. */
const withoutGroups = (pattern: string): string =>
  pattern.replace(/\[(?:[^\]\\]|\\.)+\]/g, '.').replace(/\((?:\?:)?((?:[^()|\\]|\\.)*)\)(?![*+?{])/g, '$1')

/** `[object Date]`, which every value has. */
function isTypeName(call: ScriptNode): boolean {
  return contains(
    call,
    (each) => isType(each, 'CallExpression') && /(?:^|\.)toString\.call$/.test(calleeOf(each))
  )
}

const looks = /^(?:match|exec|test|includes|indexOf|startsWith|endsWith|search)$/

/**
 * One of the fixed texts in a list, which the author has before their eyes, what a pattern has just matched,
 * or the version of a program.
 */
function isKnownText(subject: ScriptNode | null | undefined, script: ScriptContext): boolean {
  if (/^process\.versions?(?:\.\w+)?$/.test(dotted(subject))) return true
  const name = isType(subject, 'LogicalExpression') ? child(subject, 'left') : subject
  const definition = isType(name, 'Identifier') ? script.variableOf(name)?.defs[0] : undefined
  if (definition?.type !== 'Parameter') return false
  const callback = definition.node
  const call = callback.parent ?? null
  if (
    /(?:^|\.)replace(?:All)?$/.test(isType(call, 'CallExpression') ? calleeOf(call) : '') &&
    children(callback, 'params')[0] === definition.name
  ) {
    return true
  }
  const list = child(child(call, 'callee'), 'object')
  return isType(list, 'ArrayExpression') && children(list, 'elements').every((each) => textOf(each) !== null)
}

/** Whether a condition around the match, or one before it that leaves, has looked into the same text. */
function isMatchedBefore(
  place: ScriptNode,
  subject: ScriptNode | null | undefined,
  script: ScriptContext
): boolean {
  const text = subject == null ? '' : script.text(subject)
  if (text === '') return false
  const looksAt = (test: ScriptNode | null): boolean =>
    contains(
      test,
      (each) =>
        isType(each, 'CallExpression') &&
        looks.test(lastName(calleeOf(each))) &&
        [child(child(each, 'callee'), 'object'), children(each, 'arguments')[0]].some(
          (side) => side != null && script.text(side) === text
        )
    )
  let inner = place
  for (let around = place.parent; around != null; inner = around, around = around.parent) {
    if (isType(around, ...functionTypes)) return false
    if (
      isType(around, 'TryStatement') &&
      child(around, 'block') === inner &&
      child(around, 'handler') !== null
    ) {
      return true
    }
    if (
      isType(around, 'IfStatement', 'ConditionalExpression') &&
      child(around, 'consequent') === inner &&
      looksAt(child(around, 'test'))
    ) {
      return true
    }
    if (
      isType(around, 'LogicalExpression') &&
      child(around, 'right') === inner &&
      looksAt(child(around, 'left'))
    ) {
      return true
    }
    const siblings = statementsOf(around)
    const before = siblings[siblings.indexOf(inner) - 1]
    if (isType(before, 'IfStatement') && looksAt(child(before, 'test'))) return true
  }
  return false
}

/** `[1]`, `.index`, or a pattern that takes it apart. */
function readsMatch(node: ScriptNode): boolean {
  if (!isType(node, 'MemberExpression')) return true
  const property = child(node, 'property')
  return node.computed === true
    ? typeof property?.value === 'number'
    : /^(?:index|groups|length|map|join|slice|forEach)$/.test(String(property?.name))
}

function answers(expression: ScriptNode | null): boolean {
  return (
    isType(expression, 'CallExpression') &&
    /^(?:res|response|reply)\.(?:(?:status|code|type|header|set)\(\)\.)*(?:send|json|end|render|redirect|sendStatus)$/.test(
      calleeOf(expression)
    )
  )
}

export const bugRules = [
  visit.warning('duplicate-handler-response', {
    sentence: 'The handler continues after it has sent a response and can send a second one.',
    suggestion: 'Return right after sending the response.',
    on: 'IfStatement',
    when: (node) => {
      const body = child(node, 'consequent')
      const last = isType(body, 'BlockStatement') ? children(body, 'body').at(-1) : body
      if (
        !isType(last, 'ExpressionStatement') ||
        child(node, 'alternate') !== null ||
        !answers(child(last, 'expression'))
      ) {
        return false
      }
      const siblings = children(node.parent, 'body')
      return siblings
        .slice(siblings.indexOf(node) + 1)
        .some((later) => isType(later, 'ExpressionStatement') && answers(child(later, 'expression')))
    }
  }),
  visit.warning('this-in-timer', {
    sentence: '`this` in the timer callback does not refer to the surrounding object.',
    suggestion: 'Use an arrow function.',
    on: 'CallExpression > FunctionExpression.arguments',
    when: (node) =>
      /^(?:window\.|globalThis\.)?set(?:Timeout|Interval)$/.test(calleeOf(node.parent!)) &&
      closest(
        node,
        (ancestor) =>
          isType(ancestor, 'MethodDefinition', 'PropertyDefinition') ||
          (isType(ancestor, 'Property') && ancestor.method === true)
      ) !== null &&
      contains(child(node, 'body'), (inner) => inner.type === 'ThisExpression', [
        'FunctionExpression',
        'FunctionDeclaration'
      ])
  }),
  visit.warning('unchecked-match', {
    sentence: '`match` and `exec` return null if nothing matches, and reading an element of null throws.',
    suggestion: 'Check the result for null, or use optional chaining.',
    on: ':matches(MemberExpression[optional=false][object.type="CallExpression"], VariableDeclarator[id.type="ArrayPattern"][init.type="CallExpression"])',
    when: (node, script) => {
      const call = child(node, 'object') ?? child(node, 'init')!
      const method = lastName(calleeOf(call))
      const [argument] = children(call, 'arguments')
      const pattern = method === 'match' ? argument : child(child(call, 'callee'), 'object')
      return (
        (method === 'match' || method === 'exec') &&
        isType(pattern, 'Literal') &&
        !alwaysMatches.test(
          withoutGroups((pattern.regex as { pattern: string } | undefined)?.pattern ?? '')
        ) &&
        readsMatch(node) &&
        !isTypeName(call) &&
        !isKnownText(method === 'match' ? child(child(call, 'callee'), 'object') : argument, script) &&
        !isMatchedBefore(node, method === 'match' ? child(child(call, 'callee'), 'object') : argument, script)
      )
    }
  }),
  visit.info('json-parse-input', {
    sentence: 'JSON.parse throws if the request body is not valid JSON, and nothing catches the error here.',
    suggestion: 'Catch the error and respond with status 400.',
    on: 'CallExpression[callee.object.name="JSON"][callee.property.name="parse"]',
    when: (node) => {
      const text = dotted(children(node, 'arguments')[0])
      return (
        /^(?:req|request|event)\.body$/.test(text) &&
        closest(node, (ancestor) => isType(ancestor, 'TryStatement')) === null
      )
    }
  })
]
