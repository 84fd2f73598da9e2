import { calleeOf, dotted } from '../names.js'
import { child, children, functionTypes, isType, loopTypes, statementsOf, type ScriptNode } from '../nodes.js'
import { closest, contains, enclosingFunction, enclosingLoop, walk, startingAt } from '../walk.js'
import type { ScriptContext, ScriptVariable } from '../context.js'
import { remember } from '../../../remember.js'
import { rulesOf } from './shared.js'

const { lint } = rulesOf('bugs')

/** `for (const first of list) return first` */
function takesFirst(loop: ScriptNode): boolean {
  return (
    isType(loop, 'ForOfStatement') && !contains(child(loop, 'body'), ({ type }) => type === 'IfStatement')
  )
}

/** `do { … } while (false)`: a block that break leaves. */
function isBlockToLeave(loop: ScriptNode): boolean {
  return isType(loop, 'DoWhileStatement') && child(loop, 'test')?.value === false
}

/** A callback of a list, or what makes a promise: it has run before the loop goes on. */
function runsAtOnce(callback: ScriptNode | null): boolean {
  const { parent } = callback ?? {}
  if (isType(parent, 'NewExpression') && child(parent, 'callee')?.name === 'Promise') return true
  const method = child(child(callback?.parent, 'callee'), 'property')?.name
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

/** Remembered, because many functions may read the same name. */
const writesTo = remember((variable: ScriptVariable): readonly ScriptNode[] =>
  variable.references.filter((reference) => reference.isWrite()).map(({ identifier }) => identifier)
)

/** Declared in the loop with let or const: every round has its own. */
function isOfRound({ defs }: ScriptVariable, { range }: ScriptNode): boolean {
  const [definition] = defs
  const place = definition?.name?.range
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
  const callsWriter = (code: ScriptNode, steps: number): boolean =>
    contains(code, (each) => {
      const callee = isType(each, 'CallExpression') ? child(each, 'callee') : null
      const called = isType(callee, 'Identifier') ? script.initOf(callee) : null
      return called !== null && (writes(called) || (steps > 1 && callsWriter(called, steps - 1)))
    })
  return callsWriter(loop, 2)
}

export const loopBugRules = [
  lint.warning('no-unreachable-loop', {
    sentence: 'The loop body always exits in the first iteration.',
    suggestion: 'Use a condition instead of a loop, or make the exit conditional.',
    // This is how an object is asked for its first key, or whether it has one.
    options: [{ ignore: ['ForInStatement'] }],
    accept: (node) => !takesFirst(node) && !isBlockToLeave(node)
  }),
  lint.error('for-direction', {
    sentence:
      'The update moves the counter away from the end condition, so the loop does not end as intended.',
    suggestion: 'Reverse the update or the condition.'
  }),
  lint.warning('no-unmodified-loop-condition', {
    sentence: 'The loop does not modify any variable of its condition.',
    suggestion: 'Modify the variable in the loop, or correct the condition.',
    named: true,
    accept: (node, script) => !changesElsewhere(node, script)
  }),
  lint.warning('no-loop-func', {
    sentence: 'A function created in a loop captures a variable that later iterations change.',
    suggestion: 'Declare the variable inside the loop with `let` or `const`.',
    accept: (node, script) => {
      const made = startingAt(node, ...functionTypes)
      if (runsAtOnce(made) || !seesLaterValue(made, script)) return false
      return made === null || runsLater(made) ? true : 'doubtful'
    }
  })
]
