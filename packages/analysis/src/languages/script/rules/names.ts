import type { ScriptContext } from '../context.js'
import { remember } from '../../../remember.js'
import { child, isType, textOf, type ScriptNode } from '../nodes.js'
import { contains } from '../walk.js'
import { rulesOf } from './shared.js'

const { visit, lint } = rulesOf('bugs')

// Types may declare names that the code does not show.
const plain = ['javascript', 'jsx'] as const

/** Scripts of a page share their names; the names of a module are its own. */
const isModule = remember(({ program }: ScriptContext) =>
  contains(
    program,
    (each) =>
      isType(each, 'ImportDeclaration', 'ExportNamedDeclaration', 'ExportDefaultDeclaration') ||
      (isType(each, 'CallExpression') && child(each, 'callee')?.name === 'require')
  )
)

const isAssigned = (name: ScriptNode): boolean =>
  isType(name.parent, 'AssignmentExpression') &&
  name.parent.operator === '=' &&
  child(name.parent, 'left') === name

const comparisons = /^(?:[!=]==?|[<>]=?|instanceof|in)$/

/** A truth value: bitwise operators make a number of it. */
const isTruth = (node: ScriptNode | null): boolean =>
  (isType(node, 'BinaryExpression') && comparisons.test(String(node.operator))) ||
  (isType(node, 'UnaryExpression') && node.operator === '!') ||
  (isType(node, 'Literal') && typeof node.value === 'boolean')

/** `fetch(url)` and `import(path)`: certainly a promise. */
function isPromise(node: ScriptNode | null): boolean {
  return (
    isType(node, 'ImportExpression') ||
    (isType(node, 'CallExpression') && child(node, 'callee')?.name === 'fetch')
  )
}

export const nameRules = [
  {
    ...lint.warning('no-undef', {
      sentence: 'This name is not declared in this scope.',
      suggestion: 'Declare it here, pass it in as a parameter, or import it.',
      // A name that another function declares is out of scope here; any other may be a global of the environment.
      accept: (name, script) =>
        isModule(script) &&
        // `exports = module.exports = create`
        name.name !== 'exports' &&
        (isAssigned(name)
          ? !script.hasEval
          : !isType(name.parent, 'AssignmentExpression') && script.isDeclaredAnywhere(String(name.name)))
    }),
    languages: plain
  },
  visit.warning('bitwise-logic', {
    sentence: 'A bitwise operator is used where a logical one is meant.',
    suggestion: 'Use || or &&.',
    on: 'BinaryExpression[operator=/^[|&]$/]',
    when: (node) => {
      const [left, right] = [child(node, 'left'), child(node, 'right')]
      return (
        textOf(left) !== null || textOf(right) !== null || (isTruth(left) && isTruth(right) && isTested(node))
      )
    }
  }),
  visit.error('await-on-member', {
    sentence: 'A member of a promise is read before the promise is awaited, so it is undefined.',
    suggestion: 'Put the await in parentheses: (await promise).member.',
    on: 'AwaitExpression',
    when: (node) => {
      const awaited = child(node, 'argument')
      const member = isType(awaited, 'CallExpression') ? child(awaited, 'callee') : awaited
      return (
        isType(member, 'MemberExpression') &&
        isPromise(child(member, 'object')) &&
        !/^(?:then|catch|finally)$/.test(String(child(member, 'property')?.name))
      )
    }
  })
]

function isTested(node: ScriptNode): boolean {
  return (
    isType(node.parent, 'IfStatement', 'WhileStatement', 'ConditionalExpression', 'LogicalExpression') ||
    (isType(node.parent, 'UnaryExpression') && node.parent.operator === '!')
  )
}
