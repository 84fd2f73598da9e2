import { calleeOf, dotted, lastName } from '../names.js'
import { child, children, functionTypes, isType, loopTypes, statementsOf, type ScriptNode } from '../nodes.js'
import { closest, contains, walk } from '../walk.js'
import type { ScriptContext } from '../context.js'
import { rulesOf } from './shared.js'

const { visit } = rulesOf('bugs')

const emptyCatch = 'CatchClause[body.body.length=0]'
const catchCall = 'CallExpression[callee.property.name="catch"][arguments.length=1]'
const suggestion = 'Handle, log or rethrow the error, or add a comment that explains why it can be ignored.'

/** Errors that are caught and of which nothing is heard again. */
export const droppedErrorRules = [
  visit.warning('swallowed-error', {
    sentence: 'The caught error is ignored, so a failure looks like success.',
    suggestion,
    on: emptyCatch,
    when: (node, script) => dropOf(node, script) === 'failure'
  }),
  visit.warning('swallowed-rejection', {
    sentence: 'The rejection is caught and ignored, so a failure looks like success.',
    suggestion,
    on: catchCall,
    when: (node, script) => rejectionDropOf(node, script) === 'failure'
  }),
  visit.info('dropped-error', {
    sentence: 'The error is ignored, so the cause of the failure is lost.',
    suggestion,
    on: `:matches(${emptyCatch}, ${catchCall})`,
    when: (node, script) =>
      (node.type === 'CatchClause' ? dropOf(node, script) : rejectionDropOf(node, script)) === 'reason'
  })
]

/** What is lost with an error: that something failed, or only why. Null where nothing is. */
type Drop = 'failure' | 'reason' | null

function dropOf(handler: ScriptNode, script: ScriptContext): Drop {
  const attempt = handler.parent!
  const body = child(handler, 'body')!
  if (
    script.isExplained(body) ||
    script.isExplainedAtEnd(child(attempt, 'block')!) ||
    script.isExplainedAbove(attempt) ||
    isExplainedAround(attempt, script) ||
    isTestedNext(attempt, script) ||
    goesOnOtherwise(attempt) ||
    keepsOutcome(attempt) ||
    loadsWhatMayBeMissing(attempt) ||
    isAfterFailure(attempt)
  ) {
    return null
  }
  const block = child(attempt, 'block')!
  if (
    script.isNoted(body) ||
    /^(?:_?(?:e|err|error|ex)?_?ignored?\w*|unused\w*|_?expected)$/i.test(dotted(child(handler, 'param')))
  ) {
    return 'reason'
  }
  // Behind the attempt nothing makes up for what it should have given; who gets nothing instead can tell.
  if (contains(block, gives, functionTypes) && (!onlyComputes(block) || contains(block, reads))) {
    return 'failure'
  }
  return onlyComputes(block) || onlyTidies(block) ? 'reason' : 'failure'
}

/** `if (failed) { try { … } catch {} }`: what is said of the condition is said of all that it holds. */
function isExplainedAround(attempt: ScriptNode, script: ScriptContext): boolean {
  const choice = attempt.parent?.parent
  return (
    isType(choice, 'IfStatement') &&
    statementsOf(attempt.parent).length === 1 &&
    script.isExplainedAbove(choice)
  )
}

function rejectionDropOf(call: ScriptNode, script: ScriptContext): Drop {
  const body = child(children(call, 'arguments')[0], 'body')
  if (!isType(body, 'BlockStatement') || children(body, 'body').length > 0) return null
  const promise = child(child(call, 'callee'), 'object')
  // A promise that is kept is awaited elsewhere; this only says that it may be rejected before.
  const isKept =
    isType(promise, 'Identifier', 'MemberExpression') &&
    isType(call.parent, 'ExpressionStatement', 'AssignmentExpression')
  // What stands for the failure is put in place next: `.catch(() => {}).then((rows) => rows ?? [])`.
  const isMadeUp = isType(call.parent, 'MemberExpression') && child(call.parent, 'property')?.name === 'then'
  const statement = closest(call, ({ type }) => /Statement$|^VariableDeclaration$/.test(type))
  if (statement !== null && script.isExplainedAbove(statement)) return null
  if (script.isExplained(body) || isKept || isMadeUp || isAfterFailure(call)) return null
  const isTidying = isType(promise, 'CallExpression') && tidies.test(lastName(calleeOf(promise)))
  return script.isNoted(body) || isTidying ? 'reason' : 'failure'
}

/** `let x; try { x = read() } catch {}; if (x) …`: the failure shows in the value. */
function isTestedNext(attempt: ScriptNode, script: ScriptContext): boolean {
  const [only, ...more] = children(child(attempt, 'block'), 'body')
  const assigned = child(child(only, 'expression'), 'left')
  if (more.length > 0 || !isType(assigned, 'Identifier')) return false
  const siblings = statementsOf(attempt.parent)
  const next = siblings[siblings.indexOf(attempt) + 1]
  const definition = script.variableOf(assigned)?.defs[0]
  const init = definition === undefined ? null : child(definition.node, 'init')
  return (
    isType(next, 'IfStatement') &&
    contains(child(next, 'test'), (each) => each.name === assigned.name) &&
    definition?.type === 'Variable' &&
    (init === null || init.value === null || init.value === false || init.name === 'undefined')
  )
}

/** What a function gives, where it gives something. */
const gives = (node: ScriptNode): boolean =>
  isType(node, 'ReturnStatement') && child(node, 'argument') !== null

/** What may be there and still fail to be read: a disk, a network, a database. */
const reads = (node: ScriptNode): boolean =>
  isType(node, 'AwaitExpression') ||
  (isType(node, 'CallExpression') &&
    /^(?:read|open|fetch|query|request|exec|spawn)(?:[A-Z]\w*)?$|Sync$/.test(lastName(calleeOf(node))))

/** The last statement of those that run when an attempt fails; in a loop it may be the attempt again. */
function lastAfter(attempt: ScriptNode): ScriptNode | null {
  let inner = attempt
  for (let around = attempt.parent; around != null; inner = around, around = around.parent) {
    if (isType(around, ...functionTypes)) return null
    if (isType(around, ...loopTypes)) return around
    const last = statementsOf(around).at(-1)
    if (last !== undefined && last !== inner) return last
  }
  return null
}

/** An attempt that ends the function when it works: what follows is for its failure. */
function goesOnOtherwise(attempt: ScriptNode): boolean {
  const last = lastAfter(attempt)
  const block = child(attempt, 'block')!
  if (last === null) return false
  return (
    isType(children(block, 'body').at(-1), 'ReturnStatement', 'ContinueStatement', 'BreakStatement') ||
    ((isType(last, 'ThrowStatement') || gives(last) || onlyComputes(block)) &&
      contains(block, gives, functionTypes))
  )
}

/** `try { …; works = true } catch {}`: whether it worked is kept. */
function keepsOutcome(attempt: ScriptNode): boolean {
  const last = child(children(child(attempt, 'block'), 'body').at(-1), 'expression')
  return (
    isType(last, 'AssignmentExpression') && /^(?:boolean|number)$/.test(typeof child(last, 'right')?.value)
  )
}

/** A module that need not be installed. */
function loadsWhatMayBeMissing(attempt: ScriptNode): boolean {
  const [first] = children(child(attempt, 'block'), 'body')
  return (
    first !== undefined &&
    contains(
      first,
      (each) =>
        isType(each, 'ImportExpression') ||
        (isType(each, 'CallExpression') && /^require(?:\.resolve)?$/.test(calleeOf(each))),
      functionTypes
    )
  )
}

/** Work that is done because something has failed already: the first error is the one that counts. */
function isAfterFailure(node: ScriptNode): boolean {
  return closest(node, ({ type }) => type === 'CatchClause', functionTypes) !== null
}

/** Calls that change something elsewhere, whatever becomes of their answer. */
const acts =
  /^(?:save|write|send|post|put|patch|update|insert|delete|remove|create|add|publish|commit|append|store|set|emit|push|upload|move|rename|copy|apply|execute|run|sync)(?:[A-Z_]|$)/

/** An attempt to make a value: when it fails there is none, or the one from before. */
function onlyComputes(block: ScriptNode): boolean {
  return !contains(
    block,
    (each) =>
      (isType(each, 'CallExpression') && acts.test(lastName(calleeOf(each)))) ||
      (isType(each, 'ExpressionStatement') &&
        isType(child(each, 'expression'), 'CallExpression', 'AwaitExpression', 'NewExpression')),
    functionTypes
  )
}

/** Ends what was in use, or adds what nobody depends on. */
const tidies =
  /^(?:close|end|destroy|abort|cancel|kill|unlink|rm|rmdir|remove|clear|cleanup|cleanUp|dispose|release|disconnect|terminate|stop|unsubscribe|off|unref|revoke|shutdown|quit|call|focus|blur|empty)(?:[A-Z_]\w*)?$|^(?:defineProperty|setPrototypeOf|captureStackTrace|freeze)$/
const aside = /^(?:window\.|global\.|globalThis\.)?(?:console|localStorage|sessionStorage)\./

function onlyTidies(block: ScriptNode): boolean {
  for (const each of walk(block, functionTypes)) {
    if (!isType(each, 'ExpressionStatement')) continue
    const expression = child(each, 'expression')
    const call = isType(expression, 'AwaitExpression') ? child(expression, 'argument') : expression
    if (!isType(call, 'CallExpression')) continue
    if (!tidies.test(lastName(calleeOf(call))) && !aside.test(calleeOf(call))) return false
  }
  return true
}
