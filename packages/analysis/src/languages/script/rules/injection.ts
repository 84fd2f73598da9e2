import { keyOf, calleeOf, lastName, propertyOf } from '../names.js'
import { bare, child, children, isType, statementsOf, textOf, type ScriptNode } from '../nodes.js'
import { closest } from '../walk.js'
import type { ScriptContext } from '../context.js'
import { fixedText, pieces, rulesOf } from './shared.js'

const { visit, lint } = rulesOf('security')

function argumentsOf(node: ScriptNode): ScriptNode[] {
  const isCall = (each: ScriptNode): boolean => isType(each, 'CallExpression', 'NewExpression')
  const call = isCall(node) ? node : closest(node, isCall)
  return call === null ? [] : children(call, 'arguments')
}

/** Text that is written down says what it does; only text from elsewhere can do anything else. */
function runsOpenText(node: ScriptNode): boolean {
  const given = argumentsOf(node)
  // `new Function()` does nothing.
  if (given.length === 0) return !isType(node, 'NewExpression')
  return given.some((each) => textOf(each) === null)
}

/** What never runs does no harm; that it never runs is another finding. */
function isBehindReturn(node: ScriptNode): boolean {
  const statement = closest(node, (each) => isType(each, 'ExpressionStatement'))
  const siblings = statementsOf(statement?.parent)
  const before = statement === null ? undefined : siblings[siblings.indexOf(statement) - 1]
  return isType(before, 'ReturnStatement', 'ThrowStatement')
}

/**
 * Text that is written down is code that nobody checks, but for a bare name: that is how code hides from
 * bundlers.
 */
function runsCode(node: ScriptNode): boolean {
  if (isBehindReturn(node)) return false
  const given = argumentsOf(node)
  return given.length === 0 || given.some((each) => !/^[\w$.]+$/.test(textOf(each) ?? ''))
}

/** Whether the text comes from a caller, or from nowhere that the code shows: a parameter, an unknown name. */
function isHandedIn(start: ScriptNode | undefined, script: ScriptContext): boolean {
  const node = bare(start)
  const joined = pieces(node)?.dynamic
  return (joined ?? [node]).map(bare).some((part) => {
    // `eval('(' + json + ')')` reads what another part of the program wrote.
    if (joined !== undefined && !isType(part, 'MemberExpression')) return false
    let root = part
    while (isType(root, 'MemberExpression')) root = bare(child(root, 'object'))
    if (!isType(root, 'Identifier')) return false
    const definition = script.variableOf(root)?.defs[0]
    return definition === undefined || definition.type === 'Parameter'
  })
}

/** `if (isJson.test(text)) eval(text)`: the text was looked at. */
function isAskedAbout(node: ScriptNode, script: ScriptContext): boolean {
  const names = argumentsOf(node).flatMap((each) => script.text(each).match(/[A-Za-z_$][\w$]*/g) ?? [])
  return (
    closest(node, (each) => {
      const test = isType(each, 'IfStatement', 'ConditionalExpression') ? child(each, 'test') : null
      const words: readonly string[] =
        test === null ? [] : (script.text(test).match(/[A-Za-z_$][\w$]*/g) ?? [])
      return names.some((name) => words.includes(name))
    }) !== null
  )
}

const doesNothing = /^javascript:\s*(?:void\s*\(?0\)?|0|\/\/.*)?\s*;?\s*$/i

/** `description: 'javascript: addresses'` tells people of them. */
const isProse = (node: ScriptNode): boolean =>
  isType(node.parent, 'Property') &&
  /^(?:description|message|title|label|text|reason|summary|help)$/.test(String(keyOf(node.parent)))

/** A check for such an address is no such address. */
function isComparedWith(text: ScriptNode): boolean {
  const { parent } = text
  return (
    isType(parent, 'BinaryExpression', 'SwitchCase') ||
    (isType(parent, 'CallExpression') &&
      /^(?:startsWith|indexOf|includes|has|test)$/.test(lastName(calleeOf(parent)))) ||
    isType(parent, 'ArrayExpression')
  )
}

export const injectionRules = [
  visit.warning('escaping-off', {
    sentence: 'The template is compiled with `noEscape`, so values can inject HTML.',
    suggestion: 'Remove `noEscape` and mark individual trusted values as safe instead.',
    on: 'CallExpression',
    when: (node) =>
      lastName(calleeOf(node)) === 'compile' &&
      propertyOf(children(node, 'arguments')[1], 'noEscape')?.value === true
  }),
  lint.error('no-eval', {
    sentence: '`eval` runs a string as code with all privileges of the program.',
    suggestion: 'Parse data with JSON.parse, or look up the operation in a table.',
    accept: (node, script) =>
      runsCode(node) &&
      (isHandedIn(argumentsOf(node)[0], script) && !isAskedAbout(node, script) ? true : 'likely')
  }),
  visit.error('implied-eval', {
    sentence: 'The timer receives a string and evaluates it as code.',
    suggestion: 'Pass a function to the timer.',
    on: 'CallExpression',
    when: (node, script) => {
      const [code] = children(node, 'arguments')
      return (
        /^(?:window\.|globalThis\.)?(?:setTimeout|setInterval|execScript)$/.test(calleeOf(node)) &&
        code !== undefined &&
        (fixedText(code, script) !== null || pieces(code) !== null)
      )
    }
  }),
  lint.error('no-new-func', {
    sentence: 'The Function constructor compiles a string into code, like `eval`.',
    suggestion: 'Parse data with JSON.parse, or look up the operation in a table.',
    // Compilers and templates make functions of text; what they are given, their callers know.
    accept: (node) => runsOpenText(node) && 'likely'
  }),
  visit.warning('run-in-context', {
    sentence: 'The `vm` module is not a sandbox: the code it runs can reach the rest of the program.',
    suggestion: 'Run untrusted code in a separate process or container.',
    on: 'CallExpression',
    when: (node) => {
      const [code] = children(node, 'arguments')
      return /(?:^|\.)runIn(?:New|This)?Context$/.test(calleeOf(node)) && textOf(code) === null
    }
  }),
  lint.warning('no-script-url', {
    sentence: 'A `javascript:` URL runs its content as code.',
    suggestion: 'Add an event listener instead of a `javascript:` URL.',
    accept: (node) => !doesNothing.test(textOf(node) ?? '') && !isComparedWith(node) && !isProse(node)
  })
]
