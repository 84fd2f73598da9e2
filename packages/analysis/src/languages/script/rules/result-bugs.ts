import { calleeOf, dotted } from '../names.js'
import { child, children, functionTypes, isType, statementsOf, type ScriptNode } from '../nodes.js'
import { closest, contains } from '../walk.js'
import type { ScriptContext } from '../context.js'
import { remember } from '../../../remember.js'
import { rulesOf } from './shared.js'

const { lint } = rulesOf('bugs')

const works = new Set([
  'AssignmentExpression',
  'AwaitExpression',
  'CallExpression',
  'ImportExpression',
  'NewExpression',
  'UpdateExpression',
  'YieldExpression'
])

/** A throw that its own function catches is a jump: nobody asks for its stack. */
function isCaughtHere(thrown: ScriptNode): boolean {
  let inner = thrown
  for (let around = thrown.parent; around != null; inner = around, around = around.parent) {
    if (isType(around, ...functionTypes)) return false
    if (isType(around, 'TryStatement') && around.block === inner && child(around, 'handler') !== null) {
      return true
    }
  }
  return false
}

/** ESLint points at the head of a function, which begins before it or inside of it. */
function functionAt(place: ScriptNode): ScriptNode | null {
  const isKey = isType(place.parent, 'Property', 'MethodDefinition') && place.parent.key === place
  const own = child(isKey ? place.parent : place, 'value') ?? place
  return isType(own, ...functionTypes) ? own : closest(place, (each) => isType(each, ...functionTypes))
}

/**
 * `list.map((each) => { run(each) })` by itself is a loop that does what it should, and a callback that returns
 * something on another path may well mean undefined on this one.
 */
function isForgotten(place: ScriptNode): boolean {
  const callback = functionAt(place)
  const call = callback?.parent
  let root = child(call, 'callee')
  while (isType(root, 'MemberExpression', 'CallExpression')) {
    // Chains of a library do what they like with the callback.
    if (isType(root, 'CallExpression') && /^(?:_|\$|jQuery|chain)$/.test(calleeOf(root))) return false
    root = child(root, 'object') ?? child(root, 'callee')
  }
  return !isType(call?.parent, 'ExpressionStatement') && !givesSomething(callback)
}

function givesSomething(code: ScriptNode | null): boolean {
  const body = child(code, 'body')
  return contains(
    body,
    (each) => isType(each, 'ReturnStatement') && child(each, 'argument') !== null,
    functionTypes
  )
}

/** A getter of something that is gone, which says so. */
function onlyTells(code: ScriptNode | null): boolean {
  const body = child(code, 'body')
  return contains(
    body,
    (each) =>
      isType(each, 'ThrowStatement') ||
      (isType(each, 'CallExpression') && /^console\.|warn|deprecat/i.test(calleeOf(each)))
  )
}

/** `get() { isSupported = true }`: the getter is there to note that somebody read the property. */
function onlyNotes(code: ScriptNode | null): boolean {
  const statements = statementsOf(child(code, 'body'))
  return (
    statements.length > 0 &&
    statements.every((statement) => {
      const assigned = child(statement, 'expression')
      return (
        isType(assigned, 'AssignmentExpression') &&
        isType(child(assigned, 'left'), 'Identifier') &&
        isType(child(assigned, 'right'), 'Literal')
      )
    })
  )
}

/**
 * `some` that stops a loop and whose answer nobody reads, a test that says yes on some way and so no on the
 * others, and values of which the empty ones are taken out again.
 */
function isLoopOrTest(place: ScriptNode): boolean {
  const callback = functionAt(place)
  const call = callback?.parent
  if (!isType(call, 'CallExpression') || !givesSomething(callback)) return false
  const method = String(child(child(call, 'callee'), 'property')?.name)
  if (/^(?:some|every|find|findIndex|findLast|findLastIndex|filter)$/.test(method)) return true
  return (
    isType(call.parent, 'MemberExpression') &&
    /^(?:filter|flat)$/.test(dotted(child(call.parent, 'property')))
  )
}

/** `chunk.map(…)`, where this code says what `map` does. */
function isOwnMethod(place: ScriptNode, script: ScriptContext): boolean {
  const method = child(child(functionAt(place)?.parent, 'callee'), 'property')
  return script.methods.has(String(method?.name))
}

/** `a ? b() : c()`, or `a ? b() : null`, which does nothing on the other way. */
function isChoice(expression: ScriptNode): boolean {
  const ways = [child(expression, 'consequent'), child(expression, 'alternate')]
  return ways.some(isWork) && ways.every((way) => isWork(way) || isNothing(way))
}

const isNothing = (way: ScriptNode | null): boolean =>
  isType(way, 'Literal') ||
  way?.name === 'undefined' ||
  (isType(way, 'UnaryExpression') && way.operator === 'void')

/** Whether an expression does something whichever way it goes: `a(), b = 1`, `c && (c = null, d())`. */
function isWork(expression: ScriptNode | null): boolean {
  if (expression === null) return false
  switch (expression.type) {
    case 'LogicalExpression':
      return isWork(child(expression, 'right'))
    case 'ConditionalExpression':
      return isChoice(expression)
    case 'SequenceExpression':
      return children(expression, 'expressions').every(isWork)
    case 'ChainExpression':
      return isWork(child(expression, 'expression'))
    case 'MemberExpression':
      // `bytes[at++]` skips one.
      return expression.computed === true && isWork(child(expression, 'property'))
    case 'UnaryExpression':
      return expression.operator === 'delete' || isWork(child(expression, 'argument'))
    default:
      return works.has(expression.type)
  }
}

/** `Long.prototype.high;` below a comment with its type: it declares a property to editors. */
function declaresMember(expression: ScriptNode | null): boolean {
  return /\.prototype\.[\w$]+$/.test(dotted(expression))
}

/** `expect(list).to.be.empty`: Chai checks while the last name is read. */
function isAssertion(expression: ScriptNode | null): boolean {
  const names: string[] = []
  let part = expression
  for (; isType(part, 'MemberExpression'); part = child(part, 'object')) {
    names.push(String(child(part, 'property')?.name))
  }
  return isType(part, 'Identifier')
    ? names.includes('should')
    : names.some((name) => /^(?:to|be|is|should)$/.test(name))
}

/** Reading it does something: a stack is written down, a page is laid out, a getter of this code runs. */
function readsGetter(expression: ScriptNode | null, script: ScriptContext): boolean {
  if (isType(expression, 'LogicalExpression')) return readsGetter(child(expression, 'right'), script)
  const member = isType(expression, 'ChainExpression') ? child(expression, 'expression') : expression
  const name = String(child(member, 'property')?.name)
  return (
    /^(?:stack|(?:offset|client|scroll)(?:Width|Height|Top|Left))$/.test(name) || script.getters.has(name)
  )
}

const isField = (expression: ScriptNode | null): boolean =>
  isType(expression, 'MemberExpression') && isType(child(expression, 'object'), 'ThisExpression')

const namesFields = remember((body: ScriptNode): boolean => {
  const fields = statementsOf(body).filter((each) => {
    const expression = child(each, 'expression')
    return isField(isType(expression, 'AssignmentExpression') ? child(expression, 'left') : expression)
  })
  return fields.length > 1
})

/** `this.left; this.right = null`: names the fields of an object where it is made. */
function declaresOwnField(first: ScriptNode): boolean {
  const statement = closest(first, ({ type }) => type === 'ExpressionStatement', functionTypes)
  const body = statement?.parent
  return body != null && isField(child(statement, 'expression')) && namesFields(body)
}

function isWorkingStatement(first: ScriptNode, script: ScriptContext): boolean {
  const statement = isType(first, 'ExpressionStatement')
    ? first
    : closest(first, ({ type }) => type === 'ExpressionStatement', functionTypes)
  const expression = child(statement, 'expression')
  // It is read because it may throw.
  if (isType(statement?.parent?.parent, 'TryStatement') && children(statement.parent, 'body').length === 1) {
    return true
  }
  // A member below a comment for the documentation, or the subject of a test of types.
  if (statement !== null && script.isDocumented(statement)) return true
  return [isWork, declaresMember, isAssertion, readsGetter].some((does) => does(expression, script))
}

export const resultBugRules = [
  lint.error('array-callback-return', {
    sentence: 'The callback of an array method does not return a value.',
    suggestion: 'Return a value on every path, or use `forEach`.',
    options: [{ allowImplicit: true }],
    accept: (node, script) =>
      !isLoopOrTest(node) && !isOwnMethod(node, script) && (isForgotten(node) || 'likely')
  }),
  lint.error('getter-return', {
    sentence: 'The getter does not return a value.',
    suggestion: 'Return a value from the getter.',
    // Where it does on some way, nothing is the answer on the others.
    options: [{ allowImplicit: true }],
    accept: (node) => {
      const code = functionAt(node)
      if (givesSomething(code) || onlyTells(code) || onlyNotes(code)) return false
      // Without any code it holds the place of a getter that is added elsewhere.
      return statementsOf(child(code, 'body')).length === 0 ? 'doubtful' : true
    }
  }),
  lint.warning('no-setter-return', {
    sentence: 'The return value of a setter is ignored.',
    suggestion: 'Remove the value from the return statement.'
  }),
  lint.warning('no-constructor-return', {
    sentence: 'The constructor returns a different object than the new instance.',
    suggestion: 'Use a factory function.',
    // A proxy of the object, or one that is made for `new.target`, stands for it.
    accept: (node) => !contains(node, ({ type }) => type === 'ThisExpression' || type === 'MetaProperty')
  }),
  lint.warning('no-throw-literal', {
    sentence: 'The thrown value is not an Error, so it has no stack trace.',
    suggestion: 'Throw an Error object.',
    accept: (node) => !isCaughtHere(node)
  }),
  lint.warning('no-unused-expressions', {
    sentence: 'The expression has no effect.',
    suggestion: 'Call it, assign it or remove it.',
    options: [
      { allowShortCircuit: true, allowTernary: true, allowTaggedTemplates: true, enforceForJSX: true }
    ],
    accept: (node, script) =>
      isWorkingStatement(node, script) ? false : declaresOwnField(node) ? 'doubtful' : true
  })
]
