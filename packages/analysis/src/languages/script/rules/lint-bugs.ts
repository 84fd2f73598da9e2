import { calleeOf, children, closest, contains, functionTypes, isType, type ScriptNode } from '../nodes.js'
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
  lint(
    'eqeqeq',
    // Old code compares so throughout, and mostly values of one type.
    'info',
    { sentence: '== and != convert types before they compare.', suggestion: 'Compare with === and !==.' },
    // What typeof gives and a literal are both texts: nothing is converted.
    { options: ['smart'] }
  ),
  lint(
    'no-unreachable',
    'warning',
    { sentence: 'This code can never run.', suggestion: 'Remove code that can never run.' },
    // By habit a case ends with break, behind a return as well.
    { accept: (node) => !(isType(node, 'BreakStatement') && isType(caseOf(node), 'SwitchCase')) }
  ),
  lint(
    'no-unsafe-finally',
    'error',
    {
      sentence: 'Leaving a finally block drops the error or the result of the try block.',
      suggestion: 'Do not return, throw or break inside finally.'
    },
    {
      // A throw says that another error counts more; only the author knows. Under a condition the author may
      // know that there is none to lose.
      accept: (node) =>
        isType(node, 'ThrowStatement') ? 'doubtful' : isType(node.parent?.parent, 'TryStatement') || 'likely'
    }
  ),
  lint(
    'no-async-promise-executor',
    'warning',
    {
      sentence: 'An error in an async executor is never seen.',
      suggestion: 'Make the outer function async instead of wrapping it in a promise.'
    },
    { accept: (node) => (handsToReject(node) ? 'doubtful' : true) }
  ),
  lint(
    'no-loss-of-precision',
    'error',
    { sentence: 'This number cannot be stored exactly.', suggestion: 'Use a BigInt or a string.' },
    // Of a fraction the nearest value is meant: `3.14159265358979323846`.
    { accept: (node, script) => (/^[\d_]+$/.test(script.text(node)) ? true : 'likely') }
  ),
  lint('no-unsafe-optional-chaining', 'error', {
    sentence: 'This throws when the optional chain ends early.',
    suggestion: 'Handle the missing value before it is used.'
  }),
  lint(
    'no-sparse-arrays',
    'warning',
    { sentence: 'A list has a hole.', suggestion: 'Remove the extra comma or write undefined.' },
    {
      accept: (node, script) => {
        const list = closest(node, ({ type }) => type === 'ArrayExpression') ?? node
        // A hole that is explained is meant.
        return /,\s*(?:,\s*)?\/[/*]/.test(script.text(list)) ? 'doubtful' : true
      }
    }
  ),
  lint(
    'no-template-curly-in-string',
    'warning',
    { sentence: '${} does nothing in a string in quotes.', suggestion: 'Use backticks.' },
    { accept: (node, script) => !isOfInnerTemplate(node) && fillsInKnownName(node, script) }
  ),
  lint('no-this-before-super', 'error', {
    sentence: '`this` is used before super() was called.',
    suggestion: 'Call super() first.'
  }),
  lint('constructor-super', 'error', {
    sentence: 'The constructor of a derived class does not call super().',
    suggestion: 'Call super() in the constructor.'
  }),
  lint('no-obj-calls', 'error', {
    sentence: 'This object is not a function.',
    suggestion: 'Call one of its methods.'
  }),
  lint(
    'no-invalid-regexp',
    'error',
    { sentence: 'The regular expression is invalid.', suggestion: 'Correct the pattern.' },
    { named: true }
  ),
  lint(
    'no-misleading-character-class',
    'warning',
    {
      sentence: 'A character of several code points stands in a character class.',
      suggestion: 'Use the u flag or an alternative.'
    },
    // What is written as an escape is meant as the one code point.
    { options: [{ allowEscape: true }], accept: (node, script) => hasJoinedCharacter(script.text(node)) }
  ),
  lint('no-empty-pattern', 'warning', {
    sentence: 'An empty pattern takes nothing apart.',
    suggestion: 'Name what you need, or remove the pattern.'
  }),
  lint(
    'no-empty-character-class',
    'warning',
    { sentence: 'An empty character class matches nothing.', suggestion: 'Correct the class.' },
    // All by itself it says: nothing.
    { accept: (node) => (node.regex as { pattern: string } | undefined)?.pattern !== '[]' }
  ),
  lint('no-useless-backreference', 'warning', {
    sentence: 'A back reference in the pattern always matches nothing.',
    suggestion: 'Correct the pattern.'
  }),
  lint('no-debugger', 'warning', {
    sentence: 'A debugger statement stops the program.',
    suggestion: 'Remove the debugger statement.'
  }),
  lint('no-prototype-builtins', 'info', {
    sentence: 'The object may have its own method of this name.',
    suggestion: 'Use Object.hasOwn.'
  }),
  lint('no-useless-catch', 'info', {
    sentence: 'The catch only throws the same error again.',
    suggestion: 'Remove the try.'
  })
]
