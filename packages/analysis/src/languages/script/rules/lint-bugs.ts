import { calleeOf } from '../names.js'
import { children, functionTypes, isType, type ScriptNode } from '../nodes.js'
import { closest, contains } from '../walk.js'
import type { ScriptContext } from '../context.js'
import { rulesOf } from './shared.js'

const { lint } = rulesOf('bugs')

/** The case that a statement ends, also from inside its braces. */
function caseOf(statement: ScriptNode): ScriptNode | null | undefined {
  const { parent } = statement
  return isType(parent, 'BlockStatement') ? parent.parent : parent
}

/** Text of code that has its own backticks around what it fills in. */
function isOfInnerTemplate(literal: ScriptNode): boolean {
  return !/\$\{/.test(String(literal.value).replace(/`[^`]*`/g, ''))
}

/** Emoji and letters with a loose accent; the marks of Arabic or Bengali are letters of their own. */
const hasJoinedCharacter = (text: string): boolean =>
  /[\u0300-\u036F]|[\uD800-\uDFFF]|\u200D|\u20E3|\uFE0F/.test(text)

/** Without such a name in the code, the text is meant for a reader or for another program. */
function fillsInKnownName(literal: ScriptNode, script: ScriptContext): boolean {
  return [...String(literal.value).matchAll(/\$\{\s*([A-Za-z_$][\w$]*)/g)].some(
    ([, name]) => name === 'this' || script.isKnown(name!, literal)
  )
}

/** `async (resolve, reject) => { await work().catch(reject) }`: what is known to fail is seen. */
function handsToReject(first: ScriptNode): boolean {
  const executor = isType(first, ...functionTypes)
    ? first
    : closest(first, (each) => isType(each, ...functionTypes))
  const reject = children(executor, 'params')[1]?.name
  return (
    executor !== null &&
    reject !== undefined &&
    contains(
      executor,
      (each) =>
        isType(each, 'CallExpression') &&
        /\.(?:catch|then)$/.test(calleeOf(each)) &&
        children(each, 'arguments').some(({ name }) => name === reject)
    )
  )
}

export const lintBugRules = [
  lint.info('eqeqeq', {
    sentence: '`==` and `!=` convert the types of their operands before comparing.',
    suggestion: 'Use `===` or `!==`.',
    // What typeof gives and a literal are both texts: nothing is converted.
    options: ['smart']
  }),
  lint.warning('no-unreachable', {
    sentence: 'This code is unreachable.',
    suggestion: 'Remove the unreachable code.',
    // By habit a case ends with break, behind a return as well.
    accept: (node) => !(isType(node, 'BreakStatement') && isType(caseOf(node), 'SwitchCase'))
  }),
  lint.error('no-unsafe-finally', {
    sentence: 'Leaving a `finally` block discards the error or return value of the `try` block.',
    suggestion: 'Do not use return, throw, break or continue in `finally`.',
    // A throw says that another error counts more; only the author knows. Under a condition the author may
    // know that there is none to lose.
    accept: (node) =>
      isType(node, 'ThrowStatement') ? 'doubtful' : isType(node.parent?.parent, 'TryStatement') || 'likely'
  }),
  lint.warning('no-async-promise-executor', {
    sentence: 'An error thrown in an async promise executor does not reject the promise.',
    suggestion: 'Make the surrounding function async instead of creating a promise.',
    accept: (node) => (handsToReject(node) ? 'doubtful' : true)
  }),
  lint.error('no-loss-of-precision', {
    sentence: 'The number cannot be represented exactly and loses precision.',
    suggestion: 'Use a BigInt or a string.',
    // Of a fraction the nearest value is meant: `3.14159265358979323846`.
    accept: (node, script) => (/^[\d_]+$/.test(script.text(node)) ? true : 'likely')
  }),
  lint.error('no-unsafe-optional-chaining', {
    sentence: 'The expression throws a TypeError if the optional chain evaluates to undefined.',
    suggestion: 'Provide a default with `??`, or continue the chain with `?.`.'
  }),
  lint.warning('no-sparse-arrays', {
    sentence: 'The array literal has an empty slot.',
    suggestion: 'Remove the extra comma, or write undefined.',
    accept: (node, script) => {
      const list = closest(node, ({ type }) => type === 'ArrayExpression') ?? node
      // A hole that is explained is meant.
      return /,\s*(?:,\s*)?\/[/*]/.test(script.text(list)) ? 'doubtful' : true
    }
  }),
  lint.warning('no-template-curly-in-string', {
    sentence: 'The string contains `${}` but is not a template literal, so nothing is inserted.',
    suggestion: 'Use backticks.',
    accept: (node, script) => !isOfInnerTemplate(node) && fillsInKnownName(node, script)
  }),
  lint.error('no-this-before-super', {
    sentence: '`this` is used before `super()` is called, which throws a ReferenceError.',
    suggestion: 'Call `super()` first.'
  }),
  lint.error('constructor-super', {
    sentence: 'The constructor of a derived class does not call `super()` on every path.',
    suggestion: 'Call `super()` in the constructor.'
  }),
  lint.error('no-obj-calls', {
    sentence: 'The built-in object is not a function and cannot be called.',
    suggestion: 'Call one of its methods.'
  }),
  lint.error('no-invalid-regexp', {
    sentence: 'The regular expression is invalid and throws a SyntaxError.',
    suggestion: 'Correct the pattern or the flags.',
    named: true
  }),
  lint.warning('no-misleading-character-class', {
    sentence: 'A character in the character class consists of several code points, which match separately.',
    suggestion: 'Add the `u` or `v` flag, or use an alternation.',
    // What is written as an escape is meant as the one code point.
    options: [{ allowEscape: true }],
    accept: (node, script) => hasJoinedCharacter(script.text(node))
  }),
  lint.warning('no-empty-pattern', {
    sentence: 'The empty destructuring pattern has no effect.',
    suggestion: 'Name the variables you need, or remove the pattern.'
  }),
  lint.warning('no-empty-character-class', {
    sentence: 'The empty character class `[]` never matches.',
    suggestion: 'Add the missing characters, or escape the brackets.',
    // All by itself it says: nothing.
    accept: (node) => (node.regex as { pattern: string } | undefined)?.pattern !== '[]'
  }),
  lint.warning('no-useless-backreference', {
    sentence: 'The backreference always matches the empty string.',
    suggestion: 'Move the group before the backreference, or remove it.'
  }),
  lint.warning('no-debugger', {
    sentence: 'The debugger statement stops the program if developer tools are open.',
    suggestion: 'Remove the debugger statement.'
  }),
  lint.info('no-prototype-builtins', {
    sentence: 'The object can override this method or have no prototype.',
    suggestion: 'Use Object.hasOwn, or call the method of Object.prototype.'
  }),
  lint.info('no-useless-catch', {
    sentence: 'The catch clause only rethrows the error.',
    suggestion: 'Remove the try statement.'
  })
]
