import {
  child,
  children,
  closest,
  contains,
  functionTypes,
  isType,
  walk,
  type ScriptNode
} from '../../script/nodes.js'
import type { ScriptContext } from '../../script/context.js'
import { rulesOf } from './shared.js'

const { lint, visit } = rulesOf('bugs')
// Overloads are declared more than once on purpose.
const plain = { languages: ['javascript', 'jsx'] as const }

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

/** ESLint takes the author's word for it; the reader is told all the same. */
function isNotedFallthrough(node: ScriptNode, script: ScriptContext): boolean {
  const cases = children(node.parent ?? null, 'cases')
  const last = children(cases[cases.indexOf(node) - 1] ?? null, 'consequent').at(-1)
  if (last === undefined) return false
  const [start] = node.parent!.range
  const gap = script.text(node.parent!).slice(last.range[1] - start, node.range[0] - start)
  return /falls?\s?through/i.test(gap)
}

/**
 * Whether the first declaration is one that this one follows in its own block or an outer one. Before `let`,
 * branches and loops declared their names each for itself.
 */
function isDeclaredAgain(name: ScriptNode, script: ScriptContext): boolean {
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
  const others = (variable?.identifiers ?? []) as unknown as ScriptNode[]
  if (others.length < 2) return true
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

const works = new Set([
  'AssignmentExpression',
  'AwaitExpression',
  'CallExpression',
  'ImportExpression',
  'NewExpression',
  'UpdateExpression',
  'YieldExpression'
])

/** The node that begins where this one does, which is the first of its parts. */
function startingAt(first: ScriptNode, ...types: string[]): ScriptNode | null {
  if (types.includes(first.type)) return first
  const owner = closest(first, ({ type }) => types.includes(type))
  return owner?.range[0] === first.range[0] ? owner : null
}

/** `while (node = node.next)`, `for (; type = read();)`: the next value, until there is none. */
function isWalk(first: ScriptNode): boolean {
  const assignment = startingAt(first, 'AssignmentExpression')
  const right = child(assignment, 'right')
  if (right === null || !isType(assignment?.parent, 'WhileStatement', 'DoWhileStatement', 'ForStatement')) {
    return false
  }
  const name = child(assignment, 'left')?.name
  return (
    contains(right, ({ type }) => type === 'CallExpression') ||
    (isType(right, 'MemberExpression') && contains(right, (each) => each.name === name && name !== undefined))
  )
}

/** `x !== x` is true of NaN alone, and older than Number.isNaN. */
function isTestForNaN(first: ScriptNode): boolean {
  const { parent } = first
  return (
    first.type === 'Identifier' &&
    isType(parent, 'BinaryExpression') &&
    /^!==?$/.test(String(parent.operator))
  )
}

/** A function that is made when it is first called, and takes its own place. */
function isInOwnFunction(name: ScriptNode): boolean {
  return (
    closest(name, (each) => isType(each, 'FunctionDeclaration') && child(each, 'id')?.name === name.name) !==
    null
  )
}

/** A callback of a list: it has run before the loop goes on. */
function runsAtOnce(first: ScriptNode): boolean {
  const callback = startingAt(first, 'ArrowFunctionExpression', 'FunctionExpression')
  const method = child(child(callback?.parent ?? null, 'callee'), 'property')?.name
  return /^(?:map|filter|some|every|find|findIndex|reduce|forEach|sort|flatMap)$/.test(String(method))
}

/** A flag beside a condition that changes, or a name that a local function changes which the loop calls. */
function changesElsewhere(name: ScriptNode, script: ScriptContext): boolean {
  const loop = closest(name, (each) => isType(each, 'WhileStatement', 'DoWhileStatement', 'ForStatement'))
  const test = child(loop, 'test')
  if (loop === null || test === null) return false
  const names = new Set([...walk(test)].flatMap((each) => (isType(each, 'Identifier') ? [each.name] : [])))
  const writes = (node: ScriptNode): boolean =>
    contains(
      node,
      (each) =>
        (isType(each, 'AssignmentExpression') && names.has(child(each, 'left')?.name)) ||
        (isType(each, 'UpdateExpression') && names.has(child(each, 'argument')?.name))
    )
  if (isType(test, 'LogicalExpression') && test.operator === '&&' && writes(loop)) return true
  return contains(loop, (each) => {
    const callee = isType(each, 'CallExpression') ? child(each, 'callee') : null
    const called = isType(callee, 'Identifier') ? script.initOf(callee) : null
    return called !== null && writes(called)
  })
}

/** Whether an expression does something whichever way it goes: `a(), b = 1`, `c && (c = null, d())`. */
function isWork(expression: ScriptNode | null): boolean {
  if (expression === null) return false
  switch (expression.type) {
    case 'LogicalExpression':
      return isWork(child(expression, 'right'))
    case 'ConditionalExpression':
      return isWork(child(expression, 'consequent')) && isWork(child(expression, 'alternate'))
    case 'SequenceExpression':
      return children(expression, 'expressions').every(isWork)
    case 'ChainExpression':
      return isWork(child(expression, 'expression'))
    case 'UnaryExpression':
      return expression.operator === 'delete' || isWork(child(expression, 'argument'))
    default:
      return works.has(expression.type)
  }
}

function isWorkingStatement(first: ScriptNode): boolean {
  const statement = closest(first, ({ type }) => type === 'ExpressionStatement', functionTypes)
  return isWork(child(statement, 'expression'))
}

/** Text of code that has its own backticks around what it fills in. */
function isOfInnerTemplate(literal: ScriptNode): boolean {
  return !/\$\{/.test(String(literal.value).replace(/`[^`]*`/g, ''))
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
    'no-shadow',
    'info',
    { sentence: 'An inner name hides an outer one.', suggestion: 'Give the inner name another name.' },
    {
      options: [
        {
          hoist: 'functions',
          allow: ['_', 'err', 'error', 'e', 'cb', 'done', 'resolve', 'reject', 't', 'next', 'i']
        }
      ],
      named: (message) =>
        message.replace(
          /^'(.+)' is already declared in the upper scope on line (\d+) .*$/,
          '`$1` hides the `$1` of line $2.'
        ),
      accept: (node) =>
        !isOwnName(node) &&
        closest(node, (ancestor) =>
          /^TS(?:FunctionType|MethodSignature|DeclareFunction|EmptyBody|ConstructorType|CallSignature|EnumDeclaration|EnumBody|MappedType|ConstructSignature)/.test(
            ancestor.type
          )
        ) === null
    }
  ),
  lint('no-unreachable', 'warning', {
    sentence: 'This code can never run.',
    suggestion: 'Remove code that can never run.'
  }),
  lint('no-unreachable-loop', 'warning', {
    sentence: 'The loop never runs a second time.',
    suggestion: 'Use a condition instead of a loop, or move the exit.'
  }),
  lint(
    'no-cond-assign',
    'error',
    { sentence: 'A condition assigns instead of comparing.', suggestion: 'Compare with ===.' },
    { accept: (node) => !isWalk(node) }
  ),
  lint('no-const-assign', 'error', {
    sentence: 'A constant is assigned again.',
    suggestion: 'Declare the name with let, or use another name.'
  }),
  lint(
    'no-dupe-keys',
    'error',
    {
      sentence: 'An object has the same key twice; the first value is lost.',
      suggestion: 'Remove one of the two keys.'
    },
    { named: true }
  ),
  lint('no-dupe-else-if', 'error', {
    sentence: 'This branch can never run: an earlier condition covers it.',
    suggestion: 'Remove or correct the repeated condition.'
  }),
  lint('no-duplicate-case', 'error', {
    sentence: 'A switch has the same case twice.',
    suggestion: 'Remove or correct the repeated case.'
  }),
  lint(
    'no-dupe-args',
    'error',
    { sentence: 'Two parameters have the same name.', suggestion: 'Rename one of them.' },
    plain
  ),
  lint(
    'no-dupe-class-members',
    'error',
    { sentence: 'A class has two members of the same name.', suggestion: 'Rename or remove one of them.' },
    plain
  ),
  lint(
    'no-redeclare',
    'warning',
    { sentence: 'A name is declared twice in the same place.', suggestion: 'Declare each name once.' },
    { ...plain, accept: isDeclaredAgain }
  ),
  lint(
    'no-self-compare',
    'error',
    {
      sentence: 'A value is compared with itself.',
      suggestion: 'Compare with the other value, or use Number.isNaN.'
    },
    { accept: (node) => !isTestForNaN(node) }
  ),
  lint('no-self-assign', 'error', {
    sentence: 'A value is assigned to itself.',
    suggestion: 'Assign the value that was meant.'
  }),
  lint('use-isnan', 'error', { sentence: 'Nothing is ever equal to NaN.', suggestion: 'Use Number.isNaN.' }),
  lint('valid-typeof', 'error', {
    sentence: 'typeof never gives this text.',
    suggestion: 'Compare typeof with a type name that exists.'
  }),
  lint(
    'no-fallthrough',
    'warning',
    { sentence: 'A case runs on into the next one.', suggestion: 'End the case with break or return.' },
    { options: [{ allowEmptyCase: true }] }
  ),
  visit(
    'noted-fallthrough',
    'info',
    {
      sentence: 'A case runs on into the next one, as its comment says.',
      suggestion: 'Check that it is still meant, or share the code by a function.'
    },
    'SwitchCase',
    isNotedFallthrough
  ),
  lint('no-case-declarations', 'warning', {
    sentence: 'A name declared in one case is visible in all others, before it has a value.',
    suggestion: 'Put the case into braces.'
  }),
  lint('no-unsafe-finally', 'error', {
    sentence: 'Leaving a finally block drops the error or the result of the try block.',
    suggestion: 'Do not return, throw or break inside finally.'
  }),
  lint('no-async-promise-executor', 'error', {
    sentence: 'An error in an async executor is never seen.',
    suggestion: 'Make the outer function async instead of wrapping it in a promise.'
  }),
  lint(
    'array-callback-return',
    'error',
    {
      sentence: 'The callback of an array method forgets to return its value.',
      suggestion: 'Return a value on every path, or use forEach.'
    },
    { options: [{ allowImplicit: true }] }
  ),
  lint(
    'getter-return',
    'error',
    { sentence: 'A getter returns nothing.', suggestion: 'Return a value from the getter.' },
    {
      named: (message) =>
        message.includes('always') ? 'A getter returns nothing on some paths.' : 'A getter returns nothing.'
    }
  ),
  lint('no-setter-return', 'warning', {
    sentence: 'What a setter returns is ignored.',
    suggestion: 'Return nothing from the setter.'
  }),
  lint(
    'no-constructor-return',
    'warning',
    {
      sentence: 'A constructor returns something else than its object.',
      suggestion: 'Use a factory function.'
    },
    { accept: (node) => !isType(child(node, 'argument'), 'ThisExpression') }
  ),
  lint('for-direction', 'error', {
    sentence: 'The loop counts away from its end.',
    suggestion: 'Turn the update or the condition around.'
  }),
  lint('no-loss-of-precision', 'error', {
    sentence: 'This number cannot be stored exactly.',
    suggestion: 'Use a BigInt or a string.'
  }),
  lint('no-compare-neg-zero', 'warning', {
    sentence: 'Comparing with -0 is true for 0 as well.',
    suggestion: 'Use Object.is.'
  }),
  lint('no-unsafe-negation', 'error', {
    sentence: 'The negation applies to the left side only.',
    suggestion: 'Put the comparison into parentheses.'
  }),
  lint('no-unsafe-optional-chaining', 'error', {
    sentence: 'This throws when the optional chain ends early.',
    suggestion: 'Handle the missing value before it is used.'
  }),
  lint(
    'no-constant-condition',
    'warning',
    {
      sentence: 'The condition is always the same.',
      suggestion: 'Correct the condition or remove the branch.'
    },
    { options: [{ checkLoops: false }], accept: (node, script) => !isAssignedCondition(node, script) }
  ),
  lint(
    'no-constant-binary-expression',
    'warning',
    {
      sentence: 'The comparison always gives the same answer.',
      suggestion: 'Correct the comparison.'
    },
    {
      named: (message) => {
        const [, operator] = /left-hand side of a `(.+?)` expression/.exec(message) ?? []
        return operator === undefined
          ? 'The comparison always gives the same answer.'
          : `The left side of \`${operator}\` always decides the same way.`
      }
    }
  ),
  lint('no-sparse-arrays', 'warning', {
    sentence: 'A list has a hole.',
    suggestion: 'Remove the extra comma or write undefined.'
  }),
  lint(
    'no-template-curly-in-string',
    'warning',
    { sentence: '${} does nothing in a string in quotes.', suggestion: 'Use backticks.' },
    { accept: (node) => !isOfInnerTemplate(node) }
  ),
  lint(
    'no-func-assign',
    'error',
    { sentence: 'A function is overwritten.', suggestion: 'Use another name.' },
    { accept: (node) => !isInOwnFunction(node) }
  ),
  lint('no-import-assign', 'error', {
    sentence: 'An import is overwritten.',
    suggestion: 'Use another name.'
  }),
  lint('no-class-assign', 'error', { sentence: 'A class is overwritten.', suggestion: 'Use another name.' }),
  lint('no-ex-assign', 'warning', {
    sentence: 'The caught error is overwritten.',
    suggestion: 'Use another name.'
  }),
  lint('no-global-assign', 'error', {
    sentence: 'A name of the language is overwritten.',
    suggestion: 'Use another name.'
  }),
  lint('no-shadow-restricted-names', 'error', {
    sentence: 'A name of the language is declared anew.',
    suggestion: 'Use another name.'
  }),
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
    { options: [{ allowEscape: true }] }
  ),
  lint('no-empty-pattern', 'warning', {
    sentence: 'An empty pattern takes nothing apart.',
    suggestion: 'Name what you need, or remove the pattern.'
  }),
  lint('no-empty-character-class', 'warning', {
    sentence: 'An empty character class matches nothing.',
    suggestion: 'Correct the class.'
  }),
  lint(
    'no-unmodified-loop-condition',
    'warning',
    {
      sentence: 'Nothing in the loop changes its condition.',
      suggestion: 'Change the value inside the loop, or correct the condition.'
    },
    { named: true, accept: (node, script) => !changesElsewhere(node, script) }
  ),
  lint('no-useless-backreference', 'warning', {
    sentence: 'A back reference in the pattern always matches nothing.',
    suggestion: 'Correct the pattern.'
  }),
  lint(
    'no-loop-func',
    'warning',
    {
      sentence: 'A function made in a loop sees later values of an outer variable.',
      suggestion: 'Declare the variable inside the loop with let or const.'
    },
    {
      accept: (node) => !runsAtOnce(node)
    }
  ),
  lint('no-throw-literal', 'warning', {
    sentence: 'What is thrown is no Error, so it has no stack.',
    suggestion: 'Throw an Error.'
  }),
  lint(
    'no-unused-expressions',
    'warning',
    { sentence: 'This expression does nothing.', suggestion: 'Call it, assign it or remove it.' },
    {
      options: [
        { allowShortCircuit: true, allowTernary: true, allowTaggedTemplates: true, enforceForJSX: true }
      ],
      accept: (node) => !isWorkingStatement(node)
    }
  ),
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
