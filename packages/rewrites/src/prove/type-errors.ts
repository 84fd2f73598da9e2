import { callOf, type Call } from './calls.js'
import type { Case } from './case.js'
import type { Entry } from './trace.js'
import { faults, proveCall } from './faults.js'
import type { LoadedCode, Run } from './machine.js'
import { thrownAt } from './module-text.js'
import type { FoundFault } from './find-faults.js'

/**
 * How QuickJS says that a value is missing or of another type than the code expects. What comes from outside of the
 * code may be missing here only.
 */
const isTypeError = ({ threw, stack, usesOutside }: Run): boolean =>
  stack !== '' &&
  !usesOutside &&
  /^TypeError: (?:.*\b(?:undefined|null)\b|not a function|.*not iterable|cannot convert (?:to object|bigint))/.test(
    threw
  )

const MAX_VALUES = 16
const MAX_LINE_CHARS = 1_000

/** A call that throws, and the slot that another value of its declared type fills. */
interface Failed {
  text: string
  place: number | null
  /** What fills it; null where that is its ordinary value. */
  value: string | null
  run: Run
}

/**
 * TypeErrors for values that the declared types allow. There must be another such value for which the same call
 * throws none, so that it is this value that the code does not expect.
 */
export async function* findTypeErrors(
  entries: readonly Entry[],
  { code, language, module, loaded }: Pick<Case, 'code' | 'language' | 'module' | 'loaded'>,
  caseOf: (line: number) => Case
): AsyncGenerator<FoundFault> {
  const done = new Set<number>()
  for (const entry of entries) {
    // The callers of a method in its own class may have checked what they pass.
    if (code.includes(`this.${entry.name}(`)) continue
    if (module.overloaded.has(entry.name)) continue
    // Called as a function, a constructor or a method has no object.
    const isFree = entry.before === undefined && !entry.access.startsWith('new ')
    if (isFree && /\bthis\b/.test(entry.source)) continue
    const call = callOf(entry, module)
    for (const { text, run, place, value } of await unexpected(call, loaded)) {
      const line = thrownAt(run, module, code, language)
      if (line === null || done.has(line)) continue
      const isCall = run.threw.endsWith('not a function')
      // What is called may be another value than this one, of which nothing is declared.
      const isSure =
        value === null
          ? call.isDeclared && !isCall
          : !isCall || (call.isDeclared && !/^(?:undefined|null)$/.test(value))
      const name = call.places[place ?? -1]?.name
      // Node.js has methods that the sandbox lacks, so a call proves nothing of a value without a name.
      if (!isSure && (name === undefined || !namesIn(code, line).has(name))) continue
      done.add(line)
      const proof = await proveCall(faults.type, text, 'usual', entry, caseOf(line))
      if (proof !== null) yield { kind: 'type', line, proof }
    }
  }
}

function namesIn(code: string, line: number): Set<string> {
  const text = code.split('\n')[line - 1] ?? ''
  return new Set(text.slice(0, MAX_LINE_CHARS).match(/[\w$]+/g))
}

async function unexpected(call: Call, loaded: LoadedCode): Promise<Failed[]> {
  const attempts = call.places
    .flatMap(({ declared }, place) =>
      declared.map((value) => ({ place, value, text: call.render(new Map([[place, value]])) }))
    )
    .slice(0, MAX_VALUES)
  if (attempts.length === 0 && !call.isDeclared) return []
  const usual = await loaded.run(call.render(new Map()))
  const failed: Failed[] = []
  let working: number | null = null
  for (const attempt of attempts) {
    const run = await loaded.run(attempt.text)
    if (run !== null && isTypeError(run)) failed.push({ ...attempt, run })
    else if (run !== null && call.places[attempt.place]?.isMixed === true) working ??= attempt.place
  }
  if (usual === null) return []
  // An error that the code throws itself is an answer.
  if (!isTypeError(usual)) return usual.threw === '' || call.isDeclared ? failed : []
  // The code expects one kind of the values that its type allows, and the usual value is of another one.
  const usualFailed = { text: call.render(new Map()), place: working, value: null, run: usual }
  return working !== null || call.isDeclared ? [usualFailed] : []
}
