import { isFixed, type Fact } from './facts.js'
import { spelling, type Expression } from './form.js'
import { addressesOf } from './hosts.js'
import { everyKind, kinds } from './kinds.js'
import { clearedBy } from './patterns.js'
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
const suffixTests = /^(?:endsWith|endswith|HasSuffix)$/
/** What the host of an address decides. */
const hostKinds = kinds.address | kinds.redirect

/** Asks whether a collection holds something: the key is known then, the collection is not. */
const memberTests =
  /^(?:includes|has|hasOwn|hasOwnProperty|contains|containsKey|contains_key|Contains|indexOf|isIn|Has)$/
/** Asks whether a text matches a pattern; of some languages, the whole text or from its start. */
const patternTests = /^(?:test|match|exec|search|fullmatch|MatchString|Match|matches|is_match|find)$/
const wholeTests = /^(?:fullmatch|matches)$/

/** What a condition is read with. */
export interface GuardContext {
  readonly tables: Tables
  readonly factOf: (expression: Expression) => Fact
}

export function guardOf(test: Expression, context: GuardContext): Guard {
  switch (test.is) {
    case 'not': {
      const { whenTrue, whenFalse } = guardOf(test.of, context)
      return { whenTrue: whenFalse, whenFalse: whenTrue }
    }
    case 'call':
      return guardOfCall(test, context)
    case 'field': {
      const name = typeof test.key === 'string' ? '' : spelling(test.key)
      return name === '' ? none : { whenTrue: [[name, everyKind]], whenFalse: [] }
    }
    case 'test':
      return guardOfTest(test, context)
    default:
      return none
  }
}

type CallExpression = Extract<Expression, { is: 'call' }>

/** By place and by name. */
function argumentsOf({ args, named = {} }: CallExpression): Expression[] {
  return [...args, ...Object.values(named)]
}

function guardOfCall(call: CallExpression, context: GuardContext): Guard {
  const method =
    call.callee.is === 'field' && typeof call.callee.key === 'string'
      ? call.callee.key
      : call.callee.is === 'name'
        ? lastPart(call.callee.name)
        : ''
  if (suffixTests.test(method)) return guardOfSuffix(call, context)
  const isPrefix = prefixTests.test(method)
  if (!isPrefix && !context.tables.guards.test(method)) return none
  if (memberTests.test(method)) return guardOfMember(call, context)
  if (patternTests.test(method)) {
    const guard = guardOfPattern(call, method, context)
    if (guard !== null) return guard
  }
  const subjects = [...argumentsOf(call), ...(call.callee.is === 'field' ? [call.callee.of] : [])]
  if (!isPrefix) return { whenTrue: subjects.flatMap((each) => checked(each, context)), whenFalse: [] }
  return { whenTrue: subjects.flatMap(namesIn).map((name) => [name, prefixKinds]), whenFalse: [] }
}

/** What a check of this expression restricts. */
function checked(subject: Expression, { factOf }: GuardContext): Narrowing {
  return [
    ...namesIn(subject).map((name) => [name, everyKind] as const),
    ...addressesOf(subject, factOf).map((name) => [name, hostKinds] as const)
  ]
}

/** `url.hostname.endsWith('.example.com')`; without the dot, `evilexample.com` ends so as well. */
function guardOfSuffix({ callee, args }: CallExpression, { factOf }: GuardContext): Guard {
  const host = callee.is === 'field' && args.length === 1 ? callee.of : args[0]
  const suffix = args.at(-1)
  if (host === undefined || suffix?.is !== 'text' || !suffix.text.startsWith('.')) return none
  return { whenTrue: addressesOf(host, factOf).map((name) => [name, hostKinds]), whenFalse: [] }
}

/** What an attack cannot do without a certain character. */
const needed: readonly (readonly [text: RegExp, bits: number])[] = [
  [/^(?:\.\.[/\\]?|[/\\])$/, kinds.path],
  [/^['"]$/, kinds.lookup],
  [/^<$/, kinds.markup],
  [/^[\r\n]+$/, kinds.header | kinds.log]
]

/** `list.includes(x)`, `x in table`, `slices.Contains(list, x)`; of `x.includes('..')` what does not hold counts. */
function guardOfMember({ callee, args }: CallExpression, context: GuardContext): Guard {
  const { factOf } = context
  const isFunction = callee.is !== 'field' || (args.length > 1 && spelling(callee.of) !== '')
  const [collection, subject] = isFunction
    ? [args[0], args[1]]
    : [callee.is === 'field' ? callee.of : undefined, args[0]]
  if (collection === undefined || subject === undefined) return none
  const asked = factOf(subject)
  // `args.get('page', '')` has the text of its default, too.
  if (asked.text !== null && isFixed(asked)) {
    const bits = needed.find(([text]) => text.test(asked.text!))?.[1] ?? 0
    const names = bits === 0 ? [] : namesIn(collection)
    return { whenTrue: [], whenFalse: names.map((name) => [name, bits]) }
  }
  // A client that fills the collection chooses what is in it.
  if (factOf(collection).input !== 0) return none
  return { whenTrue: checked(subject, context), whenFalse: [] }
}

/** A pattern that is written in the code says itself what it lets through; null where it is not known. */
function guardOfPattern(
  { callee, args }: CallExpression,
  method: string,
  { factOf }: GuardContext
): Guard | null {
  const operands = [...(callee.is === 'field' ? [callee.of] : []), ...args]
  const facts = operands.map(factOf)
  const isModule = callee.is === 'field' && /^(?:re|regex|regexp)$/.test(spelling(callee.of))
  const at = facts.findIndex(
    (fact, index) => patternIn(fact) !== null || (isModule && index === 1 && fact.text !== null)
  )
  const isText = at === -1 && wholeTests.test(method) && facts[1]?.text != null
  const place = isText ? 1 : at
  const pattern = place === -1 ? null : (patternIn(facts[place]!) ?? facts[place]!.text)
  if (pattern === null) return null
  const isPython = isModule || facts.some(({ path }) => path.startsWith('re.'))
  const isWhole = wholeTests.test(method)
  const bits = clearedBy(pattern, { atStart: isWhole || (isPython && method === 'match'), atEnd: isWhole })
  const names = operands.flatMap((each, index) => (index === place ? [] : namesIn(each)))
  return { whenTrue: bits === 0 ? [] : names.map((name) => [name, bits]), whenFalse: [] }
}

/** The source of a pattern that was compiled from a text in the code. */
function patternIn({ value, text, path }: Fact): string | null {
  const literal = /^\/([\s\S]+)\/([a-z]*)$/.exec(text === null ? (value ?? '') : '')
  if (literal !== null) return literal[2]!.includes('m') ? '' : literal[1]!
  return /(?:compile|MustCompile|RegExp|Regex\.new)\(\)$/.test(path) ? text : null
}

function guardOfTest(test: Extract<Expression, { is: 'test' }>, context: GuardContext): Guard {
  const inner = test.of.map((each) => guardOf(each, context))
  const [whenTrue, whenFalse] = [inner.map((each) => each.whenTrue), inner.map((each) => each.whenFalse)]
  if (test.how === 'and') return { whenTrue: whenTrue.flat(), whenFalse: inEach(whenFalse) }
  if (test.how === 'or') return { whenTrue: inEach(whenTrue), whenFalse: whenFalse.flat() }
  const isCompared = test.of.some((each) => each.is === 'fixed' || each.is === 'text')
  if (!isCompared || (test.how !== 'equals' && test.how !== 'differs')) return none
  // `list.indexOf(x) === -1`, `strings.Index(x, y) < 0`: the name was not found.
  const asked = inner.flatMap((each) => each.whenTrue)
  const names = test.of.some((each) => each.is === 'text')
    ? test.of.flatMap((each) => (each.is === 'call' ? hostsIn(each, context) : checked(each, context)))
    : []
  return test.how === 'equals' ? { whenTrue: names, whenFalse: asked } : { whenTrue: asked, whenFalse: names }
}

/** Of the results of calls only a host says what it was made from: `url.Hostname() == "example.com"`. */
const hostsIn = (call: Expression, { factOf }: GuardContext): Narrowing =>
  addressesOf(call, factOf).map((name) => [name, hostKinds] as const)

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
  // `` list.includes(`${owner}/${name}`) ``: the check restricts both names.
  if (expression.is === 'joined') return expression.parts.flatMap(namesIn)
  // `list.includes(x.toLowerCase())`, `ALLOWED.has(String(x))`
  if (expression.is !== 'call') return []
  const { args, callee } = expression
  const on = callee.is === 'field' && !readsPart(callee.key) ? [callee.of] : []
  return [...args, ...on].map(spelling).filter((each) => each !== '')
}

/** Of `cookie.getName()` a check says nothing about the rest of the cookie. */
const readsPart = (key: string | Expression): boolean =>
  typeof key === 'string' &&
  /^get|^(?:name|type|key|size|method)$/i.test(key) &&
  !/path|ur[il]|host|file|string|canonical/i.test(key)

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
