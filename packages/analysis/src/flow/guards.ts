import { spelling, type Expression } from './form.js'
import { everyKind, kinds } from './kinds.js'
import { lastPart, type Tables } from './tables.js'

type Narrowing = readonly (readonly [name: string, bits: number])[]

/** What a condition says about names: safe where it holds, and safe where it does not. */
export interface Guard {
  readonly whenTrue: Narrowing
  readonly whenFalse: Narrowing
}

const none: Guard = { whenTrue: [], whenFalse: [] }

/** Says where a text begins, not what is in it. */
const prefixTests =
  /^(?:startsWith|starts_with|startswith|HasPrefix|hasPrefix|is_relative_to|isInside|commonpath|relative)$/
const prefixKinds = kinds.path | kinds.address | kinds.redirect

export function guardOf(test: Expression, tables: Tables): Guard {
  switch (test.is) {
    case 'not': {
      const { whenTrue, whenFalse } = guardOf(test.of, tables)
      return { whenTrue: whenFalse, whenFalse: whenTrue }
    }
    case 'call':
      return guardOfCall(test, tables)
    case 'field': {
      const name = typeof test.key === 'string' ? '' : spelling(test.key)
      return name === '' ? none : { whenTrue: [[name, everyKind]], whenFalse: [] }
    }
    case 'test':
      return guardOfTest(test, tables)
    default:
      return none
  }
}

/** By place and by name. */
function argumentsOf({ args, named = {} }: Extract<Expression, { is: 'call' }>): Expression[] {
  return [...args, ...Object.values(named)]
}

function guardOfCall(call: Extract<Expression, { is: 'call' }>, tables: Tables): Guard {
  const method =
    call.callee.is === 'field' && typeof call.callee.key === 'string'
      ? call.callee.key
      : call.callee.is === 'name'
        ? lastPart(call.callee.name)
        : ''
  const isPrefix = prefixTests.test(method)
  if (!isPrefix && !tables.guards.test(method)) return none
  const subjects = [...argumentsOf(call), ...(call.callee.is === 'field' ? [call.callee.of] : [])].flatMap(
    namesIn
  )
  return { whenTrue: subjects.map((name) => [name, isPrefix ? prefixKinds : everyKind]), whenFalse: [] }
}

function guardOfTest(test: Extract<Expression, { is: 'test' }>, tables: Tables): Guard {
  const inner = test.of.map((each) => guardOf(each, tables))
  const [whenTrue, whenFalse] = [inner.map((each) => each.whenTrue), inner.map((each) => each.whenFalse)]
  if (test.how === 'and') return { whenTrue: whenTrue.flat(), whenFalse: inEach(whenFalse) }
  if (test.how === 'or') return { whenTrue: inEach(whenTrue), whenFalse: whenFalse.flat() }
  const isCompared = test.of.some((each) => each.is === 'fixed' || each.is === 'text')
  if (!isCompared || (test.how !== 'equals' && test.how !== 'differs')) return none
  // `list.indexOf(x) === -1`, `strings.Index(x, y) < 0`: the name was not found.
  const asked = inner.flatMap((each) => each.whenTrue)
  const names = test.of.some((each) => each.is === 'text')
    ? test.of
        .map(spelling)
        .filter((name) => name !== '')
        .map((name) => [name, everyKind] as const)
    : []
  return test.how === 'equals' ? { whenTrue: names, whenFalse: asked } : { whenTrue: asked, whenFalse: names }
}

/** What holds whichever of the parts decided: `x !== 'a' && x !== 'b'` fails for two known values only. */
function inEach([first = [], ...others]: readonly Narrowing[]): Narrowing {
  return first.flatMap(([name, bits]) => {
    const kept = others.reduce((left, other) => left & (other.find(([own]) => own === name)?.[1] ?? 0), bits)
    return kept === 0 ? [] : [[name, kept] as const]
  })
}

function namesIn(expression: Expression): string[] {
  const name = spelling(expression)
  if (name !== '') return [name]
  // `list.includes(x.toLowerCase())`, `ALLOWED.has(String(x))`
  if (expression.is !== 'call') return []
  return [...expression.args, ...(expression.callee.is === 'field' ? [expression.callee.of] : [])]
    .map(spelling)
    .filter((each) => each !== '')
}

/** Names that a condition hands to a function: `if (await mayRead(user, path))`. */
export function askedNames(test: Expression): string[] {
  switch (test.is) {
    case 'not':
      return askedNames(test.of)
    case 'test':
      return test.of.flatMap(askedNames)
    case 'call':
      return argumentsOf(test).flatMap(namesIn)
    default:
      return []
  }
}
