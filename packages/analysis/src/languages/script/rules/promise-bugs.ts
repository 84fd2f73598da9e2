import { calleeOf, dotted } from '../names.js'
import { bare, child, children, functionTypes, isType, type ScriptNode } from '../nodes.js'
import { contains, enclosingFunction } from '../walk.js'
import type { ScriptContext, ScriptVariable } from '../context.js'
import { remember } from '../../../remember.js'
import { functionNamed, importedCallee, localFunction, rulesOf } from './shared.js'

const { visit } = rulesOf('bugs')

/** `robot.start()` beside `robot.then(step)`: a promise has no method of such a name. */
const hasOtherMethods = remember(({ references }: ScriptVariable): boolean =>
  references.some(({ identifier }) => {
    const { parent } = identifier
    return (
      isType(parent, 'MemberExpression') &&
      isType(parent.parent, 'CallExpression') &&
      child(parent.parent, 'callee') === parent &&
      child(parent, 'object') === identifier &&
      !/^(?:then|catch|finally)$/.test(String(child(parent, 'property')?.name))
    )
  })
)

/**
 * What `then` is called on needs no catch: it has one, it is there only to run something later, or it is no
 * promise but a queue of steps that adds to itself.
 */
function cannotFail(start: ScriptNode | null, script: ScriptContext): boolean {
  const object = bare(start)
  const made = isType(object, 'Identifier') ? (script.initOf(object) ?? object) : object
  if (isType(made, 'ThisExpression') || /^(?:self|that|_this)$/.test(dotted(object))) return true
  const variable = isType(object, 'Identifier') ? script.variableOf(object) : null
  if (variable !== null && hasOtherMethods(variable)) return true
  if (!isType(made, 'CallExpression')) return false
  const method = String(child(child(made, 'callee'), 'property')?.name)
  return (
    /^then[A-Z]/.test(method) ||
    /(?:timeout|delay|sleep|tick)$/i.test(calleeOf(made)) ||
    method === 'allSettled' ||
    (method === 'catch' && children(made, 'arguments').length > 0) ||
    (method === 'resolve' && children(made, 'arguments').length === 0)
  )
}

/** Remembered, because every use of a name may ask. */
const readCountOf = remember(
  ({ references }: ScriptVariable): number => references.filter((reference) => reference.isRead()).length
)

/** A promise that a field holds, or a name that is read in other places as well. */
function isKept(start: ScriptNode | null, script: ScriptContext): boolean {
  const promise = bare(start)
  if (isType(promise, 'MemberExpression')) return true
  if (!isType(promise, 'Identifier')) return false
  const variable = script.variableOf(promise)
  return variable === null || readCountOf(variable) !== 1 || script.initOf(promise) === null
}

/** A call of an async function of this file whose failure nobody sees. */
function floats(call: ScriptNode, script: ScriptContext): boolean {
  const declared = localFunction(call, script)
  return declared?.async === true && !handlesItself(declared) && !endsProgram(declared)
}

/** A function that ends the program: nothing is left that could handle its failure. */
const endsProgram = remember((declared: ScriptNode): boolean =>
  contains(
    declared,
    (each) => isType(each, 'CallExpression') && /^process\.(?:exit|abort|kill)$/.test(calleeOf(each))
  )
)

/** `main()` at the top of a script is how programs start: its failure ends the process, as it should. */
function startsProgram(call: ScriptNode): boolean {
  return (
    enclosingFunction(call) === null &&
    /^_?(?:main|run|start|bootstrap|cli|serve|server|program|go|test|demo)(?:[A-Z_]\w*)?$/.test(
      calleeOf(call)
    )
  )
}

/** Everything that may fail stands in attempts that let nothing out. */
const handlesItself = remember((declared: ScriptNode): boolean => {
  const body = child(declared, 'body')
  return (
    contains(body, isHandled, functionTypes) && !contains(body, mayReject, [...functionTypes, 'TryStatement'])
  )
})

const mayReject = (node: ScriptNode): boolean =>
  isType(node, 'AwaitExpression', 'ThrowStatement') || (isType(node, 'ForOfStatement') && node.await === true)

function isHandled(attempt: ScriptNode): boolean {
  const handler = isType(attempt, 'TryStatement') ? child(attempt, 'handler') : null
  return handler !== null && !contains(handler, ({ type }) => type === 'ThrowStatement', functionTypes)
}

/** `Promise.all(list.map((each) => work(each).catch(…)))` cannot fail. */
function eachIsCaught(call: ScriptNode): boolean {
  const mapped = children(call, 'arguments')[0]
  if (!isType(mapped, 'CallExpression') || !/\.map$/.test(calleeOf(mapped))) return false
  const body = child(children(mapped, 'arguments')[0], 'body')
  return isType(body, 'CallExpression') && child(child(body, 'callee'), 'property')?.name === 'catch'
}

function isAsync(callback: ScriptNode, script: ScriptContext): boolean {
  const code = isType(callback, ...functionTypes) ? callback : functionNamed(callback, script)
  return code?.async === true
}

export const promiseBugRules = [
  visit.warning('floating-promise', {
    sentence: 'The promise is neither awaited nor caught, so a rejection goes unhandled.',
    suggestion: 'Await the promise, or add a `catch`.',
    on: 'ExpressionStatement > CallExpression',
    when: (node, script) => {
      const callee = calleeOf(node)
      if (/\.then$/.test(callee) && children(node, 'arguments').length < 2) {
        const promise = child(child(node, 'callee'), 'object')
        if (cannotFail(promise, script)) return false
        // Who else has a promise that is kept may handle its failure.
        return isKept(promise, script) || script.isExplainedAbove(node.parent!) ? 'doubtful' : true
      }
      if (/^(?:fetch|axios\.\w+|Promise\.(?:all|race))$/.test(callee)) return !eachIsCaught(node)
      if (/^fs\/promises\.\w+$/.test(importedCallee(node, script))) return true
      return floats(node, script) && !startsProgram(node)
    }
  }),
  visit.info('floating-start', {
    sentence:
      'Nothing handles a rejection of the main function, so the program ends with a bare stack trace.',
    suggestion: 'Add a `catch` that reports the error and sets the exit code.',
    on: 'Program > ExpressionStatement > CallExpression',
    when: (node, script) => startsProgram(node) && floats(node, script)
  }),
  visit.warning('async-for-each', {
    sentence: '`forEach` does not wait for an async callback, and its rejections go unhandled.',
    suggestion: 'Use `for...of` with await, or Promise.all with `map`.',
    on: 'CallExpression[callee.property.name="forEach"] > .arguments:first-child',
    when: isAsync
  }),
  visit.error('async-filter', {
    sentence: 'The async callback returns a promise, which is always truthy.',
    suggestion: 'Await the results with Promise.all first, then use them.',
    on: 'CallExpression[callee.property.name=/^(?:filter|some|every|find|findIndex|sort)$/] > .arguments:first-child',
    when: isAsync
  }),
  visit.error('fetch-without-await', {
    sentence: '`fetch` returns a promise, which does not have this property.',
    suggestion: 'Await the call of `fetch`.',
    on: 'MemberExpression[computed=false][property.name=/^(?:ok|status|statusText|headers|json|text|blob|arrayBuffer|formData)$/]',
    when: (node, script) => {
      const response = child(node, 'object')
      if (isType(response, 'CallExpression')) {
        const callee = child(response, 'callee')
        return calleeOf(response) === 'fetch' && (script.variableOf(callee!)?.defs.length ?? 0) === 0
      }
      const call = isType(response, 'Identifier') ? script.initOf(response) : null
      return (
        isType(call, 'CallExpression') &&
        calleeOf(call) === 'fetch' &&
        (script.variableOf(child(call, 'callee')!)?.defs.length ?? 0) === 0 &&
        isType(script.variableOf(response!)?.defs[0]?.name, 'Identifier')
      )
    }
  })
]
