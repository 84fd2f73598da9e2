import type { FoundKind } from '@filewright/analysis/results'
import type { Proof } from '@filewright/contracts'
import { anything } from './arguments.js'
import { callOf } from './calls.js'
import type { Case } from './case.js'
import type { Entry } from './trace.js'
import {
  answeredAgain,
  answersOf,
  faults,
  hasManyCalls,
  inputsOf,
  proveCall,
  proveFault,
  type Fault
} from './faults.js'
import type { LoadedCode, Run } from './machine.js'
import { thrownAt, type ModuleText } from './module-text.js'
import type { Mode } from './outside.js'
import type { Suspect } from './suspects.js'

/** A fault that no rule reports, and that happened. */
export interface FoundFault {
  kind: FoundKind
  line: number
  proof: Proof
}

const MAX_TRIED = 6
/** Few rejections depend on the input: it is a call that fails. */
const maxInputs = { index: Infinity, rejection: 6 }
/** A call that takes longer may not end. */
const MAX_CALL_WORK = 1_500_000

/** One call, and what it showed without marks. */
interface Sign {
  kind: Suspect['kind']
  entry: Entry
  text: string
  mode: Mode
  run: Run | null
}

/**
 * Calls the entry points with the inputs for faults. Where one shows a fault, it is looked for at the suspected
 * lines. What cannot be proven there is not reported.
 */
export async function* findFaults(
  suspects: readonly Suspect[],
  entries: readonly Entry[],
  { code, language, module, loaded }: Pick<Case, 'code' | 'language' | 'module' | 'loaded'>,
  caseOf: (line: number) => Case
): AsyncGenerator<FoundFault> {
  const done = new Set<number>()
  for (const { kind, line } of suspects) {
    if (kind !== 'index' && kind !== 'rejection') continue
    const proof = await proveFault(kind, caseOf(line), maxInputs[kind])
    if (proof === null) continue
    done.add(line)
    yield { kind, line, proof }
  }
  const kinds = new Set(suspects.map(({ kind }) => kind))
  const cases = new Map<number, Case>()
  for (const entry of entries) {
    if (code.includes(`this.${entry.name}(`)) continue
    const tried = new Map<string, number>()
    for await (const sign of signsOf(entry, module, loaded, kinds)) {
      const key = `${sign.kind} ${sign.mode}`
      const count = tried.get(key) ?? 0
      tried.set(key, count + 1)
      if (count >= 2) continue
      const thrown =
        sign.kind === 'null' && sign.run !== null ? thrownAt(sign.run, module, code, language) : null
      const near = suspects
        .filter(({ kind }) => kind === sign.kind)
        .sort((a, b) => Number(b.line === thrown) - Number(a.line === thrown))
        .slice(0, MAX_TRIED)
      for (const { kind, line } of near) {
        if (done.has(line)) continue
        const given = cases.get(line) ?? caseOf(line)
        cases.set(line, given)
        const proof = await proveCall(faults[kind], sign.text, sign.mode, entry, given)
        if (proof === null) continue
        done.add(line)
        yield { kind: kind === 'again' ? 'twice' : kind, line, proof }
        break
      }
    }
  }
}

const modes: readonly Mode[] = ['usual', 'failing', 'throwing']
/** Nobody splits at an empty text, counts by a negative number, or passes a list where nothing asks for one. */
const unusual = new Set(['""', '-1', ...anything])
/** Each of the first calls of a run may be the one that fails. */
const everyMode: readonly Mode[] = [
  ...modes,
  ...([1, 2, 3, 4, 5, 6] as const).map((call) => `failing ${call}` as const)
]

async function* signsOf(
  entry: Entry,
  module: ModuleText,
  loaded: LoadedCode,
  kinds: ReadonlySet<Suspect['kind']>
): AsyncGenerator<Sign> {
  const call = callOf(entry, module)
  const late: Mode[] = kinds.has('again') ? ['late failing'] : []
  let isNew = true
  for (const input of inputsOf(call, module)) {
    const text = call.render(input)
    const isFirst = isNew
    isNew = false
    for (const mode of [...(isFirst ? everyMode : modes), ...late]) {
      const isOfFiles = mode === 'failing' && kinds.has('endless') && module.js.includes('Sync(')
      if (mode !== 'usual' && !kinds.has('twice') && !kinds.has('again') && !isOfFiles) continue
      const run = await loaded.run(text, MAX_CALL_WORK, mode)
      const sign = { entry, text, mode, run }
      if (run === null || (kinds.has('endless') && hasManyCalls(run))) {
        if ([...input.values()].some((value) => unusual.has(value))) break
        if ((mode === 'usual' || isOfFiles) && kinds.has('endless')) yield { ...sign, kind: 'endless' }
        // Other inputs would take as long.
        return
      }
      if (mode === 'usual' && kinds.has('null') && faultShown(run, faults.null)) {
        yield { ...sign, kind: 'null' }
      }
      if (kinds.has('twice') && answersOf(run, text).some(({ answers }) => answers.length > 1)) {
        yield { ...sign, kind: 'twice' }
      }
      if (kinds.has('again') && answeredAgain(run, text) !== null) yield { ...sign, kind: 'again' }
    }
  }
}

/** Without marks, whether the call threw like that anywhere. */
const faultShown = (run: Run, fault: Fault): boolean =>
  fault.checkOf({ ...run, isThrownHere: true }, '') !== null
