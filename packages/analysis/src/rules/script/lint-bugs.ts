import type { Scope } from 'eslint'
import {
  bare,
  calleeOf,
  child,
  children,
  closest,
  contains,
  dotted,
  enclosingFunction,
  enclosingLoop,
  functionTypes,
  isType,
  loopTypes,
  statementsOf,
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
  const last = lastOfCaseBefore(node)
  if (last === undefined) return false
  const [start] = node.parent!.range
  const gap = script.text(node.parent!).slice(last.range[1] - start, node.range[0] - start)
  return /(?:falls?|pass(?:es)?|drops?)[\s-]?(?:through|thru)|\bno[\s-]break\b/i.test(gap)
}

function lastOfCaseBefore(node: ScriptNode): ScriptNode | undefined {
  const cases = children(node.parent ?? null, 'cases')
  return children(cases[cases.indexOf(node) - 1] ?? null, 'consequent').at(-1)
}

const neverReturns =
  /^(?:die|fail|panic|bail|abort|exit|unreachable|assertNever|throw[A-Z]\w*|raise[A-Z]?\w*|process\.exit|process\.abort)$/

/** `state = HEADER` before `case HEADER`: the machine goes on in its next state. */
function isNextState(node: ScriptNode, script: ScriptContext): boolean {
  const cases = children(node.parent ?? null, 'cases')
  const test = child(node, 'test')
  return (
    test !== null &&
    children(cases[cases.indexOf(node) - 1] ?? null, 'consequent').some((statement) => {
      const value = child(child(statement, 'expression'), 'right')
      return value !== null && value.type === test.type && script.text(value) === script.text(test)
    })
  )
}

/** A case that does nothing but end: running into it is ending as well. */
function onlyBreaks(node: ScriptNode): boolean {
  const cases = children(node.parent ?? null, 'cases')
  const next = cases.slice(cases.indexOf(node)).find((each) => statementsOf(each).length > 0)
  return next === undefined || isType(statementsOf(next)[0], 'BreakStatement')
}

/** `if (found) return found` as the last step: otherwise the next case may be meant. */
function endsSometimes(node: ScriptNode): boolean {
  const last = lastOfCaseBefore(node)
  const way = isType(last, 'IfStatement') ? child(last, 'consequent') : null
  const end = isType(way, 'BlockStatement') ? statementsOf(way).at(-1) : way
  return isType(end, 'ReturnStatement', 'BreakStatement', 'ContinueStatement')
}

/** Functions that only hand on to one that throws are not followed further than this. */
const maxHandedOn = 10

/** The case before ends with a call that throws, which ESLint cannot know. */
function endsByCall(node: ScriptNode, script: ScriptContext): boolean {
  return throwsAtEnd(lastOfCaseBefore(node), script, maxHandedOn)
}

function throwsAtEnd(
  statement: ScriptNode | null | undefined,
  script: ScriptContext,
  depth: number
): boolean {
  if (isType(statement, 'ThrowStatement')) return true
  if (depth === 0) return false
  if (isType(statement, 'BlockStatement')) {
    return throwsAtEnd(statementsOf(statement).at(-1), script, depth - 1)
  }
  if (isType(statement, 'SwitchStatement')) {
    const last = children(statement, 'cases').at(-1)
    return (
      child(last, 'test') === null &&
      throwsAtEnd(children(last, 'consequent').at(-1), script, depth - 1) &&
      !contains(statement, ({ type }) => type === 'BreakStatement', functionTypes)
    )
  }
  const call = isType(statement, 'ExpressionStatement') ? child(statement, 'expression') : null
  const callee = isType(call, 'CallExpression') ? child(call, 'callee') : null
  if (callee === null) return false
  const declared = script.variableOf(callee)?.defs[0]?.node as ScriptNode | undefined
  const body = isType(declared, 'FunctionDeclaration') ? child(declared, 'body') : null
  return neverReturns.test(dotted(callee)) || throwsAtEnd(body, script, depth - 1)
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

const namesRead = new WeakMap<ScriptNode, ReadonlySet<unknown>>()

/** Remembered, because a pattern may take many names from one value. */
function namesIn(expression: ScriptNode): ReadonlySet<unknown> {
  const known = namesRead.get(expression)
  if (known !== undefined) return known
  const names = new Set(
    [...walk(expression)].flatMap((each) => (isType(each, 'Identifier') ? [each.name] : []))
  )
  namesRead.set(expression, names)
  return names
}

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
  const names = (each: ScriptNode): boolean => each.name === name && name !== undefined
  return (
    contains(right, ({ type }) => type === 'CallExpression') ||
    (isType(right, 'MemberExpression', 'LogicalExpression') &&
      (contains(right, names) || contains(child(assignment!.parent, 'body')!, names)))
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
      contains(child(owner, 'consequent')!, (each) => isType(each, 'Identifier') && each.name === left.name))
  )
}

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

/** The case that a statement ends, also from inside its braces. */
function caseOf(statement: ScriptNode): ScriptNode | null | undefined {
  const { parent } = statement
  return isType(parent, 'BlockStatement') ? parent.parent : parent
}

/** ESLint points at the head of a function, which begins before it or inside of it. */
function functionAt(place: ScriptNode): ScriptNode | null {
  const isKey = isType(place.parent, 'Property', 'MethodDefinition') && place.parent.key === place
  const own = child(isKey ? place.parent : place, 'value') ?? place
  return isType(own, ...functionTypes) ? own : closest(place, (each) => isType(each, ...functionTypes))
}

function givesSomething(code: ScriptNode | null): boolean {
  const body = child(code, 'body')
  return (
    body !== null &&
    contains(
      body,
      (each) => isType(each, 'ReturnStatement') && child(each, 'argument') !== null,
      functionTypes
    )
  )
}

/** A getter of something that is gone, which says so. */
function onlyTells(code: ScriptNode | null): boolean {
  const body = child(code, 'body')
  return (
    body !== null &&
    contains(
      body,
      (each) =>
        isType(each, 'ThrowStatement') ||
        (isType(each, 'CallExpression') && /^console\.|warn|deprecat/i.test(calleeOf(each)))
    )
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
  const method = child(child(functionAt(place)?.parent ?? null, 'callee'), 'property')
  return script.methods.has(String(method?.name))
}

/** `for (const first of list) return first` */
function takesFirst(loop: ScriptNode): boolean {
  return (
    isType(loop, 'ForOfStatement') && !contains(child(loop, 'body')!, ({ type }) => type === 'IfStatement')
  )
}

/** `do { … } while (false)`: a block that break leaves. */
function isBlockToLeave(loop: ScriptNode): boolean {
  return isType(loop, 'DoWhileStatement') && child(loop, 'test')?.value === false
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

/** `if (typeof Promise === 'undefined') Promise = …`: the name gets what is missing. */
function fillsGap(name: ScriptNode): boolean {
  const test = child(
    closest(name, ({ type }) => type === 'IfStatement', functionTypes),
    'test'
  )
  return test !== null && namesIn(test).has(name.name)
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
  return right !== null && contains(right, (each) => isType(each, 'Identifier') && each.name === name.name)
}

/** A callback of a list, or what makes a promise: it has run before the loop goes on. */
function runsAtOnce(callback: ScriptNode | null): boolean {
  const { parent } = callback ?? {}
  if (isType(parent, 'NewExpression') && child(parent, 'callee')?.name === 'Promise') return true
  const method = child(child(callback?.parent ?? null, 'callee'), 'property')?.name
  return /^(?:map|filter|some|every|find|findIndex|reduce|forEach|each|sort|flatMap|replace|replaceAll)$/.test(
    String(method)
  )
}

/** Certainly called when the loop is over; of other functions only their callers know. */
function runsLater(callback: ScriptNode): boolean {
  const { parent } = callback
  if (isType(parent, 'AssignmentExpression')) return /\.on\w+$/.test(dotted(child(parent, 'left')))
  const [first] = children(callback, 'params')
  return (
    isType(parent, 'CallExpression') &&
    (/^_?(?:e|err|error)$/.test(String(first?.name)) ||
      /(?:^|\.)(?:setTimeout|setInterval|setImmediate|nextTick|queueMicrotask|requestAnimationFrame|then|catch|finally|on|once|addEventListener|addListener|click|ready|load|push)$/.test(
        calleeOf(parent)
      ))
  )
}

const leftByBreak = (node: ScriptNode): boolean => isType(node, 'SwitchStatement', ...loopTypes)

/** Whether the loop ends with the round in which a function is made. */
function endsLoop(made: ScriptNode, loop: ScriptNode): boolean {
  for (let inner = made, around = made.parent; around != null && around !== loop; ) {
    if (isType(around, 'ReturnStatement')) return true
    const statements = statementsOf(around)
    const last = statements.at(-1)
    if (last !== inner && isType(last, 'ReturnStatement', 'ThrowStatement')) return true
    if (isType(last, 'BreakStatement') && closest(last, leftByBreak) === loop) return true
    inner = around
    around = around.parent
  }
  return false
}

const writes = new WeakMap<Scope.Variable, readonly ScriptNode[]>()

/** Remembered, because many functions may read the same name. */
function writesTo(variable: Scope.Variable): readonly ScriptNode[] {
  const known = writes.get(variable)
  if (known !== undefined) return known
  const places = variable.references
    .filter((reference) => reference.isWrite())
    .map(({ identifier }) => identifier as unknown as ScriptNode)
  writes.set(variable, places)
  return places
}

/** Declared in the loop with let or const: every round has its own. */
function isOfRound({ defs }: Scope.Variable, { range }: ScriptNode): boolean {
  const [definition] = defs
  const place = (definition?.name as unknown as ScriptNode | undefined)?.range
  const kind = (definition?.parent as { kind?: string } | null | undefined)?.kind
  return place !== undefined && kind !== 'var' && place[0] >= range[0] && place[1] <= range[1]
}

/** Whether the loop itself gives a new value to an outer name that a function made in it reads. */
function seesLaterValue(made: ScriptNode | null, script: ScriptContext): boolean {
  const loop = made === null ? null : enclosingLoop(made)
  // In a function of its own, every round has names of its own.
  if (made === null || loop === null) return made === null
  if (endsLoop(made, loop)) return false
  const isIn = ({ range }: ScriptNode, outer: ScriptNode): boolean =>
    range[0] >= outer.range[0] && range[1] <= outer.range[1]
  const around = enclosingFunction(loop)
  const asked = new Set<string>()
  for (const each of walk(made)) {
    if (!isType(each, 'Identifier') || asked.has(String(each.name))) continue
    asked.add(String(each.name))
    const variable = script.variableOf(each)
    const isMoved =
      variable !== null &&
      !isOfRound(variable, loop) &&
      // What the function writes itself is shared on purpose.
      !writesTo(variable).some((place) => isIn(place, made)) &&
      writesTo(variable).some((place) => isIn(place, loop) && enclosingFunction(place) === around)
    if (isMoved) return true
  }
  return false
}

const isConst = (declaration: unknown): boolean =>
  (declaration as { kind?: string } | null | undefined)?.kind === 'const'

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
  // Where another part of the condition is worked out anew, that part ends the loop.
  if (contains(test, (each) => isType(each, 'CallExpression', 'NewExpression'))) return true
  const isDeclaredIn = (each: ScriptNode): boolean =>
    isType(each, 'VariableDeclarator') && child(each, 'init') !== null && names.has(child(each, 'id')?.name)
  if (contains(loop, isDeclaredIn, functionTypes)) return true
  const isBeside =
    closest(name, (each) => isType(each, 'LogicalExpression') && each.operator === '&&', [loop.type]) !== null
  // A constant beside other conditions is a limit or a switch.
  const isConstant = script.variableOf(name)?.defs.some(({ parent }) => isConst(parent)) === true
  if (isBeside && (isConstant || writes(loop))) return true
  return contains(loop, (each) => {
    const callee = isType(each, 'CallExpression') ? child(each, 'callee') : null
    const called = isType(callee, 'Identifier') ? script.initOf(callee) : null
    return called !== null && writes(called)
  })
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

/** `'development' !== 'production'`: a bundler has put one of the two in the place of a setting. */
function comparesBuild(node: ScriptNode): boolean {
  const kinds = new Set(['production', 'development'])
  const isBuild = (side: ScriptNode | null): boolean =>
    isType(side, 'Literal') && typeof side.value === 'string' && kinds.has(side.value)
  const comparison = closest(node, ({ type }) => type === 'BinaryExpression', functionTypes)
  return isBuild(child(comparison, 'left')) && isBuild(child(comparison, 'right'))
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

const ownFields = new WeakMap<ScriptNode, boolean>()

/** `this.left; this.right = null`: names the fields of an object where it is made. */
function declaresOwnField(first: ScriptNode): boolean {
  const statement = closest(first, ({ type }) => type === 'ExpressionStatement', functionTypes)
  const body = statement?.parent
  const isField = (expression: ScriptNode | null): boolean =>
    isType(expression, 'MemberExpression') && isType(child(expression, 'object'), 'ThisExpression')
  if (statement == null || body == null || !isField(child(statement, 'expression'))) return false
  const known = ownFields.get(body)
  if (known !== undefined) return known
  const fields = statementsOf(body).filter((each) => {
    const expression = child(each, 'expression')
    return isField(isType(expression, 'AssignmentExpression') ? child(expression, 'left') : expression)
  })
  const declares = fields.length > 1
  ownFields.set(body, declares)
  return declares
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
  lint(
    'no-unreachable',
    'warning',
    { sentence: 'This code can never run.', suggestion: 'Remove code that can never run.' },
    // By habit a case ends with break, behind a return as well.
    { accept: (node) => !(isType(node, 'BreakStatement') && isType(caseOf(node), 'SwitchCase')) }
  ),
  lint(
    'no-unreachable-loop',
    'warning',
    {
      sentence: 'The loop never runs a second time.',
      suggestion: 'Use a condition instead of a loop, or move the exit.'
    },
    // This is how an object is asked for its first key, or whether it has one.
    {
      options: [{ ignore: ['ForInStatement'] }],
      accept: (node) => !takesFirst(node) && !isBlockToLeave(node)
    }
  ),
  lint(
    'no-cond-assign',
    'error',
    { sentence: 'A condition assigns instead of comparing.', suggestion: 'Compare with ===.' },
    { accept: (node) => !isWalk(node) && !isKeptComparison(node) && !isKeptValue(node) }
  ),
  visit(
    'kept-comparison',
    'error',
    {
      sentence: 'The name gets the answer of the comparison, not the value that is compared.',
      suggestion: 'Put the assignment into brackets of its own.'
    },
    ':matches(IfStatement, WhileStatement, DoWhileStatement) > AssignmentExpression.test[operator="="]',
    (node, script) =>
      isComparison(child(node, 'right')) &&
      !isComparison(bare(child(node, 'left'))) &&
      // In two pairs of brackets the answer is what is wanted.
      !/^\w+\s*\(\s*\(/.test(script.text(node.parent!))
  ),
  visit(
    'assigned-condition',
    'info',
    {
      sentence: 'The condition keeps a value and tests it at once, which reads like a slip.',
      suggestion: 'Assign before the condition, or put the assignment into brackets of its own.'
    },
    'IfStatement > AssignmentExpression.test[operator="="]',
    (node, script) => !/^if\s*\(\s*\(/.test(script.text(node.parent!)) && isKeptValue(node)
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
    {
      ...plain,
      named: (message) =>
        message.replace(/^'(.+)' is already defined.*$/, '`$1` is declared twice in the same place.'),
      accept: isDeclaredAgain
    }
  ),
  lint(
    'no-self-compare',
    'error',
    {
      sentence: 'A value is compared with itself.',
      suggestion: 'Compare with the other value, or use Number.isNaN.'
    },
    { accept: (node) => !isTestForNaN(node) && !isComparedBeforeBits(node) }
  ),
  lint(
    'no-self-assign',
    'error',
    { sentence: 'A value is assigned to itself.', suggestion: 'Assign the value that was meant.' },
    { accept: (node, script) => !isSetOfPage(node) && !isTypeCast(node, script) }
  ),
  lint('use-isnan', 'error', { sentence: 'Nothing is ever equal to NaN.', suggestion: 'Use Number.isNaN.' }),
  lint('valid-typeof', 'error', {
    sentence: 'typeof never gives this text.',
    suggestion: 'Compare typeof with a type name that exists.'
  }),
  lint(
    'no-fallthrough',
    'warning',
    { sentence: 'A case runs on into the next one.', suggestion: 'End the case with break or return.' },
    {
      options: [{ allowEmptyCase: true }],
      accept: (node, script) => {
        if (
          onlyBreaks(node) ||
          isNotedFallthrough(node, script) ||
          endsByCall(node, script) ||
          isNextState(node, script)
        ) {
          return false
        }
        return endsSometimes(node) ? 'doubtful' : true
      }
    }
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
  // A use of the name in another case fails at once.
  lint('no-case-declarations', 'info', {
    sentence: 'A name declared in one case is visible in all others, before it has a value.',
    suggestion: 'Put the case into braces.'
  }),
  lint(
    'no-unsafe-finally',
    'error',
    {
      sentence: 'Leaving a finally block drops the error or the result of the try block.',
      suggestion: 'Do not return, throw or break inside finally.'
    },
    // A throw says that another error counts more; only the author knows.
    { accept: (node) => (isType(node, 'ThrowStatement') ? 'doubtful' : true) }
  ),
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
    {
      options: [{ allowImplicit: true }],
      accept: (node, script) => !isLoopOrTest(node) && !isOwnMethod(node, script)
    }
  ),
  lint(
    'getter-return',
    'error',
    { sentence: 'A getter returns nothing.', suggestion: 'Return a value from the getter.' },
    // Where it does on some way, nothing is the answer on the others.
    {
      options: [{ allowImplicit: true }],
      accept: (node) => {
        const code = functionAt(node)
        if (givesSomething(code) || onlyTells(code)) return false
        // Without any code it holds the place of a getter that is added elsewhere.
        return statementsOf(child(code, 'body')).length === 0 ? 'doubtful' : true
      }
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
    {
      // A proxy of the object, or one that is made for `new.target`, stands for it.
      accept: (node) => !contains(node, ({ type }) => type === 'ThisExpression' || type === 'MetaProperty')
    }
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
    {
      options: [{ checkLoops: false }],
      accept: (node, script) =>
        isAssignedCondition(node, script) || comparesBuild(node)
          ? false
          : isBuildSwitch(node)
            ? 'doubtful'
            : true
    }
  ),
  lint(
    'no-constant-binary-expression',
    'warning',
    {
      sentence: 'The comparison always gives the same answer.',
      suggestion: 'Correct the comparison.'
    },
    {
      accept: (node) =>
        comparesBuild(node) || isStepBefore(node) ? false : isBuildSwitch(node) ? 'doubtful' : true,
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
    { accept: (node, script) => !isOfInnerTemplate(node) && fillsInKnownName(node, script) }
  ),
  lint(
    'no-func-assign',
    'error',
    { sentence: 'A function is overwritten.', suggestion: 'Use another name.' },
    { accept: (node) => !isInOwnFunction(node) && !isMadeOfItself(node) }
  ),
  lint('no-import-assign', 'error', {
    sentence: 'An import is overwritten.',
    suggestion: 'Use another name.'
  }),
  lint('no-class-assign', 'error', { sentence: 'A class is overwritten.', suggestion: 'Use another name.' }),
  lint(
    'no-ex-assign',
    'warning',
    { sentence: 'The caught error is overwritten.', suggestion: 'Use another name.' },
    { accept: (node) => !isMadeOfItself(node) }
  ),
  lint(
    'no-global-assign',
    'error',
    { sentence: 'A name of the language is overwritten.', suggestion: 'Use another name.' },
    { accept: (node) => !isMadeOfItself(node) && !fillsGap(node) }
  ),
  lint(
    'no-shadow-restricted-names',
    'error',
    { sentence: 'A name of the language is declared anew.', suggestion: 'Use another name.' },
    // `(function ($, undefined) { … })(jQuery)`, from a time when anybody could assign it.
    {
      accept: (node) =>
        node.name === 'undefined'
          ? !isType(node.parent, ...functionTypes)
          : // Browsers that lack it get their own.
            node.name !== 'globalThis'
    }
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
      accept: (node, script) => {
        const made = startingAt(node, ...functionTypes)
        if (runsAtOnce(made) || !seesLaterValue(made, script)) return false
        return made === null || runsLater(made) ? true : 'doubtful'
      }
    }
  ),
  lint(
    'no-throw-literal',
    'warning',
    { sentence: 'What is thrown is no Error, so it has no stack.', suggestion: 'Throw an Error.' },
    { accept: (node) => !isCaughtHere(node) }
  ),
  lint(
    'no-unused-expressions',
    'warning',
    { sentence: 'This expression does nothing.', suggestion: 'Call it, assign it or remove it.' },
    {
      options: [
        { allowShortCircuit: true, allowTernary: true, allowTaggedTemplates: true, enforceForJSX: true }
      ],
      accept: (node, script) =>
        isWorkingStatement(node, script) ? false : declaresOwnField(node) ? 'doubtful' : true
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
