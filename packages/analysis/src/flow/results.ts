import { characterOf, holdsText } from './constants.js'
import { elementAt } from './collections.js'
import { either, inputFact, isFixed, nothing, predictable, without, type Fact } from './facts.js'
import { newPrefix, spelling, type Call, type Declared } from './form.js'
import { bitsOf, everyKind, kinds } from './kinds.js'
import { factOfRequest } from './origins.js'
import { isGiven } from './sinks.js'
import { filledIn } from './statement-text.js'
import { continued } from './trace.js'
import { filledByBrowser, lastPart, type CompiledTables } from './tables.js'
import { elementOf, extend, openKinds } from './values.js'

/** A call and what is known of its parts. */
export interface Called {
  readonly call: Call
  /** What a method is called on. */
  readonly on: Fact
  readonly path: string
  /** The function of this code that is called. */
  readonly declared: Declared | null
  readonly args: readonly Fact[]
}

export interface ResultContext {
  readonly tables: CompiledTables
  readonly join: (parts: readonly Fact[], line: number) => Fact
  readonly callOwn: (declared: Declared, args: readonly Fact[], path: string, line: number) => Fact
}

/** Functions that give a function of another kind for one they are given; what it does stays the same. */
const sameFunction = /^(?:promisify|callbackify|partial|memoize|debounce|throttle)$/
/** Functions that compile a pattern from a text. */
const compiles =
  /(?:^|\.)(?:re\.compile|regexp\.(?:MustCompile|Compile)|Pattern\.compile|Regex\.new)$|^new:RegExp$/
/** Methods whose arguments say which part of a value is meant. */
const cuts = /^(?:slice|substring|substr|at|repeat)$/
/** What is looked up comes from the collection; its key only says which. */
const lookups = /^(?:get|getProperty|getOrDefault|getlist|Get|get_or_insert)$/
/** A function of unknown origin that answers from somewhere else than its arguments. */
const looksUp =
  /^(?:get|find|load|fetch|read|lookup|query|select|create|save|insert|is|has|can|count|num|len|size|hash|compare|generate|render)(?:[A-Z_]|$)/
/** A method of an unknown object that makes something of its arguments. */
const makes =
  /^(?:do|process|transform|convert|format|build|make|render|wrap|normali[sz]e|prepare|decode|to|with|compose|decorate|expand|prefix|apply|parse|generate|interpolate)(?:[A-Z_]|$)/

/** `Commands.listing('ls')`, a static method of a class. */
const staticCall = /(?:^|\.)[A-Z]\w*\.[a-z]\w*$/
const fixedPieces = kinds.sql | kinds.shell | kinds.lookup

/** Methods whose result holds what a function makes of each element. */
const maps = /^(?:map|flatMap|mapToInt|mapToLong)$/

/** Who waits for a promise gets what it holds, and bytes are sent as they are. */
const madeOtherwise = /^new:(?:Promise|Buffer|\w*Array)$/

/** What a class or a function of another file makes of a request; its getters give what the request holds. */
export const requestWrapper = 'request wrapper'
const wraps = /^new:|wrap|request|context|params/i
const wrappedGetters = /^request wrapper\.\w*(?:param|header|cookie|query|form|body)\w*\(\)$/i

const noSettings: ReadonlyMap<string, Fact> = new Map()

/** A method of anything, which hands on what it is called on; of a module, only the arguments count. */
const isMethod = (pattern: string): boolean => pattern.startsWith('*.')

/** What a call gives. */
export function resultOf(called: Called, context: ResultContext): Fact {
  const { call, on, declared, args } = called
  const { tables, callOwn } = context
  const method = lastPart(called.path)
  const path = extend(called.path, '()', '')
  const requested = factOfRequest(path, args[0], tables)
  if (requested !== null) return requested
  if (wrappedGetters.test(path)) return inputFact(path, everyKind, everyKind & ~bitsOf(filledByBrowser))
  const isMadeHere = call.callee.is === 'name' && call.callee.name.startsWith(newPrefix)
  const isObject =
    (isMadeHere && !madeOtherwise.test(called.path)) || tables.objects.find(called.path).length > 0
  const plain = { ...nothing, path, settings: isMadeHere ? noSettings : null, isObject }
  if (compiles.test(called.path)) return { ...plain, text: args[0]?.text ?? null }
  if (sameFunction.test(method) && args[0] !== undefined && args[0].path !== '') return args[0]
  const cleaned = cleanedBy(called, path, tables)
  if (cleaned !== null) return { ...cleaned, isObject }
  const name = call.callee.is === 'name' ? spelling(call.callee) : method
  if ([name, method].some((each) => tables.tables.cleanNames.test(each))) return plain
  if (declared !== null) return callOwn(declared, args, path, call.line)
  const character = /^charAt$/.test(method) ? characterOf(on, args[0]?.value ?? null) : null
  if (character !== null) return character
  const held = /^(?:includes|contains)$/.test(method) ? holdsText(on, args[0]) : null
  if (held !== null) return { ...plain, value: held }
  const mapped = mappedBy(called, path, context)
  if (mapped !== null) return { ...mapped, isObject }
  const element = lookups.test(method) ? elementAt(on, args.slice(0, call.args.length)) : null
  if (element !== null) return { ...element, declared: null }
  const isWrapper =
    wraps.test(called.path) && args.some((fact) => tables.tables.requests?.test(fact.path) === true)
  if (isWrapper) return { ...plain, path: requestWrapper, unknown: everyKind }
  const handedOn = carried(called, path, context) ?? { ...plain, ...unknownResult(called, path) }
  return { ...handedOn, isObject }
}

/** `ids.map(Number)`, `map(int, ids)`: what the function makes of an element; null for what is not known. */
function mappedBy(called: Called, callPath: string, { tables, callOwn }: ResultContext): Fact | null {
  const { path, on, args } = called
  const [mapper, list] = path === 'map' ? args : [args[0], on]
  if (mapper === undefined || list === undefined || !maps.test(lastPart(path))) return null
  const element = elementOf(list)
  if (mapper.declared !== null) {
    const mapped = callOwn(mapper.declared, [element, nothing, list], callPath, called.call.line)
    return { ...mapped, path: callPath, declared: null }
  }
  if (tables.tables.cleanNames.test(lastPart(mapper.path))) return { ...nothing, path: callPath }
  return cleanedBy({ ...called, path: mapper.path, args: [element] }, callPath, tables)
}

function cleanedBy({ on, path, args }: Called, callPath: string, { cleaners }: CompiledTables): Fact | null {
  const cleaner = cleaners.find(path).find(({ given }) => given === undefined || isGiven(given, args, {}))
  if (cleaner === undefined) return null
  const all = args.reduce(either, isMethod(cleaner.pattern) ? on : nothing)
  return {
    ...without({ ...all, path: callPath, text: null, built: null }, bitsOf(cleaner.kinds)),
    entries: null,
    declared: null
  }
}

/**
 * The result of a function that hands its arguments on; null for any other. One value stays what it is, several
 * are put together.
 */
function carried(called: Called, path: string, { tables, join }: ResultContext): Fact | null {
  const { call } = called
  const method = lastPart(called.path)
  const carriers = tables.carriers.find(called.path)
  // `path.join` is given all of its text, `list.join` has it.
  const carrier = carriers.find(({ pattern }) => !isMethod(pattern)) ?? carriers[0]
  if (carrier === undefined) return null
  const args = lookups.test(method) ? called.args.slice(1) : cuts.test(method) ? [] : called.args
  const on = isMethod(carrier.pattern) ? called.on : nothing
  const isFormat = /(?:format|formatted|Sprintf|Sprint|join|concat|replace|Join)$/i.test(
    lastPart(
      call.callee.is === 'field' && typeof call.callee.key === 'string'
        ? call.callee.key
        : spelling(call.callee)
    )
  )
  const format = args[0]?.text ?? null
  if (isFormat && format !== null && takesNumbers(format)) {
    return { ...nothing, ...predictable(args), path, text: format }
  }
  const taken = isFormat ? withNumbers(args) : args
  const parts = [on, ...taken].filter((each) => !isFixed(each) || each.text !== null)
  if (parts.length === 0) return { ...nothing, path }
  if (parts.length === 1) return { ...parts[0]!, path, declared: null }
  const joined = isFormat ? join(filledIn(parts), call.line) : parts.reduce(either)
  return { ...joined, path, declared: null, entries: null }
}

const verbs = /%[-+# 0]*[\d.]*([a-zA-Z%])/g

/** The arguments of a format, with a number for each that `%d` or its like makes one of. */
function withNumbers(args: readonly Fact[]): readonly Fact[] {
  const used = [...(args[0]?.text ?? '').matchAll(verbs)]
    .map(([, verb]) => verb!)
    .filter((verb) => verb !== '%')
  if (used.length !== args.length - 1) return args
  return args.map((fact, index) =>
    index > 0 && /[dxXfFeEgGbot]/.test(used[index - 1]!) ? { ...nothing, text: '0' } : fact
  )
}

/** A format that takes numbers only makes numbers of what it is given. */
const takesNumbers = (format: string): boolean =>
  /%[\d.]*[dxXfct]/.test(format) && !/%[-+#]*[\d.]*[svqrw]|\{/.test(format)

/** The result of a function that nobody knows. */
function unknownResult({ call, on, path, args }: Called, callPath: string): Partial<Fact> {
  const isFunction = call.callee.is === 'name'
  const method = lastPart(path)
  // A method of a client's value gives a piece of it; another one's arguments stay with it.
  const isMade = isFunction ? !looksUp.test(method) : makes.test(method)
  // A function that is given a record works something out from it.
  const handed = makes.test(method) ? args : args.filter(({ entries }) => entries === null)
  const { input, parameters, trace, isJoined } =
    on.input !== 0 ? on : isMade ? handed.reduce(either, nothing) : nothing
  // A helper that is given fixed values only makes a fixed piece of SQL or of a command of them.
  const isFixedPiece = (isFunction || staticCall.test(path)) && args.length > 0 && args.every(isFixed)
  const unknown = isFixedPiece ? openKinds(callPath) & ~fixedPieces : openKinds(callPath)
  return { input, parameters, trace, unknown, isJoined: isJoined && input !== 0 }
}

/** What a local function returned, with the arguments of this call for its parameters. */
export function returnedWith(returned: Fact, args: readonly Fact[], path: string): Fact {
  let { input, direct, unknown, trace } = returned
  let parameters: Fact['parameters'] = null
  for (const [index, bits] of returned.parameters ?? []) {
    const fact = args[index] ?? nothing
    if (input === 0 && (fact.input & bits) !== 0) trace = continued(fact.trace, trace)
    input |= fact.input & bits
    direct |= fact.direct & bits
    unknown |= fact.unknown & bits
    parameters = either({ ...nothing, parameters }, fact).parameters
  }
  return {
    ...returned,
    path: returned.path === '' ? path : returned.path,
    input,
    direct,
    unknown,
    parameters,
    trace
  }
}
