import { isWasmAbort } from '@filewright/analysis/parsing'
import { sameOutcome } from './compare-outcomes.js'
import { isLong, SandboxError, type Program, type Run, type Sandbox } from './sandbox.js'

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
}

export interface Comparison {
  functions: FunctionRun[]
  /** Numbers of the probes of each version that were reached by inputs which count. */
  reached: { before: ReadonlySet<number>; after: ReadonlySet<number> }
  /** Whether some input shows that this other version does something else. */
  notices: (script: string) => Promise<boolean>
}

/** How many inputs each function is run with. */
export const RUNS = 200
/** Fewer inputs that the original copes with say nothing. */
const LEAST_INPUTS = 20
/** A function that so often does not come to an end is not run further: nothing is known of it. */
const MAX_ENDLESS = 24

/** A version under way. After a run that did not end, both versions start anew, so that their states agree. */
interface Version {
  loaded: () => string
  has: (target: number) => Promise<boolean>
  run: (target: number, run: number) => Promise<Run | null>
  restart: () => void
  reached: () => ReadonlySet<number>
}

type Recorded = Array<{ unit: string; target: number; outcomes: Array<Run | null>; isComplete: boolean }>

/**
 * Null where the code before cannot be run. Throws `OutOfWorkError`, also in `notices`: what was compared
 * until then proves nothing.
 */
export async function compareRuns(
  { plan, units, before, after }: Versions,
  openSandbox: () => Sandbox | Promise<Sandbox>
): Promise<Comparison | null> {
  let sandbox: Sandbox | null = null

  async function start(script: string): Promise<Version | null> {
    const reached = new Set<number>()
    let program: Program | null = null
    let loaded = ''

    async function load(): Promise<Program> {
      if (sandbox === null || sandbox.isStopped()) sandbox = await openSandbox()
      const started = sandbox.start(script, plan)
      loaded = started.loaded
      for (const probe of started.reached) reached.add(probe)
      return started
    }
    try {
      program = await load()
    } catch (error) {
      if (error instanceof SandboxError) return null
      throw error
    }
    return {
      loaded: () => loaded,
      has: async (target) => (program ??= await load()).has(target),
      run: async (target, run) => {
        const outcome = (program ??= await load()).run(target, run)
        for (const probe of outcome?.reached ?? []) reached.add(probe)
        return outcome
      },
      restart: () => {
        program?.close()
        program = null
      },
      reached: () => reached
    }
  }

  try {
    const old = await start(before)
    if (old === null) return null
    const recorded: Recorded = []
    for (const [target, unit] of units.entries()) {
      recorded.push({ unit, target, ...(await outcomesOf(old, target)) })
    }
    const loaded = old.loaded()
    old.restart()

    const fresh = after === null ? null : await start(after)
    const functions: FunctionRun[] = []
    for (const record of recorded) {
      const run = await compareFunction(record, fresh)
      if (run !== null) functions.push(run)
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

    return {
      functions,
      reached: { before: old.reached(), after: fresh?.reached() ?? new Set() },
      notices: async (script) => {
        try {
          const version = await start(script)
          if (version === null) return false
          let isNoticed = version.loaded() !== loaded
          for (const { target, outcomes } of recorded) {
            if (isNoticed) break
            if (!(await version.has(target))) continue
            isNoticed = (await firstDifference(outcomes, version, target)).difference !== null
          }
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

async function compareFunction(
  { unit, target, outcomes, isComplete }: Recorded[number],
  fresh: Version | null
): Promise<FunctionRun | null> {
  const compared = outcomes.filter(isCompared)
  const inputs = compared.length
  if (!isComplete || inputs < LEAST_INPUTS) return null
  if (fresh === null || !(await fresh.has(target))) {
    return { unit, inputs, isSame: false, difference: 'it cannot be called any more' }
  }
  const { difference, work } = await firstDifference(outcomes, fresh, target)
  if (difference !== null) return { unit, inputs, isSame: false, difference }
  const before = compared.reduce((sum, run) => sum + run.work, 0)
  const isLongCompared = outcomes.some((run, index) => isLong(index) && isCompared(run))
  return { unit, inputs, isSame: true, isLongCompared, work: { before, after: work } }
}

async function outcomesOf(
  version: Version,
  target: number
): Promise<{ outcomes: Array<Run | null>; isComplete: boolean }> {
  const outcomes: Array<Run | null> = []
  let endless = 0
  if (!(await version.has(target))) return { outcomes, isComplete: false }
  while (outcomes.length < RUNS && endless < MAX_ENDLESS) {
    const outcome = await version.run(target, outcomes.length)
    if (outcome === null) {
      endless++
      version.restart()
    }
    outcomes.push(outcome)
  }
  return { outcomes, isComplete: outcomes.length === RUNS }
}

async function firstDifference(
  outcomes: ReadonlyArray<Run | null>,
  version: Version,
  target: number
): Promise<{ difference: string | null; work: number }> {
  let work = 0
  for (const [run, expected] of outcomes.entries()) {
    if (expected === null) {
      version.restart()
      continue
    }
    const actual = await version.run(target, run)
    if (actual === null) {
      version.restart()
      // What the original falls over may take any time.
      if (!isCompared(expected)) continue
      return { difference: 'it does not come to an end', work }
    }
    if (!isCompared(expected)) continue
    work += actual.work
    const difference = sameOutcome(expected, actual)
    if (difference !== null) return { difference, work }
  }
  return { difference: null, work }
}
