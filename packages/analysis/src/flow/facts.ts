import type { Declared } from './form.js'
import { everyKind, kinds } from './kinds.js'
import { step, type Trace } from './trace.js'

/**
 * An SQL text that was put together: reported where it is run, or where it was made if it is never seen to
 * run.
 */
export interface Built {
  readonly line: number
  isReported: boolean
  /** A value of unknown origin stands where a parameter could, not only the name of a table or column. */
  holdsValue: boolean
}

/** What is known about a value. The numbers are sets of kinds, as bits. */
export interface Fact {
  /**
   * Where the value comes from, in the words of the tables: `req.query.id`, `child_process`. Empty when
   * nothing is known.
   */
  readonly path: string
  /** Its fixed text with … where values stand; null for what is no text. */
  readonly text: string | null
  /** The constant that it certainly is: a number or truth value as it is written, or the text. */
  readonly value: string | null
  /** A client chose it, and it can still do this harm. */
  readonly input: number
  /** The part of `input` that comes straight from a request: no check and no unknown function in between. */
  readonly direct: number
  /** Nobody knows what it holds. */
  readonly unknown: number
  /** Parameters of the function around it that are part of it. */
  readonly parameters: ReadonlyMap<number, number> | null
  readonly entries: ReadonlyMap<string, Fact> | null
  /** What was set on an object that this code made; null where others may have set more. */
  readonly settings: ReadonlyMap<string, Fact> | null
  readonly declared: Declared | null
  readonly built: Built | null
  /** The lines that the client's value, or that of a parameter, has gone through. */
  readonly trace: Trace | null
  /** How the address is spelled that this was parsed from: who checks its host checks the address. */
  readonly parsedFrom: string
  /** Put together from pieces. */
  readonly isJoined: boolean
  /** Certainly an object or an array, unless it is a fixed value. */
  readonly isObject: boolean
  /** One of its fields was set to a client's value: of the others nothing is certain. */
  readonly isPartly: boolean
}

export const nothing: Fact = {
  path: '',
  text: null,
  value: null,
  input: 0,
  direct: 0,
  unknown: 0,
  parameters: null,
  entries: null,
  settings: null,
  declared: null,
  built: null,
  trace: null,
  parsedFrom: '',
  isJoined: false,
  isObject: false,
  isPartly: false
}

export const anything: Fact = { ...nothing, unknown: everyKind }

export const textFact = (text: string): Fact => ({ ...nothing, text, value: text })

export const inputFact = (path: string, bits = everyKind, direct = bits): Fact => ({
  ...nothing,
  path,
  input: bits,
  direct,
  unknown: bits === kinds.random ? 0 : everyKind
})

/** Arithmetic and formats do not make a number less predictable. */
export function predictable(facts: readonly Fact[]): Pick<Fact, 'input' | 'direct'> {
  const input = facts.reduce((bits, fact) => bits | (fact.input & kinds.random), 0)
  return { input, direct: input }
}

export function isFixed({ input, unknown, parameters }: Fact): boolean {
  return input === 0 && unknown === 0 && parameters === null
}

/** Parameters of a function are few; more than these are not told apart. */
const maxParameters = 16

export function parameterFact(index: number, path: string, bits: number): Fact {
  return index < maxParameters
    ? { ...nothing, path, parameters: new Map([[index, bits]]) }
    : { ...nothing, path, unknown: bits }
}

/** What nobody knows about a value inside its function: a parameter may hold anything. */
export function openBits({ unknown, parameters }: Fact): number {
  let bits = unknown
  for (const own of parameters?.values() ?? []) bits |= own
  return bits
}

function joinParameters(one: Fact['parameters'], two: Fact['parameters']): Fact['parameters'] {
  if (one === null || one === two) return two
  if (two === null) return one
  const joined = new Map(one)
  for (const [index, bits] of two) joined.set(index, (joined.get(index) ?? 0) | bits)
  return joined
}

/** The value, which went through this line. */
export function traced(fact: Fact, line: number): Fact {
  if (fact.input === 0 && fact.parameters === null) return fact
  const trace = step(fact.trace, line)
  return trace === fact.trace ? fact : { ...fact, trace }
}

/** A value that is one of two. */
export function either(one: Fact, two: Fact): Fact {
  if (one === two) return one
  return {
    path: one.path === '' ? two.path : one.path,
    // The longer text tells more: the shorter one is mostly what a text begins with.
    text: one.text === null || (two.text !== null && two.text.length > one.text.length) ? two.text : one.text,
    value: one.value === two.value ? one.value : null,
    input: one.input | two.input,
    direct: one.direct | two.direct,
    unknown: one.unknown | two.unknown,
    parameters: joinParameters(one.parameters, two.parameters),
    entries: eitherEntries(one.entries, two.entries),
    settings: one.settings === two.settings ? one.settings : null,
    declared: one.declared ?? two.declared,
    built: one.built ?? two.built,
    trace: one.input === 0 && two.input !== 0 ? two.trace : (one.trace ?? two.trace),
    parsedFrom: one.parsedFrom === two.parsedFrom ? one.parsedFrom : '',
    isJoined: one.isJoined || two.isJoined,
    isObject:
      (one.isObject || two.isObject) && (one.isObject || isFixed(one)) && (two.isObject || isFixed(two)),
    isPartly: one.isPartly || two.isPartly
  }
}

/** Larger records are data; whose entries they have does not matter any more. */
const maxMergedEntries = 32

function eitherEntries(one: Fact['entries'], two: Fact['entries']): Fact['entries'] {
  if (one === null || two === null || one === two) return one ?? two
  if (one.size > maxMergedEntries || two.size > maxMergedEntries) return one
  const merged = new Map(one)
  for (const [key, fact] of two) {
    const known = merged.get(key)
    merged.set(key, known === undefined ? fact : either(known, fact))
  }
  return merged
}

/** The value without the harm that a cleaner takes from it. */
export function without(fact: Fact, bits: number): Fact {
  if (isFixed(fact)) return fact
  return {
    ...fact,
    input: fact.input & ~bits,
    direct: fact.direct & ~bits,
    unknown: fact.unknown & ~bits,
    parameters: fact.parameters === null ? null : keepBits(fact.parameters, bits),
    entries: null,
    built: (bits & kinds.sql) === 0 ? fact.built : null
  }
}

function keepBits(parameters: ReadonlyMap<number, number>, bits: number): Fact['parameters'] {
  const kept = new Map(
    [...parameters].map(([index, own]) => [index, own & ~bits] as const).filter(([, own]) => own !== 0)
  )
  return kept.size === 0 ? null : kept
}

/** Longer texts tell nothing new: what a statement or an address is shows at its start. */
const maxTextChars = 2_000

const fixedHost = /^(?:https?|wss?|ftp):\/\/[^/…?#\s]+[/?#]/
const cuts = 'replace|slice|split|substring|substr|concat|toString|trim'
/** Where a page is already, whole or cut; what is looked up in it has another path. */
export const ownAddress = new RegExp(
  `^(?:(?:window|document|self|globalThis)\\.)?location\\.(?:href|pathname)(?:\\.(?:${cuts})\\(\\)|\\.\\[\\]|\\.\\d+)*$`
)
/** A path from here, or from the root of this site. */
const ownPath = /^(?![/\\][/\\…]|[a-z][a-z\d+.-]*:)[^…]*[/?#]/i
/** An address up to the end of its host, which may be a name that this code chose: `${base}/`. */
const wholeHost = /^(?:…|(?:https?|wss?|ftp):\/\/[^/?#\s]+)[/?#]/

/** Where a format takes a value: `%s`, `{}`, `{name}`. */
export const formatMarks = /%(?:\(\w+\))?[-+#0]*\d*(?:\.\d+)?[sdvqrfxc]|\{[\w.!:[\]]*\}/g

/** Texts and values put together into one text. */
export function join(parts: readonly Fact[]): Fact {
  let text = ''
  let all: Fact = nothing
  for (const part of parts) {
    all = either(all, wholeHost.test(text) ? without(part, kinds.address | kinds.redirect) : part)
    if (text.length < maxTextChars) {
      text += isFixed(part) ? (part.text ?? '0') : part.isJoined ? (part.text ?? '…') : '…'
    }
  }
  const isOpen = !isFixed(all)
  if (isOpen && /[%{]/.test(text)) text = text.replace(formatMarks, '…')
  // What stands behind a fixed host or a path of this site cannot turn the address elsewhere.
  const bits = fixedHost.test(text)
    ? kinds.address | kinds.redirect
    : ownPath.test(text) || ownAddress.test(parts[0]?.path ?? '')
      ? kinds.redirect | kinds.address
      : 0
  // `${value}` is the value itself.
  const [only, ...others] = parts.filter((part) => part.text !== '')
  const joined = {
    ...all,
    path: others.length === 0 ? (only?.path ?? '') : '',
    text: text.slice(0, maxTextChars),
    value: null,
    entries: null,
    settings: null,
    declared: null,
    parsedFrom: '',
    isJoined: isOpen,
    isObject: false,
    isPartly: false
  }
  return bits === 0 ? joined : without(joined, bits)
}
