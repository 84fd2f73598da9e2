import { dotted } from '../names.js'
import { child, children, functionTypes, isType, statementsOf, type ScriptNode } from '../nodes.js'
import { contains } from '../walk.js'
import type { ScriptContext } from '../context.js'
import { rulesOf } from './shared.js'

const { lint, visit } = rulesOf('bugs')

/** ESLint takes the author's word for it; the reader is told all the same. */
function isNotedFallthrough(node: ScriptNode, script: ScriptContext): boolean {
  const last = lastOfCaseBefore(node)
  if (last === undefined) return false
  const [start] = node.parent!.range
  const gap = script.text(node.parent!).slice(last.range[1] - start, node.range[0] - start)
  return /(?:falls?|pass(?:es)?|drops?)[\s-]?(?:through|thru)|\bno[\s-]break\b/i.test(gap)
}

function lastOfCaseBefore(node: ScriptNode): ScriptNode | undefined {
  const cases = children(node.parent, 'cases')
  return children(cases[cases.indexOf(node) - 1], 'consequent').at(-1)
}

const neverReturns =
  /^(?:die|fail|panic|bail|abort|exit|unreachable|assertNever|throw[A-Z]\w*|raise[A-Z]?\w*|process\.exit|process\.abort)$/

/** `state = HEADER` before `case HEADER`: the machine goes on in its next state. */
function isNextState(node: ScriptNode, script: ScriptContext): boolean {
  const cases = children(node.parent, 'cases')
  const test = child(node, 'test')
  return (
    test !== null &&
    children(cases[cases.indexOf(node) - 1], 'consequent').some((statement) => {
      const value = child(child(statement, 'expression'), 'right')
      return value !== null && value.type === test.type && script.text(value) === script.text(test)
    })
  )
}

/** A case that does nothing but end: running into it is ending as well. */
function onlyBreaks(node: ScriptNode): boolean {
  const cases = children(node.parent, 'cases')
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
  const declared = script.variableOf(callee)?.defs[0]?.node
  const body = isType(declared, 'FunctionDeclaration') ? child(declared, 'body') : null
  return neverReturns.test(dotted(callee)) || throwsAtEnd(body, script, depth - 1)
}

export const fallthroughBugRules = [
  lint.error('no-duplicate-case', {
    sentence: 'The switch has a duplicate `case`, which never runs.',
    suggestion: 'Remove or correct the duplicate `case`.'
  }),
  lint.warning('no-fallthrough', {
    sentence: 'The `case` falls through to the next one.',
    suggestion: 'End the `case` with `break` or `return`.',
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
  }),
  visit.info('noted-fallthrough', {
    sentence: 'The `case` falls through to the next one, as its comment says.',
    suggestion: 'Check that it is still intended, or move the shared code into a function.',
    on: 'SwitchCase',
    when: isNotedFallthrough
  }),
  // A use of the name in another case fails at once.
  lint.info('no-case-declarations', {
    sentence:
      'A variable declared in a `case` is visible in the whole switch, but only initialized in this `case`.',
    suggestion: 'Wrap the body of the `case` in braces.'
  })
]
