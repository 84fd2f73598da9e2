import { calleeOf, dotted } from '../names.js'
import { bare, child, functionTypes, isType, type ScriptNode } from '../nodes.js'
import { closest, contains, startingAt } from '../walk.js'
import type { ScriptContext } from '../context.js'
import { rulesOf } from './shared.js'

const { lint, visit } = rulesOf('bugs')

/** no-cond-assign has said so already; it accepts an assignment in brackets of its own. */
function isAssignedCondition(first: ScriptNode, script: ScriptContext): boolean {
  const assignment = closest(first, ({ type }) => type === 'AssignmentExpression')
  const owner = assignment?.parent
  return (
    assignment?.range[0] === first.range[0] &&
    owner?.test === assignment &&
    !/^\w*\s*\(\s*\(/.test(script.text(owner))
  )
}

/** `while (node = node.next)`, `for (; type = read();)`: the next value, until there is none. */
function isWalk(first: ScriptNode): boolean {
  const assignment = startingAt(first, 'AssignmentExpression')
  const right = child(assignment, 'right')
  if (right === null || !isType(assignment?.parent, 'WhileStatement', 'DoWhileStatement', 'ForStatement')) {
    return false
  }
  const name = child(assignment, 'left')?.name
  const names = (each: ScriptNode): boolean => each.name === name && name !== undefined
  return (
    contains(right, ({ type }) => type === 'CallExpression') ||
    (isType(right, 'MemberExpression', 'LogicalExpression') &&
      (contains(right, names) || contains(child(assignment!.parent, 'body'), names)))
  )
}

const isComparison = (node: ScriptNode | null): boolean =>
  isType(node, 'BinaryExpression') && /^(?:[!=]==?|[<>]=?)$/.test(String(node.operator))

function isKeptComparison(first: ScriptNode): boolean {
  return isComparison(child(startingAt(first, 'AssignmentExpression'), 'right'))
}

/**
 * `if (found = find(name)) use(found)`: the value is looked up, and used where there is one. `bits >>>= 5` and
 * `seen = !!found` are no comparisons with a sign left out.
 */
function isKeptValue(first: ScriptNode): boolean {
  const assignment = startingAt(first, 'AssignmentExpression')
  const left = child(assignment, 'left')
  const owner = assignment?.parent
  const right = child(assignment, 'right')
  if (assignment !== null && assignment.operator !== '=') return true
  if (isType(right, 'UnaryExpression') && right.operator === '!') return true
  // An assignment before a question mark always has brackets of its own.
  if (isType(owner, 'ConditionalExpression')) {
    return !isType(right, 'Literal', 'Identifier', 'TemplateLiteral')
  }
  if (!isType(left, 'Identifier') || !isType(owner, 'IfStatement')) return false
  return (
    isType(right, 'CallExpression', 'AwaitExpression') ||
    (!isType(right, 'Literal', 'Identifier', 'TemplateLiteral') &&
      contains(child(owner, 'consequent'), (each) => isType(each, 'Identifier') && each.name === left.name))
  )
}

/** `x !== x` is true of NaN alone, and older than Number.isNaN; so is `date.getTime() === date.getTime()`. */
function isTestForNaN(first: ScriptNode): boolean {
  const { parent } = first
  const left = child(startingAt(first, 'BinaryExpression'), 'left')
  return (
    (first.type === 'Identifier' &&
      isType(parent, 'BinaryExpression') &&
      /^!==?$/.test(String(parent.operator))) ||
    (isType(left, 'CallExpression') && /\.(?:getTime|valueOf)$/.test(calleeOf(left)))
  )
}

/** `flags & A === A`: what is wrong there is the order, which is told by itself. */
function isComparedBeforeBits(first: ScriptNode): boolean {
  const comparison = startingAt(first, 'BinaryExpression')
  const { parent } = comparison ?? {}
  return isType(parent, 'BinaryExpression') && /^[&|]$/.test(String(parent.operator))
}

/** `(pattern = new RegExp(word)) && keep(pattern)`: two steps, one after the other. */
function isStepBefore(first: ScriptNode): boolean {
  const assignment = startingAt(first, 'AssignmentExpression')
  return isType(assignment?.parent, 'LogicalExpression') && assignment.parent.left === assignment
}

/** `!true`, `false || …`: what a build has put in the place of a switch. Nobody writes it. */
function isBuildSwitch(node: ScriptNode): boolean {
  const isSwitch = (value: ScriptNode | null): boolean =>
    isType(value, 'Literal') && typeof value.value === 'boolean'
  return (
    (isType(node, 'UnaryExpression') && isSwitch(child(node, 'argument'))) ||
    (isSwitch(node) && isType(node.parent, 'LogicalExpression')) ||
    // `"full" !== "slim"`
    (isType(node, 'Literal') &&
      typeof node.value === 'string' &&
      isComparison(node.parent ?? null) &&
      typeof child(node.parent, 'right')?.value === 'string')
  )
}

/** `'development' !== 'production'`: a bundler has put one of the two in the place of a setting. */
function comparesBuild(node: ScriptNode): boolean {
  const kinds = new Set(['production', 'development'])
  const isBuild = (side: ScriptNode | null): boolean =>
    isType(side, 'Literal') && typeof side.value === 'string' && kinds.has(side.value)
  const comparison = closest(node, ({ type }) => type === 'BinaryExpression', functionTypes)
  return isBuild(child(comparison, 'left')) && isBuild(child(comparison, 'right'))
}

/** `0 && (module.exports = { a, b })`: a bundler's note of the names for who imports them. */
function namesExports(first: ScriptNode): boolean {
  const both = closest(first, ({ type }) => type === 'LogicalExpression')
  const right = bare(child(both, 'right'))
  return isType(right, 'AssignmentExpression') && dotted(child(right, 'left')) === 'module.exports'
}

export const conditionBugRules = [
  lint.error('no-cond-assign', {
    sentence: 'The condition contains an assignment instead of a comparison.',
    suggestion: 'Compare with `===`.',
    accept: (node) => !isWalk(node) && !isKeptComparison(node) && !isKeptValue(node)
  }),
  visit.error('kept-comparison', {
    sentence: 'The variable receives the boolean result of the comparison, because `=` has lower precedence.',
    suggestion: 'Put the assignment in parentheses.',
    on: ':matches(IfStatement, WhileStatement, DoWhileStatement) > AssignmentExpression.test[operator="="]',
    when: (node, script) =>
      isComparison(child(node, 'right')) &&
      !isComparison(bare(child(node, 'left'))) &&
      // In two pairs of brackets the answer is what is wanted.
      !/^\w+\s*\(\s*\(/.test(script.text(node.parent!)) &&
      // A value that has a name already need not be kept: the answer may well be meant.
      (isType(bare(child(child(node, 'right'), 'left')), 'CallExpression', 'AwaitExpression', 'NewExpression')
        ? true
        : 'doubtful')
  }),
  visit.info('assigned-condition', {
    sentence: 'The condition contains an assignment, which looks like a mistyped comparison.',
    suggestion: 'Assign before the condition, or put the assignment in extra parentheses.',
    on: 'IfStatement > AssignmentExpression.test[operator="="]',
    when: (node, script) => !/^if\s*\(\s*\(/.test(script.text(node.parent!)) && isKeptValue(node)
  }),
  lint.error('no-dupe-else-if', {
    sentence: 'This branch can never run, because an earlier condition covers it.',
    suggestion: 'Remove or correct the duplicate condition.'
  }),
  lint.error('no-self-compare', {
    sentence: 'A value is compared with itself.',
    suggestion: 'Compare it with the intended value, or use Number.isNaN.',
    accept: (node) =>
      !isTestForNaN(node) &&
      !isComparedBeforeBits(node) &&
      // NaN alone differs from itself, in a field as well, and `x === x` asks for anything else.
      (/^[!=]==?$/.test(String(startingAt(node, 'BinaryExpression')?.operator)) ? 'likely' : true)
  }),
  lint.error('use-isnan', {
    sentence: 'NaN is not equal to any value, not even to itself.',
    suggestion: 'Use Number.isNaN.'
  }),
  lint.error('valid-typeof', {
    sentence: '`typeof` never returns this string.',
    suggestion: 'Compare with a valid type name, such as "string" or "function".'
  }),
  lint.warning('no-compare-neg-zero', {
    sentence: 'A comparison with -0 is also true for +0.',
    suggestion: 'Use Object.is(value, -0).'
  }),
  lint.error('no-unsafe-negation', {
    sentence: '`!` applies only to the left operand of `in` or `instanceof`.',
    suggestion: 'Put the whole expression in parentheses: `!(a in b)`.'
  }),
  lint.warning('no-constant-condition', {
    sentence: 'The condition is constant.',
    suggestion: 'Correct the condition, or remove the branch.',
    options: [{ checkLoops: false }],
    accept: (node, script) =>
      isAssignedCondition(node, script) || comparesBuild(node)
        ? false
        : isBuildSwitch(node)
          ? 'doubtful'
          : true
  }),
  lint.warning('no-constant-binary-expression', {
    sentence: 'The expression always has the same result.',
    suggestion: 'Correct the expression, or simplify it.',
    accept: (node) =>
      comparesBuild(node) || isStepBefore(node) || namesExports(node)
        ? false
        : isBuildSwitch(node)
          ? 'doubtful'
          : true,
    named: (message) => {
      const [, operator] = /left-hand side of a `(.+?)` expression/.exec(message) ?? []
      return operator === undefined
        ? 'The expression always has the same result.'
        : `The left operand of \`${operator}\` is constant, so the operator has no effect.`
    }
  })
]
