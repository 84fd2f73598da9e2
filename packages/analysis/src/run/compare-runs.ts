import { isWasmAbort } from '../wasm.js'
import { sameOutcome } from './compare-outcomes.js'
import type { Outcome } from './plan.js'
import { SandboxError, type Program, type Sandbox } from './sandbox.js'

export interface FunctionRun {
  /** The unit of the code that it is part of; empty for what happens while the code loads. */
  unit: string
  /** Inputs that both versions were run with. */
  inputs: number
  isSame: boolean
  /** What differs, where something does. */
  difference?: string
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
  /** Whether some input shows that this other version does something else. */
  notices: (script: string) => boolean
  /** In the sandbox's units, so far. */
  workDone: () => number
}

const RUNS = 200
/** Fewer say nothing. */
const LEAST_INPUTS = 20
/** A function that so often does not come to an end is not run further. */
const MAX_ENDLESS = 6

/**
 * Null where the code before cannot be run. Throws `OutOfWorkError`, also in `notices`: what was compared
 * until then proves nothing.
 */
export function compareRuns({ plan, units, before, after }: Versions, sandbox: Sandbox): Comparison | null {
  function load(script: string): Program | null {
    try {
      return sandbox.start(script, plan)
    } catch (error) {
      if (error instanceof SandboxError) return null
      throw error
    }
  }

  try {
    const old = load(before)
    if (old === null) return null
    const recorded = units.map((unit, target) => ({ unit, target, outcomes: outcomesOf(old, target) }))
    old.close()

    const fresh = after === null ? null : load(after)
    const functions = recorded.flatMap(({ unit, target, outcomes }): FunctionRun[] => {
      const inputs = outcomes.filter((each) => each !== null && !each.isCrash).length
      if (inputs < LEAST_INPUTS) return []
      if (fresh === null || !fresh.has(target)) {
        return [{ unit, inputs, isSame: false, difference: 'it cannot be called any more' }]
      }
      const difference = firstDifference(outcomes, fresh, target)
      return [{ unit, inputs, isSame: difference === null, ...(difference === null ? {} : { difference }) }]
    })
    if (fresh !== null && fresh.loaded !== old.loaded) {
      functions.push({
        unit: '',
        inputs: 1,
        isSame: false,
        difference: 'it does something else while it loads'
      })
    }
    fresh?.close()

    return {
      functions,
      workDone: sandbox.workDone,
      notices: (script) => {
        try {
          const program = load(script)
          if (program === null) return false
          const seen =
            program.loaded !== old.loaded ||
            recorded.some(
              ({ target, outcomes }) =>
                program.has(target) && firstDifference(outcomes, program, target) !== null
            )
          program.close()
          return seen
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

function outcomesOf(program: Program, target: number): Array<Outcome | null> {
  const outcomes: Array<Outcome | null> = []
  let endless = 0
  if (!program.has(target)) return outcomes
  for (let run = 0; run < RUNS && endless < MAX_ENDLESS; run++) {
    const outcome = program.run(target, run)
    if (outcome === null) endless++
    outcomes.push(outcome)
  }
  return outcomes
}

function firstDifference(
  outcomes: ReadonlyArray<Outcome | null>,
  program: Program,
  target: number
): string | null {
  for (const [run, expected] of outcomes.entries()) {
    const actual = program.run(target, run)
    if (expected === null || expected.isCrash) continue
    if (actual === null) return 'it does not come to an end'
    const difference = sameOutcome(expected, actual)
    if (difference !== null) return difference
  }
  return null
}
