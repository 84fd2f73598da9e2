import type { Proof } from '@filewright/contracts'
import { callOf, shownCall, type Call } from './calls.js'
import { lineOf, type Case } from './case.js'
import { withElements } from './module-text.js'
import type { Run } from './machine.js'
import type { Mode } from './outside.js'
import { reproducerOf, type Check } from './reproducer.js'

const faultKinds = ['null', 'index', 'throw', 'twice', 'endless', 'rejection'] as const
export type FaultKind = (typeof faultKinds)[number]

export const isFaultKind = (kind: string): kind is FaultKind => faultKinds.some((each) => each === kind)

interface Fault {
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

const faults: Readonly<Record<FaultKind, Fault>> = {
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
  flag: ['false']
} as const
const MAX_INPUTS = 24

function inputsOf({ places }: Call): Array<ReadonlyMap<number, string>> {
  const texts = places.flatMap(({ type }, place) => (type === 'text' ? [place] : []))
  const all: Array<ReadonlyMap<number, string>> = [new Map(texts.map((place) => [place, '"injected"']))]
  for (const [place, { type, isTarget }] of places.entries()) {
    if (!isTarget) for (const value of values[type]) all.push(new Map([[place, value]]))
  }
  return all.slice(0, MAX_INPUTS)
}

/** Proves that a call throws, answers twice, does not end, or leaves a rejection, at the line of the finding. */
export async function proveFault(kind: FaultKind, given: Case): Promise<Proof | null> {
  const { code, language, line, module, loaded, marked, entries, confirm } = given
  const fault = faults[kind]
  if (marked === null) return null
  const { run } = loaded.withText(marked)
  for (const entry of entries) {
    // The callers of a method in its own class may have checked what they pass.
    if (code.includes(`this.${entry.name}(`)) continue
    const call = callOf(entry, module)
    for (const input of inputsOf(call)) {
      const text = call.render(input)
      for (const mode of fault.modes) {
        const first = await run(text, undefined, mode)
        if (first === null || fault.checkOf(first, text) === null) continue
        if (fault.isWithoutEnd && (await loaded.run(text)) !== null) continue
        const modes = mode === 'usual' ? (['usual', 'doubtful', 'strict'] as const) : [mode]
        const check = await confirm(text, (again) => fault.checkOf(again, text), modes)
        if (check === null) continue
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
    }
  }
  return null
}

const answering = /(?:^|[.)])(?:send|json|end|redirect|render|sendStatus|sendFile)$/

/** A callback of the call, or the response, that the finding's line answers and another one answers, too. */
function calledTwice({ calls }: Run, call: string): string | null {
  const given = [...call.matchAll(/standIn\("([^"]+)"\)/g)].map((match) => match[1]!)
  for (const name of given) {
    const answers = calls.filter(
      ({ path }) =>
        path === name ||
        (path.startsWith(name) && /^[.(]/.test(path.slice(name.length)) && answering.test(path))
    )
    const isCallback = answers.some(({ path }) => path === name)
    const own = isCallback ? answers.filter(({ path }) => path === name) : answers
    if (own.some(({ isHere }) => isHere) && own.some(({ isHere }) => !isHere)) return name
  }
  return null
}
