import ts from 'typescript'
import type { Proof } from '@filewright/contracts'
import { callOf, shownCall, type Call } from './calls.js'
import { lineOf, type Case } from './case.js'
import type { Entry } from './trace.js'
import { withSomeMarks, type ModuleText } from './module-text.js'
import type { Run } from './machine.js'
import type { Mode } from './outside.js'
import { reproducerOf, type Check } from './reproducer.js'
import { callbacks } from './suspects.js'
import { samplesOf } from '../run/pattern-samples.js'

const faultKinds = ['null', 'index', 'throw', 'twice', 'endless', 'rejection'] as const
export type FaultKind = (typeof faultKinds)[number]

export const isFaultKind = (kind: string): kind is FaultKind => faultKinds.some((each) => each === kind)

export interface Fault {
  /** Worlds in which it is looked for. */
  modes: readonly Mode[]
  /** The check of the reproducer, where the run shows the fault. */
  checkOf: (run: Run, call: string) => Check | null
  effect: string
  /** Whether the call alone does not end within the limit of work. */
  isWithoutEnd?: true
}

const throws =
  (words: RegExp) =>
  ({ isThrownHere, threw }: Run): Check | null =>
    isThrownHere && words.test(threw) ? { kind: 'throws' } : null

export const faults: Readonly<Record<FaultKind | 'type' | 'again', Fault>> = {
  null: { modes: ['usual'], checkOf: throws(/\bnull\b|not iterable/), effect: 'it throws a TypeError' },
  throw: {
    modes: ['usual'],
    checkOf: throws(/\b(?:null|undefined)\b|not iterable|read-only|class constructor/i),
    effect: 'it throws a TypeError'
  },
  type: {
    modes: ['usual'],
    checkOf: throws(/\b(?:null|undefined)\b|not iterable|not a function|cannot convert (?:to object|bigint)/),
    effect: 'it throws a TypeError'
  },
  index: {
    modes: ['usual'],
    checkOf: ({ isPastEnd }) => (isPastEnd ? { kind: 'past-end' } : null),
    effect: 'it reads the element behind the last one'
  },
  twice: {
    modes: ['usual', 'failing', 'throwing'],
    checkOf: (run, call) => {
      const path = calledTwice(run, call)
      return path === null ? null : { kind: 'twice', path }
    },
    effect: 'one call answers twice'
  },
  again: {
    modes: ['usual', 'failing', 'late failing'],
    checkOf: (run, call) => {
      const again = answeredAgain(run, call)
      return again?.isHere === true ? { kind: 'twice', path: again.path } : null
    },
    effect: 'one call answers twice'
  },
  endless: {
    modes: ['usual', 'failing'],
    checkOf: ({ isEndless }) => (isEndless ? { kind: 'endless' } : null),
    effect: 'the loop does not end',
    isWithoutEnd: true
  },
  rejection: {
    modes: ['usual', 'failing here', 'failing', 'failing 1', 'failing 2'],
    checkOf: ({ isRejected }) => (isRejected ? { kind: 'rejection' } : null),
    effect: 'a rejection that nothing handles'
  }
}

const conditions: Partial<Record<Mode, string>> = {
  failing: ' if a call before it fails',
  'failing here': ' if a call in it fails',
  'late failing': ' if its calls fail',
  throwing: ' if the callback throws'
}

const conditionOf = (mode: Mode): string =>
  conditions[mode] ?? (mode.startsWith('failing') ? ' if one of its calls fails' : '')

/** Values for the slots of a call, beside its usual ones. Types and uses allow them; the first ones are marked. */
const values = {
  text: ['"injected"', '""'],
  list: ['[]'],
  number: ['0', '-1', '3'],
  flag: ['false'],
  whole: []
} as const
const MAX_INPUTS = 48
const MAX_DELIMITERS = 4
const MAX_PAIRS = 4
const MAX_SAMPLES = 9
/** What does not end by then does not end. */
const MAX_ENDLESS_WORK = 6_000_000

/** Values for the slots of a call, the one with marks first. */
export function inputsOf({ places }: Call, { source }: ModuleText): Array<ReadonlyMap<number, string>> {
  const texts = places.flatMap(({ type, usual }, place) => (type === 'text' && usual !== '1' ? [place] : []))
  const all: Array<ReadonlyMap<number, string>> = [
    new Map(texts.map((place) => [place, '"injected"'])),
    new Map()
  ]
  for (const [place, { type, isTarget, usual, others, declared }] of places.entries()) {
    if (isTarget) continue
    // What is used as a number gets no text.
    const ofType = usual === '1' && type === 'text' ? [] : values[type]
    for (const value of [...declared, ...ofType, ...others]) all.push(new Map([[place, value]]))
  }
  if (texts.length > 0 && /\b(?:Number|parseInt|isInteger)\b/.test(source.text)) {
    const ones = texts.map((place) => [place, '"1"'] as const)
    all.push(new Map(ones), ...texts.map((place) => new Map([...ones, [place, '"0"']])))
  }
  const anyText = places.flatMap(({ type, isTarget, mayBeText }, place) =>
    (type === 'text' || mayBeText === true) && !isTarget ? [place] : []
  )
  if (anyText.length > 0) {
    // What may be left out is, so that the code's own default meets the text.
    const leftOut = places.flatMap(({ others, declared }, place) =>
      [...others, ...declared].includes('undefined') ? [place] : []
    )
    const withDelimiters = textsAround(source).map(
      (text) =>
        new Map([
          ...anyText.map((place) => [place, text] as const),
          ...leftOut.map((place) => [place, 'undefined'] as const)
        ])
    )
    all.splice(MAX_INPUTS - withDelimiters.length, Infinity, ...withDelimiters)
  }
  return all.slice(0, MAX_INPUTS)
}

/**
 * Strings with the delimiters that the code names, as strings, patterns or codes of characters, and strings that its
 * patterns match.
 */
function textsAround(source: ts.SourceFile): string[] {
  const ofPatterns: string[][] = []
  const visit = (node: ts.Node): void => {
    const isPattern = ts.isRegularExpressionLiteral(node) && delimiterOf(node) === null
    if (isPattern) ofPatterns.push(samplesOf(node.text))
    ts.forEachChild(node, visit)
  }
  visit(source)
  const delimiters = delimitersIn(source)
  const pairs = delimiters.flatMap((one) =>
    delimiters.flatMap((other) => (one === other ? [] : [one + other]))
  )
  return [
    ...delimiters.map((each) => `x${each}${each}x`),
    ...delimiters.map((each) => `1${each}2${each}0`),
    ...pairs.slice(0, MAX_PAIRS).map((each) => `x${each}x`),
    // One of each pattern first.
    ...[...new Set([0, 1, 2].flatMap((turn) => ofPatterns.flatMap((each) => each[turn] ?? [])))]
      .slice(0, MAX_SAMPLES)
      .flatMap((sample) => [sample, `${sample} x x ${sample}`])
  ].map((text) => JSON.stringify(text))
}

/** The delimiters that the code names. */
export function delimitersIn(source: ts.SourceFile): string[] {
  const found = new Set<string>()
  const visit = (node: ts.Node): void => {
    const delimiter = delimiterOf(node)
    if (delimiter !== null) found.add(delimiter)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return [...found].slice(0, MAX_DELIMITERS)
}

function delimiterOf(node: ts.Node): string | null {
  if (ts.isStringLiteral(node)) return /^[^\w ]{1,3}$/.test(node.text) ? node.text : null
  if (ts.isNumericLiteral(node)) {
    const letter = String.fromCharCode(Number(node.text))
    return /^[!-/:-@[-`{-~]$/.test(letter) ? letter : null
  }
  if (!ts.isRegularExpressionLiteral(node)) return null
  const plain = node.text.slice(1, node.text.lastIndexOf('/')).replace(/\\([^\w\s])/g, '$1')
  return /^[^\w\s\\[\](){}*+?^$|]{1,3}$/.test(plain) ? plain : null
}

const handlesRejections = /\b(?:on|once|addListener|addEventListener)\(\s{0,9}['"]unhandled-?rejection['"]/i

/** Proves that a call throws, answers twice, does not end, or leaves a rejection, at the line of the finding. */
export async function proveFault(kind: FaultKind, given: Case, maxInputs = Infinity): Promise<Proof | null> {
  const { code, module, entries } = given
  if (kind === 'rejection' && handlesRejections.test(code)) return null
  for (const entry of entries) {
    // The callers of a method in its own class may have checked what they pass.
    if (kind !== 'rejection' && code.includes(`this.${entry.name}(`)) continue
    const call = callOf(entry, module)
    for (const input of inputsOf(call, module).slice(0, maxInputs)) {
      for (const mode of faults[kind].modes) {
        const proof = await proveCall(faults[kind], call.render(input), mode, entry, given)
        if (proof !== null) return proof
      }
    }
  }
  return null
}

/** The sandbox ends a run that calls too much outside of it. */
export const hasManyCalls = ({ threw }: Run): boolean => threw === 'Error: too many calls'

/** Proves a fault by one call. */
export async function proveCall(
  fault: Fault,
  text: string,
  mode: Mode,
  entry: Entry,
  given: Case
): Promise<Proof | null> {
  const { code, language, line, module, loaded, marked, confirm } = given
  if (marked === null) return null
  if (fault === faults.again && mode !== 'usual' && (await isForEach(text, given))) return null
  const first = await given.runMarked(text, mode)
  if (first === null || fault.checkOf(first, text) === null) return null
  if (fault.isWithoutEnd === true) {
    const whole = await loaded.run(text, MAX_ENDLESS_WORK, mode)
    if (whole !== null && !hasManyCalls(whole)) return null
  }
  const modes = mode === 'usual' ? (['usual', 'doubtful', 'strict'] as const) : [mode]
  const check = await confirm(text, (again) => fault.checkOf(again, text), modes)
  if (check === null) return null
  return {
    input: shownCall(entry, text),
    observed: `${fault.effect}${conditionOf(mode)}`,
    reproducer: reproducerOf(
      check.kind === 'past-end'
        ? withSomeMarks(module, code, language, line, 'elements')
        : mode.startsWith('failing ')
          ? withSomeMarks(module, code, language, line, 'expressions')
          : module,
      text,
      check,
      fault.effect,
      mode
    ),
    entry_line: lineOf(entry, given)
  }
}

/** Whether the callback is called again where nothing fails: then it is for each of several things. */
async function isForEach(text: string, { loaded }: Case): Promise<boolean> {
  const run = await loaded.run(text)
  return (
    run !== null &&
    answersOf(run, text).some(({ name, answers }) => callbacks.test(name) && answers.length > 1)
  )
}

const responseNames = /^(?:res|resp|response|reply)$/
const answering = /(?:^|[.)])(?:send|json|end|redirect|render|sendStatus|sendFile)$/

/** A callback of the call, or the response, that the finding's line answers and another one answers, too. */
const calledTwice = (run: Run, call: string): string | null =>
  answersOf(run, call).find(
    ({ answers }) => answers.some(({ isHere }) => isHere) && answers.some(({ isHere }) => !isHere)
  )?.name ?? null

/**
 * The first answer of a callback that gets an error and is called again. Handlers of events and timers prove nothing:
 * the stand-ins call each of them.
 */
export function answeredAgain(run: Run, call: string): Run['calls'][number] | null {
  const isOfEvents = run.calls.some(({ path }) =>
    /(?:^|\.)(?:on|once|add\w*Listener|setTimeout|setInterval)$/.test(path)
  )
  if (isOfEvents) return null
  for (const { name, answers } of answersOf(run, call)) {
    const [first] = answers
    const isError = first?.args[0] === '<error>'
    if (isError && answers.length > 1 && callbacks.test(name)) return first
  }
  return null
}

/** How a call answers through each of its callbacks and responses. To pass a request on lets somebody else answer it. */
export function answersOf({ calls }: Run, call: string): Array<{ name: string; answers: Run['calls'] }> {
  const given = [...call.matchAll(/standIn\("([^"]+)"\)/g)].map((match) => match[1]!)
  return given.map((name) => {
    const answers = calls.filter(
      ({ path }) =>
        path === name ||
        (path === 'next' && responseNames.test(name)) ||
        (path.startsWith(name) && /^[.(]/.test(path.slice(name.length)) && answering.test(path))
    )
    const isCallback = answers.some(({ path }) => path === name)
    if (answers.every(({ path }) => path === 'next') && name !== 'next') return { name, answers: [] }
    return { name, answers: isCallback ? answers.filter(({ path }) => path === name) : answers }
  })
}
