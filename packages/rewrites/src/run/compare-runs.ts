import { isWasmAbort } from '@filewright/analysis/parsing'
import { createGuide, type Guide, type Siblings } from './guide.js'
import type { Input, Sandbox } from './program-types.js'
import {
  comparedIn,
  firstDifference,
  isCompared,
  outcomesOf,
  workOf,
  type Recorded,
  type RunLimits
} from './record-runs.js'
import { isLong } from './run-kinds.js'
import { startVersion, type Version } from './version.js'

export interface FunctionRun {
  /** The unit of the code that it belongs to. Empty for the effects of loading the code. */
  unit: string
  /** The number of inputs that both versions were run with. */
  inputs: number
  isSame: boolean
  /** A description of the difference, if there is one. */
  difference?: string
  /** Whether long arrays were among the inputs that both versions handled. */
  isLongCompared?: boolean
  /** What each version did on these inputs, counted in the sandbox's units. */
  work?: { before: number; after: number }
}

export interface Versions {
  /** As JSON: it goes into the sandbox as it is. */
  plan: string
  /** The unit of each target in the plan. */
  units: string[]
  before: string
  after: string | null
  siblings: Siblings
  /** Limits for all guided rounds together, lower if the first inputs took much work. */
  guidedWork: { most: number; beforeMutants: number }
}

export interface SandboxDeps {
  openSandbox: () => Sandbox | Promise<Sandbox>
  /** The remaining work of the check, in the sandbox's units. */
  workLeft: () => number
}

export interface Comparison {
  functions: FunctionRun[]
  /** Whether every function of the plan was compared. */
  isComplete: boolean
  /** Numbers of the probes of each version that relevant inputs reached. */
  reached: { before: ReadonlySet<number>; after: ReadonlySet<number> }
  /**
   * Whether some input shows different behaviour in this other version. `maxInputs` limits the inputs to the
   * first ones.
   */
  notices: (script: string, maxInputs?: number) => Promise<boolean>
}

/** The number of initial inputs for each function. */
export const RUNS = 200
/** Then inputs that reached new code are changed and run again, in rounds that build on one another. */
const ROUNDS = 4
/** There are more rounds while the versions compare different values: some input may show a consequence. */
const MAX_ROUNDS = 6
const RUNS_PER_ROUND = 48
/** With fewer inputs that the original handles, the result means nothing. */
const MIN_INPUTS = 20
const MAX_ENDLESS = 24
const MAX_ENDLESS_PER_ROUND = 3

/**
 * Null if the original cannot be run. Throws `OutOfWorkError`, also in `notices`: an incomplete comparison
 * proves nothing.
 */
export async function compareRuns(
  { plan, units, before, after, siblings, guidedWork }: Versions,
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
    // Each round begins with a freshly loaded program.
    const limits: RunLimits = { maxEndless: MAX_ENDLESS, mayGoOn: () => true }
    const first: Recorded[] = []
    for (const [target, unit] of units.entries()) {
      first.push({ unit, target, ...(await outcomesOf(old, target, planned, limits)) })
    }
    const rounds = [first]
    const loaded = old.loaded()
    old.restart()

    const fresh = after === null ? null : await startVersion(after, plan, open)
    const guide =
      fresh === null
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
    // Depends on the code alone, not on the work that other checks left: the same code gets the same inputs.
    const allowed = Math.max(0, Math.min(guidedWork.most, guidedWork.beforeMutants - used))
    const count = Math.min(RUNS_PER_ROUND, Math.floor(((allowed / MAX_ROUNDS) * RUNS) / used))
    // Changed inputs may take more work than their originals.
    const least = workLeft() - allowed
    const within: RunLimits = { maxEndless: MAX_ENDLESS_PER_ROUND, mayGoOn: () => workLeft() > least }
    const guided = guide !== null && fresh !== null ? { old, fresh, guide, count, limits: within } : null
    for (let round = 1; round <= MAX_ROUNDS; round++) {
      if (round > ROUNDS && guide?.hasDivergent() !== true) break
      if (guided !== null && isSame()) rounds.push(await compareRound(guided, round, first, byTarget))
    }

    return {
      functions,
      isComplete: byTarget.size === units.length,
      reached: { before: old.reached, after: fresh?.reached ?? new Set() },
      notices: async (script, maxInputs = Infinity) => {
        try {
          const version = await startVersion(script, plan, open)
          if (version === null) return false
          const isNoticed = version.loaded() !== loaded || (await showsDifference(rounds, version, maxInputs))
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

function keepAll(guide: Guide, { target, outcomes }: Recorded): void {
  for (const { input, run } of outcomes) if (run !== null) guide.keep(target, input, 'before', run)
}

async function compareFunction(
  record: Recorded,
  fresh: Version | null,
  guide: Guide | null
): Promise<FunctionRun | null> {
  const { unit, target, outcomes, isComplete } = record
  const compared = comparedIn(record)
  const inputs = compared.length
  if (!isComplete || inputs < MIN_INPUTS) return null
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
  limits: RunLimits
}

/** Runs both versions with changed inputs, and adds the results. */
async function compareRound(
  { old, fresh, guide, count, limits }: Guided,
  round: number,
  first: Recorded[],
  byTarget: ReadonlyMap<number, FunctionRun>
): Promise<Recorded[]> {
  const recorded: Recorded[] = []
  for (const { target, unit } of first) {
    if (!byTarget.has(target)) continue
    const inputs = guide.next(target, round, count)
    recorded.push({ unit, target, ...(await outcomesOf(old, target, inputs, limits)) })
  }
  old.restart()
  for (const record of recorded) {
    keepAll(guide, record)
    addRound(byTarget.get(record.target)!, record, await firstDifference(record, fresh, guide))
  }
  fresh.restart()
  return recorded
}

/** Adds the results of a later round. */
function addRound(
  run: FunctionRun,
  record: Recorded,
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

/** Whether a version behaves differently for any of the inputs of the original. */
async function showsDifference(
  rounds: ReadonlyArray<readonly Recorded[]>,
  version: Version,
  maxInputs: number
): Promise<boolean> {
  for (const recorded of maxInputs === Infinity ? rounds : rounds.slice(0, 1)) {
    for (const record of recorded) {
      if (!(await version.has(record.target))) continue
      const some = { ...record, outcomes: record.outcomes.slice(0, maxInputs) }
      if ((await firstDifference(some, version, null)).difference !== null) return true
    }
    version.restart()
  }
  return false
}
