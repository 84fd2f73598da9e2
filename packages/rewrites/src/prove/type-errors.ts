import { callOf, type Call } from './calls.js'
import type { Case } from './case.js'
import type { Entry } from './driver.js'
import { faults, proveCall } from './faults.js'
import type { LoadedCode, Run } from './machine.js'
import { writtenLine, type ModuleText } from './module-text.js'
import type { FoundFault } from './suspects.js'

/** How QuickJS says that a value is missing or of another type than the code expects. */
const isTypeError = ({ threw, stack }: Run): boolean =>
  stack !== '' &&
  /^TypeError: (?:.*\b(?:undefined|null)\b|not a function|.*not iterable|cannot convert to object)/.test(
    threw
  )

const MAX_VALUES = 16
const MAX_LINE_CHARS = 1_000

/** A call that throws, and the slot that another value of its declared type fills. */
interface Failed {
  text: string
  place: number | null
  run: Run
  /** Whether its values are the ordinary ones. */
  isUsual: boolean
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
    const call = callOf(entry, module)
    for (const { text, run, place, isUsual } of await unexpected(call, loaded)) {
      const line = thrownAt(run, module, code, language)
      if (line === null || done.has(line)) continue
      const name = call.places[place ?? -1]?.name
      // What is called may be another value, of which nothing is declared.
      const mayBeOther = isUsual || run.threw.endsWith('not a function')
      if (mayBeOther && name !== undefined && !namesIn(code, line).has(name)) continue
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
      declared.map((value) => ({ place, text: call.render(new Map([[place, value]])) }))
    )
    .slice(0, MAX_VALUES)
  if (attempts.length === 0 && !call.isDeclared) return []
  const usual = await loaded.run(call.render(new Map()))
  const failed: Failed[] = []
  let working: number | null = null
  for (const attempt of attempts) {
    const run = await loaded.run(attempt.text)
    if (run !== null && isTypeError(run)) failed.push({ ...attempt, run, isUsual: false })
    else if (run !== null && call.places[attempt.place]?.isMixed === true) working ??= attempt.place
  }
  if (usual === null) return []
  if (!isTypeError(usual)) return usual.threw === '' ? failed : []
  // The code expects one kind of the values that its type allows, and the usual value is of another one.
  const usualFailed = { text: call.render(new Map()), place: working, run: usual, isUsual: true }
  return working !== null || call.isDeclared ? [usualFailed] : []
}

/** The line of the code; null where something outside it threw. */
function thrownAt(
  { stack }: Run,
  module: ModuleText,
  code: string,
  language: Case['language']
): number | null {
  const [, line, column] = /<input>:(\d+):(\d+)/.exec(stack) ?? []
  // The call itself has one line, and so has the head of the module.
  if (line === undefined || line === '1') return null
  return writtenLine(module, code, language, Number(line) - 1, Number(column))
}
