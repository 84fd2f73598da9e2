import { calleeOf, dotted, lastName } from '../names.js'
import { bare, child, children, functionTypes, isType, textOf, type ScriptNode } from '../nodes.js'
import { enclosingFunction } from '../walk.js'
import { words } from '../../../rules/tree-rules.js'
import type { ScriptContext } from '../context.js'
import { isTruthValue, localFunction, rulesOf } from './shared.js'

const { visit } = rulesOf('bugs')

/** Methods of texts that change nothing and only answer. */
const pureTextMethods =
  /^(?:trim|trimStart|trimEnd|toUpperCase|toLowerCase|replace|replaceAll|padStart|padEnd|substring|slice|concat|toSorted|toReversed|toSpliced|flat)$/

export const pitfallRules = [
  visit.error('async-condition', {
    sentence: 'The async function returns a promise, which is always truthy.',
    suggestion: 'Await the call.',
    on: 'CallExpression',
    when: (node, script) => isTruthValue(node) && localFunction(node, script)?.async === true
  }),
  visit.error('always-true', {
    sentence: 'The condition is always true: a value always differs from at least one of two others.',
    suggestion: 'Combine the comparisons with `&&`.',
    on: 'LogicalExpression[operator="||"]',
    when: (node) => sameSubject(node, /^!==?$/)
  }),
  visit.error('always-false', {
    sentence: 'The condition is always false: a value never equals two different ones.',
    suggestion: 'Combine the comparisons with `||`.',
    on: 'LogicalExpression[operator="&&"]',
    when: (node) => sameSubject(node, /^===?$/)
  }),
  visit.error('unthrown-exception', {
    ...words.unthrown,
    on: 'ExpressionStatement > NewExpression[callee.name=/^(?:\\w*Error|\\w*Exception)$/]',
    when: () => true
  }),
  visit.warning('unused-result', {
    sentence: 'The method returns a new value and does not modify the original, but the result is ignored.',
    suggestion: 'Use the result, or remove the call.',
    on: 'ExpressionStatement > CallExpression[callee.type="MemberExpression"]',
    when: (node, script) => {
      const method = lastName(calleeOf(node))
      if (!pureTextMethods.test(method) || !/^[\w.]+$/.test(calleeOf(node))) return false
      // Of other objects, `replace` may do something; only strings take a pattern.
      if (method === 'replace') {
        const [pattern] = children(node, 'arguments')
        return isType(pattern, 'Literal') && pattern.regex !== undefined
      }
      if (/^(?:concat|slice|flat)$/.test(method)) {
        return isListHere(child(child(node, 'callee'), 'object'), script)
      }
      // Streams, lists of classes and builders have methods of these names that do something.
      return (
        /^(?:trim\w*|toUpperCase|toLowerCase|padStart|padEnd|replaceAll|substring|toSorted|toReversed)$/.test(
          method
        ) &&
        !(/^(?:trim\w*|to\w*Case)$/.test(method) && children(node, 'arguments').length > 0) &&
        !isType(bare(child(child(node, 'callee'), 'object')), 'ThisExpression')
      )
    }
  }),
  visit.warning('callback-twice', {
    sentence: 'The callback is called here and again below, because the function does not return.',
    suggestion: 'Return right after calling the callback.',
    on: 'IfStatement',
    when: (node) => {
      const body = child(node, 'consequent')
      const last = isType(body, 'BlockStatement') ? children(body, 'body').at(-1) : body
      const name = callbackIn(last)
      if (name === null || child(node, 'alternate') !== null || !isParameter(node, name)) return false
      const siblings = children(node.parent, 'body')
      const later = siblings.slice(siblings.indexOf(node) + 1).filter((each) => callbackIn(each) === name)
      // A visitor is called for every part. Only a callback that reports the outcome is called once.
      return later.length > 0 && [last, ...later].some(isOutcome) ? last! : false
    }
  })
]

/** A name that starts as a list or a text. */
function isListHere(name: ScriptNode | null, script: ScriptContext): boolean {
  if (!isType(name, 'Identifier')) return false
  const definition = script.variableOf(name)?.defs[0]?.node
  const start = child(definition, 'init')
  return isType(start, 'ArrayExpression') || textOf(start) !== null
}

/** `'closed' !== state` */
const isTurned = (comparison: ScriptNode | null): boolean => fixedValue(child(comparison, 'left')) !== null

/** What is compared: `state`, `typeof value`. */
function subjectOf(node: ScriptNode | null): string {
  return isType(node, 'UnaryExpression') &&
    node.operator === 'typeof' &&
    dotted(child(node, 'argument')) !== ''
    ? `typeof ${dotted(child(node, 'argument'))}`
    : dotted(node)
}

/** `x !== a || x !== b`, with two fixed values that differ. */
function sameSubject(node: ScriptNode, operator: RegExp): boolean {
  const sides = [bare(child(node, 'left')), bare(child(node, 'right'))]
  if (!sides.every((side) => isType(side, 'BinaryExpression') && operator.test(String(side.operator)))) {
    return false
  }
  const subjects = sides.map((side) => subjectOf(child(side, isTurned(side) ? 'right' : 'left')))
  const values = sides.map((side) => fixedValue(child(side, isTurned(side) ? 'left' : 'right')))
  return (
    subjects[0] !== '' &&
    !/\(|\[\]/.test(subjects[0]!) &&
    subjects[0] === subjects[1] &&
    values.every((value) => value !== null) &&
    values[0] !== values[1]
  )
}

function fixedValue(node: ScriptNode | null): string | null {
  const text = textOf(node)
  if (text !== null) return `"${text}"`
  // `x != null || x != undefined` compares with the same thing twice.
  return isType(node, 'Literal') && typeof node.value === 'number' ? String(node.value) : null
}

const callbacks = /^(?:cb|callback|done|next|fn|resolve)$/

function callbackIn(statement: ScriptNode | null | undefined): string | null {
  const call = isType(statement, 'ExpressionStatement') ? bare(child(statement, 'expression')) : null
  const callee = isType(call, 'CallExpression') ? child(call, 'callee') : null
  return isType(callee, 'Identifier') && callbacks.test(String(callee.name)) ? String(callee.name) : null
}

/** A callback that reports the outcome gets an error, null or no argument first. */
function isOutcome(statement: ScriptNode | null | undefined): boolean {
  const [first] = children(bare(child(statement, 'expression')), 'arguments')
  return (
    first === undefined ||
    isType(first, 'Literal', 'NewExpression') ||
    /^(?:undefined|\w*[eE]rr(?:or)?|e|ex|reason)$/.test(dotted(first))
  )
}

function isParameter(node: ScriptNode, name: string): boolean {
  for (let around = enclosingFunction(node); around !== null; around = enclosingFunction(around)) {
    if (isType(around, ...functionTypes) && children(around, 'params').some((each) => each.name === name)) {
      return true
    }
  }
  return false
}
