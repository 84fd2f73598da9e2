import { dotted } from '../names.js'
import { bare, child, functionTypes, isType, type ScriptNode } from '../nodes.js'
import { closest, contains, walk } from '../walk.js'
import type { ScriptContext } from '../context.js'
import { remember } from '../../../remember.js'
import { rulesOf } from './shared.js'

const { lint } = rulesOf('bugs')

// Overloads are declared more than once on purpose.
const plain = { languages: ['javascript', 'jsx'] as const }

/**
 * Whether the first declaration is one that this one follows in its own block or an outer one. Before `let`,
 * branches and loops declared their names each for itself.
 */
function isDeclaredAgain(name: ScriptNode, script: ScriptContext): boolean {
  // `_a` is a compiler's.
  if (/^_[a-z]$/.test(String(name.name))) return false
  const blockOf = (node: ScriptNode): ScriptNode | null =>
    closest(node, (each) => isType(each, 'BlockStatement', 'Program', 'SwitchCase', 'StaticBlock'))
  const isLoopHead = (node: ScriptNode): boolean =>
    isType(
      closest(node, ({ type }) => type === 'VariableDeclaration', functionTypes)?.parent,
      'ForStatement',
      'ForInStatement',
      'ForOfStatement'
    )
  const variable = name.type === 'Identifier' ? script.variableOf(name) : null
  const others = variable?.identifiers ?? []
  if (others.length < 2) return true
  if (isFromItself(name)) return false
  return others.some((other) => {
    const block = blockOf(other)
    return (
      other.range[0] < name.range[0] &&
      !isLoopHead(other) &&
      block !== null &&
      block.range[0] <= name.range[0] &&
      block.range[1] >= name.range[1]
    )
  })
}

/** The `timeout` of `options.timeout` reads no variable of that name. */
const isMemberName = (name: ScriptNode): boolean =>
  isType(name.parent, 'MemberExpression') && name.parent.computed !== true && name.parent.property === name

/** Remembered, because a pattern may take many names from one value. */
const namesIn = remember(
  (expression: ScriptNode): ReadonlySet<unknown> =>
    new Set(
      [...walk(expression)].flatMap((each) =>
        isType(each, 'Identifier') && !isMemberName(each) ? [each.name] : []
      )
    )
)

/**
 * `var done = done || noop`, `var { state } = next({ state })`, `if (typeof app === 'undefined') var app = {}`:
 * one name on purpose.
 */
function isFromItself(name: ScriptNode): boolean {
  const declarator = closest(name, ({ type }) => type === 'VariableDeclarator', functionTypes)
  const init = declarator?.init === name ? null : child(declarator, 'init')
  const test = child(
    closest(name, ({ type }) => type === 'IfStatement', functionTypes),
    'test'
  )
  const asks = (part: ScriptNode | null): boolean => part !== null && namesIn(part).has(name.name)
  return asks(init) || (isType(bare(child(test, 'left')), 'UnaryExpression') && asks(test))
}

/** `if (typeof Promise === 'undefined') Promise = …`: the name gets what is missing. */
function fillsGap(name: ScriptNode): boolean {
  const test = child(
    closest(name, ({ type }) => type === 'IfStatement', functionTypes),
    'test'
  )
  return test !== null && namesIn(test).has(name.name)
}

/** A function that is made when it is first called, and takes its own place. */
function isInOwnFunction(name: ScriptNode): boolean {
  return (
    closest(name, (each) => isType(each, 'FunctionDeclaration') && child(each, 'id')?.name === name.name) !==
    null
  )
}

/** `draw = timed(draw)`: the new value is made of the old one, so it is meant. */
function isMadeOfItself(name: ScriptNode): boolean {
  const right = isType(name.parent, 'AssignmentExpression') ? child(name.parent, 'right') : null
  return contains(right, (each) => isType(each, 'Identifier') && each.name === name.name)
}

/** A page acts on what it is given, also on what it has: it loads the address again, moves the cursor. */
function isSetOfPage(assigned: ScriptNode): boolean {
  const member = isType(assigned, 'MemberExpression') ? assigned : (assigned.parent ?? null)
  return /\.(?:href|src|location|hash|innerHTML|textContent|value|selectedIndex|scroll(?:Top|Left)|currentTime)$/.test(
    dotted(member)
  )
}

/** A cast stands near the start of its assignment. */
const maxCastChars = 200

// `node = /** @type {Leaf} */ (node)` tells a type checker what the value is.
function isTypeCast(first: ScriptNode, script: ScriptContext): boolean {
  const assignment = closest(first, ({ type }) => type === 'AssignmentExpression', functionTypes)
  return assignment !== null && /\/\*\*\s*@type/.test(script.text(assignment).slice(0, maxCastChars))
}

/** `const List = memo(function List () {})` gives the function the name that its variable has anyhow. */
function isOwnName(name: ScriptNode): boolean {
  const owner = name.parent
  if (!isType(owner, 'FunctionExpression', 'ClassExpression') || child(owner, 'id') !== name) return false
  return (
    closest(
      owner,
      (ancestor) => isType(ancestor, 'VariableDeclarator') && child(ancestor, 'id')?.name === name.name,
      functionTypes
    ) !== null
  )
}

export const bindingBugRules = [
  lint.info('no-shadow', {
    sentence: 'A variable has the same name as one in an outer scope and shadows it.',
    suggestion: 'Rename the inner variable.',
    options: [
      {
        hoist: 'functions',
        allow: ['_', 'err', 'error', 'e', 'cb', 'done', 'resolve', 'reject', 't', 'next', 'i']
      }
    ],
    named: (message) =>
      message.replace(
        /^'(.+)' is already declared in the upper scope on line (\d+) .*$/,
        '`$1` shadows the `$1` declared on line $2.'
      ),
    accept: (node) =>
      !isOwnName(node) &&
      closest(node, (ancestor) =>
        /^TS(?:FunctionType|MethodSignature|DeclareFunction|EmptyBody|ConstructorType|CallSignature|EnumDeclaration|EnumBody|MappedType|ConstructSignature)/.test(
          ancestor.type
        )
      ) === null
  }),
  lint.error('no-const-assign', {
    sentence: 'A constant is reassigned, which throws a TypeError.',
    suggestion: 'Declare it with `let`, or assign to another variable.'
  }),
  lint.error('no-dupe-keys', {
    sentence: 'The object literal has a duplicate key, so the earlier value is lost.',
    suggestion: 'Remove or rename one of the keys.',
    named: true
  }),
  lint.error('no-dupe-args', {
    sentence: 'Two parameters have the same name, so the first one is not accessible.',
    suggestion: 'Rename one of them.',
    ...plain
  }),
  lint.error('no-dupe-class-members', {
    sentence: 'The class has two members with the same name, so the first one is overwritten.',
    suggestion: 'Rename or remove one of them.',
    ...plain
  }),
  lint.warning('no-redeclare', {
    sentence: 'A variable is declared twice in the same scope.',
    suggestion: 'Declare each variable once.',
    ...plain,
    named: (message) =>
      message.replace(/^'(.+)' is already defined.*$/, '`$1` is declared twice in the same scope.'),
    accept: isDeclaredAgain
  }),
  lint.error('no-self-assign', {
    sentence: 'A value is assigned to itself, which has no effect.',
    suggestion: 'Assign the intended value.',
    // A field may be written by a function of its own, which does more than to keep the value.
    accept: (node, script) =>
      !isSetOfPage(node) &&
      !isTypeCast(node, script) &&
      (isType(node, 'MemberExpression') || isType(node.parent, 'MemberExpression') ? 'likely' : true)
  }),
  lint.warning('no-func-assign', {
    sentence: 'A function declaration is overwritten by an assignment.',
    suggestion: 'Use a different variable.',
    accept: (node) => !isInOwnFunction(node) && !isMadeOfItself(node)
  }),
  lint.error('no-import-assign', {
    sentence: 'Imports are read-only: assigning to one throws a TypeError.',
    suggestion: 'Use a different variable.'
  }),
  lint.error('no-class-assign', {
    sentence: 'A class declaration is overwritten by an assignment.',
    suggestion: 'Use a different variable.'
  }),
  lint.warning('no-ex-assign', {
    sentence: 'The caught error is overwritten, so the original error is lost.',
    suggestion: 'Use a different variable.',
    accept: (node) => !isMadeOfItself(node)
  }),
  lint.warning('no-global-assign', {
    sentence: 'A built-in global is overwritten.',
    suggestion: 'Use a different variable.',
    accept: (node) => !isMadeOfItself(node) && !fillsGap(node)
  }),
  lint.warning('no-shadow-restricted-names', {
    sentence: 'The declaration shadows a built-in such as `undefined` or `NaN`.',
    suggestion: 'Use a different name.',
    // `(function ($, undefined) { … })(jQuery)`, from a time when anybody could assign it.
    accept: (node) =>
      node.name === 'undefined'
        ? !isType(node.parent, ...functionTypes)
        : // Browsers that lack it get their own.
          node.name !== 'globalThis'
  })
]
