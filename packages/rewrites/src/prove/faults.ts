import ts from 'typescript'
import type { Proof } from '@filewright/contracts'
import { callOf, shownCall, type Call } from './calls.js'
import { lineOf, type Case } from './case.js'
import type { Entry } from './driver.js'
import { withElements, type ModuleText } from './module-text.js'
import type { Run } from './machine.js'
import type { Mode } from './outside.js'
import { reproducerOf, type Check } from './reproducer.js'

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

export const faults: Readonly<Record<FaultKind, Fault>> = {
  null: { modes: ['usual'], checkOf: throws(/\bnull\b|not iterable/), effect: 'it throws a TypeError' },
  throw: {
    modes: ['usual'],
    checkOf: throws(/\b(?:null|undefined)\b|not iterable|read-only|class constructor/i),
    effect: 'it throws a TypeError'
  },
  index: {
    modes: ['usual'],
    checkOf: ({ isPastEnd }) => (isPastEnd ? { kind: 'past-end' } : null),
    effect: 'it reads the element behind the last one'
  },
  twice: {
    modes: ['usual', 'failing'],
    checkOf: (run, call) => {
      const path = calledTwice(run, call)
      return path === null ? null : { kind: 'twice', path }
    },
    effect: 'one call answers twice'
  },
  endless: {
    modes: ['usual'],
    checkOf: ({ isEndless }) => (isEndless ? { kind: 'endless' } : null),
    effect: 'the loop does not end',
    isWithoutEnd: true
  },
  rejection: {
    modes: ['failing', 'usual'],
    checkOf: ({ isRejected }) => (isRejected ? { kind: 'rejection' } : null),
    effect: 'a rejection that nothing handles'
  }
}

/** Values for the slots of a call, beside its usual ones. Types and uses allow them; the first ones are marked. */
const values = {
  text: ['"injected"', '""'],
  list: ['[]'],
  number: ['0', '-1', '3'],
  flag: ['false'],
  whole: []
} as const
const MAX_INPUTS = 24
const MAX_DELIMITERS = 4
/** What does not end by then does not end. */
const MAX_ENDLESS_WORK = 6_000_000

/** Values for the slots of a call, the one with marks first. */
export function inputsOf({ places }: Call, { source }: ModuleText): Array<ReadonlyMap<number, string>> {
  const texts = places.flatMap(({ type }, place) => (type === 'text' ? [place] : []))
  const all: Array<ReadonlyMap<number, string>> = [new Map(texts.map((place) => [place, '"injected"']))]
  for (const [place, { type, isTarget, others }] of places.entries()) {
    if (!isTarget) for (const value of [...values[type], ...others]) all.push(new Map([[place, value]]))
  }
  const anyText = places.flatMap(({ type, isTarget, mayBeText }, place) =>
    (type === 'text' || mayBeText === true) && !isTarget ? [place] : []
  )
  if (anyText.length > 0) {
    const withDelimiters = textsAround(source).map((text) => new Map(anyText.map((place) => [place, text])))
    all.splice(MAX_INPUTS - withDelimiters.length, Infinity, ...withDelimiters)
  }
  return all.slice(0, MAX_INPUTS)
}

/** Strings with the delimiters that the code names, as strings or as codes of characters. */
function textsAround(source: ts.SourceFile): string[] {
  const found = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) && /^[^\w\s]{1,3}$/.test(node.text)) found.add(node.text)
    if (ts.isNumericLiteral(node)) {
      const letter = String.fromCharCode(Number(node.text))
      if (/^[!-/:-@[-`{-~]$/.test(letter)) found.add(letter)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return [...found].slice(0, MAX_DELIMITERS).map((each) => JSON.stringify(`x${each}${each}x`))
}

/** Proves that a call throws, answers twice, does not end, or leaves a rejection, at the line of the finding. */
export async function proveFault(kind: FaultKind, given: Case): Promise<Proof | null> {
  const { code, module, entries } = given
  for (const entry of entries) {
    // The callers of a method in its own class may have checked what they pass.
    if (code.includes(`this.${entry.name}(`)) continue
    const call = callOf(entry, module)
    for (const input of inputsOf(call, module)) {
      for (const mode of faults[kind].modes) {
        const proof = await proveCall(faults[kind], call.render(input), mode, entry, given)
        if (proof !== null) return proof
      }
    }
  }
  return null
}

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
  const first = await given.runMarked(text, mode)
  if (first === null || fault.checkOf(first, text) === null) return null
  if (fault.isWithoutEnd === true && (await loaded.run(text, MAX_ENDLESS_WORK)) !== null) return null
  const modes = mode === 'usual' ? (['usual', 'doubtful', 'strict'] as const) : [mode]
  const check = await confirm(text, (again) => fault.checkOf(again, text), modes)
  if (check === null) return null
  return {
    input: shownCall(entry, text),
    observed: mode === 'failing' ? `${fault.effect} if a call before it fails` : fault.effect,
    reproducer: reproducerOf(
      check.kind === 'past-end' ? withElements(module, code, language, line) : module,
      text,
      check,
      fault.effect,
      mode
    ),
    entry_line: lineOf(entry, given)
  }
}

const answering = /(?:^|[.)])(?:send|json|end|redirect|render|sendStatus|sendFile)$/

/** A callback of the call, or the response, that the finding's line answers and another one answers, too. */
const calledTwice = (run: Run, call: string): string | null =>
  answersOf(run, call).find(
    ({ answers }) => answers.some(({ isHere }) => isHere) && answers.some(({ isHere }) => !isHere)
  )?.name ?? null

/** How a call answers through each of its callbacks and responses. */
export function answersOf({ calls }: Run, call: string): Array<{ name: string; answers: Run['calls'] }> {
  const given = [...call.matchAll(/standIn\("([^"]+)"\)/g)].map((match) => match[1]!)
  return given.map((name) => {
    const answers = calls.filter(
      ({ path }) =>
        path === name ||
        (path.startsWith(name) && /^[.(]/.test(path.slice(name.length)) && answering.test(path))
    )
    const isCallback = answers.some(({ path }) => path === name)
    return { name, answers: isCallback ? answers.filter(({ path }) => path === name) : answers }
  })
}
