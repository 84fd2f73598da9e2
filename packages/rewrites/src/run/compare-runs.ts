import { isWasmAbort } from '@filewright/analysis/parsing'
import { sameOutcome } from './compare-outcomes.js'
import { createGuide, type Guide, type Siblings } from './guide.js'
import type { Input, Run, Sandbox } from './program-types.js'
import { isLong } from './run-kinds.js'
import { startVersion, type Version } from './version.js'

export interface FunctionRun {
  /** The unit of the code that it is part of; empty for what happens while the code loads. */
  unit: string
  /** Inputs that both versions were run with. */
  inputs: number
  isSame: boolean
  /** What differs, where something does. */
  difference?: string
  /** Whether long arrays were among the inputs that both versions coped with. */
  isLongCompared?: boolean
  /** What each version did on these inputs, counted in the sandbox's units. */
  work?: { before: number; after: number }
}

export interface Versions {
  /** As JSON: it goes into the sandbox as it is. */
  plan: string
  /** For each target of the plan the unit that it is part of. */
  units: string[]
  before: string
  after: string | null
  /** Absent where inputs are not changed by what others have reached. */
  siblings?: Siblings
}

export interface SandboxDeps {
  openSandbox: () => Sandbox | Promise<Sandbox>
  /** What the check may still do, in the sandbox's units. */
  workLeft: () => number
}

export interface Comparison {
  functions: FunctionRun[]
  /** Whether every function of the plan was compared. */
  isComplete: boolean
  /** Numbers of the probes of each version that were reached by inputs which count. */
  reached: { before: ReadonlySet<number>; after: ReadonlySet<number> }
  /** Whether some input shows that this other version does something else. */
  notices: (script: string) => Promise<boolean>
}

/** How many inputs each function is run with at first. */
export const RUNS = 200
/** After that, inputs that reached something are changed and run: in rounds, so that each builds on the last. */
const ROUNDS = 4
const RUNS_PER_ROUND = 48
/** For all rounds together, and less where the first inputs took much, so that enough stays for mutants. */
const MAX_GUIDED_WORK = 100_000_000
const MAX_WORK_BEFORE_MUTANTS = 350_000_000
/** Fewer inputs that the original copes with say nothing. */
const LEAST_INPUTS = 20
/** A function that so often does not come to an end is not run further: nothing is known of it. */
const MAX_ENDLESS = 24
const MAX_ENDLESS_PER_ROUND = 3
/** After so many, or after so much work, only small values are passed. */
const ENDLESS_BEFORE_TINY = 4
const WORK_BEFORE_TINY = 60_000_000

/** What the original did with the inputs of one round. Each round begins with a program that has just loaded. */
type Recorded = Array<{
  unit: string
  target: number
  outcomes: Array<{ input: Input; run: Run | null }>
  isComplete: boolean
}>

/**
 * Null where the code before cannot be run. Throws `OutOfWorkError`, also in `notices`: what was compared
 * until then proves nothing.
 */
export async function compareRuns(
  { plan, units, before, after, siblings }: Versions,
  { openSandbox, workLeft }: SandboxDeps
): Promise<Comparison | null> {
  let sandbox: Sandbox | null = null
  const open = async (): Promise<Sandbox> => {
    if (sandbox === null || sandbox.isStopped()) sandbox = await openSandbox()
    return sandbox
  }
  const planned = Array.from({ length: RUNS }, (_, run): Input => ({ run, steps: [] }))

  try {
    const whole = workLeft()
    const old = await startVersion(before, plan, open)
    if (old === null) return null
    const first: Recorded = []
    for (const [target, unit] of units.entries()) {
      first.push({ unit, target, ...(await outcomesOf(old, target, planned, MAX_ENDLESS)) })
    }
    const rounds = [first]
    const loaded = old.loaded()
    old.restart()

    const fresh = after === null ? null : await startVersion(after, plan, open)
    const guide =
      siblings === undefined || fresh === null
        ? null
        : createGuide(siblings, (side, probe) => (side === 'before' ? old : fresh).reached.has(probe))
    const functions: FunctionRun[] = []
    const byTarget = new Map<number, FunctionRun>()
    for (const record of first) {
      if (guide !== null) keepAll(guide, record)
      const run = await compareFunction(record, fresh, guide)
      if (run === null) continue
      functions.push(run)
      byTarget.set(record.target, run)
    }
    if (fresh !== null && fresh.loaded() !== loaded) {
      functions.push({
        unit: '',
        inputs: 1,
        isSame: false,
        difference: 'it does something else while it loads'
      })
    }
    fresh?.restart()

    const isSame = (): boolean => functions.length > 0 && functions.every((run) => run.isSame)
    const used = whole - workLeft()
    // It depends on the code alone, not on what other checks have left: the same code has the same inputs.
    const allowed = Math.max(0, Math.min(MAX_GUIDED_WORK, MAX_WORK_BEFORE_MUTANTS - used))
    const count = Math.min(RUNS_PER_ROUND, Math.floor(((allowed / ROUNDS) * RUNS) / used))
    const guided = guide !== null && fresh !== null ? { old, fresh, guide, count } : null
    for (let round = 1; round <= ROUNDS; round++) {
      if (guided !== null && isSame()) rounds.push(await compareRound(guided, round, first, byTarget))
    }

    return {
      functions,
      isComplete: byTarget.size === units.length,
      reached: { before: old.reached, after: fresh?.reached ?? new Set() },
      notices: async (script) => {
        try {
          const version = await startVersion(script, plan, open)
          if (version === null) return false
          const isNoticed = version.loaded() !== loaded || (await showsDifference(rounds, version))
          version.restart()
          return isNoticed
        } catch (error) {
          if (isWasmAbort(error)) return false
          throw error
        }
      }
    }
  } catch (error) {
    if (isWasmAbort(error)) return null
    throw error
  }
}

const isCompared = (run: Run | null): run is Run => run !== null && !run.isCrash && !run.isSpoilt

/**
 * Whether the rewrite copes with something that the original fails on. Which error it throws is of no matter, and
 * neither is what happens to a value of another kind than the code is written for.
 */
const isSilent = (expected: Run, actual: Run): boolean =>
  expected.isCrash &&
  !expected.isSpoilt &&
  expected.isMistyped === false &&
  /^(?:returns|resolves|yields)/.test(actual.end)

const comparedIn = ({ outcomes }: Recorded[number]): Run[] =>
  outcomes.map(({ run }) => run).filter(isCompared)

const workOf = (runs: readonly Run[]): number => runs.reduce((sum, { work }) => sum + work, 0)

function keepAll(guide: Guide, { target, outcomes }: Recorded[number]): void {
  for (const { input, run } of outcomes) if (run !== null) guide.keep(target, input, 'before', run)
}

async function compareFunction(
  record: Recorded[number],
  fresh: Version | null,
  guide: Guide | null
): Promise<FunctionRun | null> {
  const { unit, target, outcomes, isComplete } = record
  const compared = comparedIn(record)
  const inputs = compared.length
  if (!isComplete || inputs < LEAST_INPUTS) return null
  if (fresh === null || !(await fresh.has(target))) {
    return { unit, inputs, isSame: false, difference: 'it cannot be called any more' }
  }
  const { difference, work } = await firstDifference(record, fresh, guide)
  if (difference !== null) return { unit, inputs, isSame: false, difference }
  const isLongCompared = outcomes.some(({ input, run }) => isLong(input.run) && isCompared(run))
  return { unit, inputs, isSame: true, isLongCompared, work: { before: workOf(compared), after: work } }
}

interface Guided {
  old: Version
  fresh: Version
  guide: Guide
  /** Inputs for each function. */
  count: number
}

/** Runs both versions with changed inputs, and adds what they show. */
async function compareRound(
  { old, fresh, guide, count }: Guided,
  round: number,
  first: Recorded,
  byTarget: ReadonlyMap<number, FunctionRun>
): Promise<Recorded> {
  const recorded: Recorded = []
  for (const { target, unit } of first) {
    if (!byTarget.has(target)) continue
    const inputs = guide.next(target, round, count)
    recorded.push({ unit, target, ...(await outcomesOf(old, target, inputs, MAX_ENDLESS_PER_ROUND)) })
  }
  old.restart()
  for (const record of recorded) {
    keepAll(guide, record)
    addRound(byTarget.get(record.target)!, record, await firstDifference(record, fresh, guide))
  }
  fresh.restart()
  return recorded
}

/** Adds what the inputs of a later round showed. */
function addRound(
  run: FunctionRun,
  record: Recorded[number],
  { difference, work }: { difference: string | null; work: number }
): void {
  const compared = comparedIn(record)
  run.inputs += compared.length
  if (run.work !== undefined) {
    run.work.before += workOf(compared)
    run.work.after += work
  }
  if (difference === null) return
  run.isSame = false
  run.difference = difference
}

async function outcomesOf(
  version: Version,
  target: number,
  inputs: readonly Input[],
  maxEndless: number
): Promise<Pick<Recorded[number], 'outcomes' | 'isComplete'>> {
  const outcomes: Recorded[number]['outcomes'] = []
  let endless = 0
  let work = 0
  if (!(await version.has(target))) return { outcomes, isComplete: false }
  for (const each of inputs) {
    if (endless >= maxEndless) break
    const isCostly = endless >= ENDLESS_BEFORE_TINY || work > WORK_BEFORE_TINY
    const input = isCostly ? { ...each, isTiny: true } : each
    const run = await version.run(target, input)
    if (run === null) {
      endless++
      version.restart()
    }
    work += run?.work ?? 0
    outcomes.push({ input, run })
  }
  return { outcomes, isComplete: outcomes.length === inputs.length }
}

async function firstDifference(
  { target, outcomes }: Recorded[number],
  version: Version,
  guide: Guide | null
): Promise<{ difference: string | null; work: number }> {
  let work = 0
  for (const { input, run: expected } of outcomes) {
    if (expected === null) {
      version.restart()
      continue
    }
    const actual = await version.run(target, input)
    if (actual === null) {
      version.restart()
      // What the original falls over may take any time.
      if (!isCompared(expected)) continue
      return { difference: 'it does not come to an end', work }
    }
    guide?.keep(target, input, 'after', actual)
    if (!isCompared(expected)) {
      if (isSilent(expected, actual)) return { difference: `it ${actual.end} instead of failing`, work }
      continue
    }
    if (expected.isMistyped === true && actual.isCrash) continue
    work += actual.work
    const difference = sameOutcome(expected, actual)
    if (difference !== null) return { difference, work }
  }
  return { difference: null, work }
}

/** Whether a version does something else with any of the inputs that the original was run with. */
async function showsDifference(rounds: readonly Recorded[], version: Version): Promise<boolean> {
  for (const recorded of rounds) {
    for (const record of recorded) {
      if (!(await version.has(record.target))) continue
      if ((await firstDifference(record, version, null)).difference !== null) return true
    }
    version.restart()
  }
  return false
}
