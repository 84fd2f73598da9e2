import { argumentsOf, type Arguments } from '../arguments.js'
import { conditionOf, inputsOf } from '../faults.js'
import { lineOf, type Case } from '../case.js'
import type { FoundFault } from '../find-faults.js'
import type { LoadedCode, Run } from '../machine.js'
import { reproducerOf } from '../reproducer.js'
import type { Entry } from '../trace.js'
import { minedIn } from '../../run/mine-literals.js'
import { rngOf } from '../../run/random.js'
import { createShape, toPlain } from '../../run/shape.js'
import { shownOf, textOf, type Attempt, type Step } from './attempts.js'
import { beliefsIn } from './beliefs.js'
import { changeInput } from './change-input.js'
import { signsOf, type Reading, type Sign } from './signs.js'
import { watchedText } from './watched-text.js'
import type { WatchTrace } from './watcher.js'

/** A call that takes longer may not end. */
const MAX_CALL_WORK = 1_000_000
/** Of a function whose calls take more, no other one is made. */
const MAX_CHEAP_WORK = 300_000
const MAX_ENDLESS_WORK = 6_000_000
const MAX_SEEDS = 14
const MAX_PAIRS = 40
/** Calls without a new branch after which nothing new is expected. */
const MAX_STALE = 30
const MAX_GUIDED = 240
const MAX_STEPS = 4
const MAX_CONFIRMED = 8

/** A call that reached something new, and what it compared. */
interface Kept {
  attempt: Attempt
  pairs: WatchTrace['pairs']
}

/** The instrumented code, and the calls that have reached something new in it. */
export interface Explored {
  reading: Reading
  realm: Pick<LoadedCode, 'run'>
  corpus: Kept[]
}

/** Null if the code cannot be instrumented. */
export function startExploring({
  code,
  language,
  module,
  loaded
}: Pick<Case, 'code' | 'language' | 'module' | 'loaded'>): Explored | null {
  try {
    const watched = watchedText(module)
    return {
      reading: { code, language, module, watched, beliefs: beliefsIn(module.source) },
      realm: loaded.withText(watched.text),
      corpus: []
    }
  } catch (error) {
    // Code that is nested too deeply for the stack.
    if (error instanceof RangeError) return null
    throw error
  }
}

interface Seed {
  args: string
  /** Whether declared types allow it, or a client may send it. */
  isDeclared: boolean
}

interface Subject {
  root: Step | null
  entry: Entry
  seeds: Seed[]
}

/**
 * Looks for faults by inputs and sequences of calls that reach new branches. What the code compares becomes a part of
 * the next inputs.
 */
export async function* explore(
  entries: readonly Entry[],
  loaded: LoadedCode,
  { reading, realm, corpus }: Explored,
  caseOf: (line: number) => Case
): AsyncGenerator<FoundFault> {
  const { module, watched } = reading
  const subjects = entries.flatMap((entry) => subjectOf(entry, module))
  const seen = new Set<number>()
  const tried = new Set<string>()
  const shown = new Set<string>()
  const works = new Set<string>()
  let confirmed = 0
  const nameOf = (attempt: Attempt): string => (attempt.steps.at(-1) ?? attempt.root!).entry.access

  const expensive = new Set<string>()

  /** Runs it unless it has been run. Whether it reached something new, and what it shows. */
  async function attempted(attempt: Attempt): Promise<{ isNew: boolean; signs: Sign[]; run: Run | null }> {
    const text = textOf(attempt, true)
    const key = `${attempt.mode} ${text}`
    if (tried.has(key) || expensive.has(nameOf(attempt))) return { isNew: false, signs: [], run: null }
    tried.add(key)
    const run = await realm.run(text, MAX_CALL_WORK, attempt.mode)
    if (run === null || run.work > MAX_CHEAP_WORK) expensive.add(nameOf(attempt))
    if (run?.watch == null) return { isNew: false, signs: [], run }
    if (run.threw === '') works.add(nameOf(attempt))
    const isNew = run.watch.hits.some((hit) => !seen.has(hit))
    for (const hit of run.watch.hits) seen.add(hit)
    if (isNew) corpus.push({ attempt, pairs: run.watch.pairs })
    const signs = signsOf(run, attempt, reading).filter(({ kind, line }) => !shown.has(`${kind} ${line}`))
    return { isNew, signs, run }
  }

  async function* judged(attempt: Attempt): AsyncGenerator<FoundFault, boolean> {
    const { isNew, signs, run } = await attempted(attempt)
    for (const sign of signs) {
      if (confirmed >= MAX_CONFIRMED || isUnusual(sign, attempt)) continue
      confirmed++
      const proof = await proven(await shortened(attempt, sign), sign)
      shown.add(`${sign.kind} ${sign.line}`)
      if (proof !== null) yield { kind: sign.kind, line: sign.line, proof }
    }
    if (isNew && attempt.mode === 'usual' && run !== null && run.calls.length > 0) {
      for (const mode of ['failing', 'late failing', 'failing 1', 'failing 2'] as const) {
        yield* judged({ ...attempt, mode })
      }
    }
    return isNew
  }

  const showsAgain = (run: Run | null, attempt: Attempt, { kind, line }: Sign): boolean =>
    run !== null && signsOf(run, attempt, reading).some((each) => each.kind === kind && each.line === line)

  /** Without the calls that it does not need. */
  async function shortened(attempt: Attempt, sign: Sign): Promise<Attempt> {
    let best = attempt
    for (let at = attempt.steps.length - 2; at >= 0; at--) {
      const fewer = { ...best, steps: best.steps.filter((_, index) => index !== at) }
      const run = await realm.run(textOf(fewer, true), MAX_CALL_WORK, fewer.mode)
      if (showsAgain(run, fewer, sign)) best = fewer
    }
    return best
  }

  async function proven(attempt: Attempt, sign: Sign): Promise<FoundFault['proof'] | null> {
    const text = textOf(attempt)
    const { mode } = attempt
    if (sign.kind === 'endless' && (await loaded.run(text, MAX_ENDLESS_WORK, mode)) !== null) return null
    const fresh = loaded.withText(watched.text)
    for (const each of mode === 'usual' ? (['usual', 'doubtful', 'strict'] as const) : [mode]) {
      if (!showsAgain(await fresh.run(textOf(attempt, true), MAX_CALL_WORK, each), attempt, sign)) return null
    }
    const { entry } = attempt.steps.at(-1) ?? attempt.root!
    return {
      input: shownOf(attempt),
      observed: `${sign.effect}${conditionOf(mode)}`,
      reproducer: reproducerOf(module, text, sign.check, sign.effect, mode),
      entry_line: lineOf(entry, caseOf(sign.line))
    }
  }

  const attempts: Attempt[] = subjects.flatMap(({ root, entry, seeds }) =>
    seeds.map(
      ({ args, isDeclared }): Attempt => ({ root, steps: [{ entry, args }], mode: 'usual', isDeclared })
    )
  )
  for (const attempt of attempts) yield* judged(attempt)
  for (const attempt of pairsOf(subjects).slice(0, MAX_PAIRS)) yield* judged(attempt)

  const random = rngOf(1)
  const pick = <Value>(list: readonly Value[]): Value => list[Math.floor(random() * list.length)]!
  const { texts, numbers } = minedIn(module.source)
  const pool = {
    texts,
    numbers: numbers.filter((each) => Math.abs(each) <= 100),
    mayBeMissing: reading.beliefs.mayBeMissing
  }
  let stale = 0
  for (let turn = 0; turn < MAX_GUIDED && stale < MAX_STALE && corpus.length > 0; turn++) {
    const { attempt, pairs } = pick(corpus)
    const others = subjects.filter(({ root }) => root?.entry.access === attempt.root?.entry.access)
    const next =
      random() < 0.3 && others.length > 0 && attempt.steps.length < MAX_STEPS
        ? withStep(attempt, pick(others), random)
        : withInput(attempt, (args) => changeInput(args, { ...pool, pairs }, random), random)
    stale++
    if (next !== null && (yield* judged({ ...next, mode: 'usual', isDeclared: false }))) stale = 0
  }
}

const optionsName = /^(?:options|opts|config|settings)$/
const MAX_OPTIONS = 8

/** An object with the options that the code reads anywhere, by the kinds that their names suggest. */
function optionsIn(js: string): string {
  const names = [...js.matchAll(/\b(?:options|opts|config|settings)\.([A-Za-z_$][\w$]{0,40})\b(?!\s*\()/g)]
  const parts = [...new Set(names.map((match) => match[1]!))].slice(0, MAX_OPTIONS).map((name) => {
    const [kind] = toPlain(createShape(), name).kinds
    const value = kind === 'number' ? '1' : kind === 'boolean' ? 'true' : kind === 'array' ? '["x"]' : '"x"'
    return `${name}: ${kind === 'function' ? `standIn("${name}")` : value}`
  })
  return `{ ${parts.join(', ')} }`
}

/** The ordinary arguments, and the same with an object of options where nothing is known of that. */
function ordinaryArgs(entry: Entry, own: Arguments, module: Case['module']): string[] {
  const usual = own.render(new Map())
  const names = (/^[^(]{0,80}\(([^)]{0,200})\)/.exec(entry.source)?.[1] ?? '').split(',')
  const last = names.findIndex((name) => optionsName.test(name.trim().replace(/\W.*/s, '')))
  if (last === -1 || last !== names.length - 1) return [usual]
  const others = own.places.length === 0 ? '' : usual.replace(/,?\s*(?:"x"|\{[^{}]*\}|undefined)$/, '')
  const options = optionsIn(module.js)
  if (options === '{  }') return [usual]
  return [usual, others === '' || last === 0 ? options : `${others}, ${options}`]
}

function subjectOf(entry: Entry, module: Case['module']): Subject[] {
  const { before } = entry
  if (before?.before !== undefined || entry.name.startsWith('#')) return []
  // Called as a function, a constructor or a method has no object.
  const isFree = before === undefined && !entry.access.startsWith('new ')
  if (isFree && /\bthis\b/.test(entry.source)) return []
  const own = argumentsOf(entry, module)
  const declared = own.places.flatMap(({ declared }, place) =>
    declared.map((value) => own.render(new Map([[place, value]])))
  )
  const inputs = inputsOf({ ...own, callee: '' }, module).map((input) => own.render(input))
  const all = [...inputs.slice(0, 2), ...declared, ...ordinaryArgs(entry, own, module).slice(1), ...inputs]
  const seeds = [...new Set(all)].slice(0, MAX_SEEDS).map((args) => ({
    args,
    isDeclared: own.isDeclared || declared.includes(args)
  }))
  if (before === undefined) return [{ root: null, entry, seeds }]
  const roots = ordinaryArgs(before, argumentsOf(before, module), module)
  return roots.map((args) => ({ root: { entry: before, args }, entry, seeds }))
}

/** Two calls on one object, or of one module, in each order. */
function pairsOf(subjects: readonly Subject[]): Attempt[] {
  return subjects.flatMap((first) =>
    subjects.flatMap((second): Attempt[] => {
      const isSame =
        first.root?.entry.access === second.root?.entry.access && first.root?.args === second.root?.args
      if (!isSame || [first, second].some(({ entry }) => entry.access.startsWith('new '))) return []
      const calls = (turn: number): Attempt => ({
        root: first.root,
        steps: [first, second].map(({ entry, seeds }, index) => ({
          entry,
          args: (seeds[index * turn] ?? seeds[0])?.args ?? ''
        })),
        mode: 'usual'
      })
      // Once with the same values, and once with others.
      return [calls(0), calls(1)]
    })
  )
}

function withStep(attempt: Attempt, { entry, seeds }: Subject, random: () => number): Attempt | null {
  if (entry.access.startsWith('new ')) return null
  const args = seeds[Math.floor(random() * Math.min(3, seeds.length))]?.args ?? ''
  return { ...attempt, steps: [...attempt.steps, { entry, args }] }
}

function withInput(
  attempt: Attempt,
  change: (args: string) => string | null,
  random: () => number
): Attempt | null {
  const all = [...(attempt.root === null ? [] : [attempt.root]), ...attempt.steps]
  const at = Math.floor(random() * all.length)
  const args = change(all[at]!.args)
  if (args === null) return null
  const changed = all.map((step, index) => (index === at ? { ...step, args } : step))
  return attempt.root === null
    ? { ...attempt, steps: changed }
    : { ...attempt, root: changed[0]!, steps: changed.slice(1) }
}

/** Nobody splits at an empty text, or counts by a negative number. */
const isUnusual = ({ kind }: Sign, attempt: Attempt): boolean =>
  kind === 'endless' && /(?:^|[[(,\s])(?:""|-\d)/.test(textOf(attempt))
