import type { Language } from '@filewright/contracts'
import { isWasmAbort } from '../wasm.js'
import { sameOutcome } from './compare-outcomes.js'
import type { Outcome } from './harness.js'
import { createSandbox, SandboxError, startProgram, type Program } from './sandbox.js'
import { createReach, planOf, toSandboxScript } from './targets.js'

export interface RunCheckInput {
  before: string
  after: string
  language: Language
  /** Changes of `before` that the inputs should be able to show. */
  mutants?: readonly Mutant[] | undefined
}

/** A deliberate mistake: what the inputs must notice if they are to vouch for its place. */
export interface Mutant {
  start: number
  end: number
  text: string
}

export interface FunctionRun {
  /** The unit of the code that it is part of; empty for what happens while the code loads. */
  unit: string
  /** Inputs that both versions were run with. */
  inputs: number
  isSame: boolean
  /** What differs, where something does. */
  difference?: string
}

export interface RunCheck {
  functions: FunctionRun[]
  /** For each mutant whether some input showed it. */
  noticed: boolean[]
}

const RUNS = 200
/** Fewer say nothing. */
export const LEAST_INPUTS = 20
/** A function that so often does not come to an end is not run further. */
const MAX_ENDLESS = 6
/**
 * Of the processor, for one check: what is not done by then proves nothing, and the process goes on to the
 * next job.
 */
const MAX_CPU_MS = 2_500

export async function runScripts({
  before,
  after,
  language,
  mutants = []
}: RunCheckInput): Promise<RunCheck | null> {
  const { plan, units } = planOf(before, language, createReach(before, after, language))
  if (units.length === 0) return null
  const sandbox = await createSandbox()
  const started = process.cpuUsage()
  const hasTime = (): boolean => {
    const { user, system } = process.cpuUsage(started)
    return (user + system) / 1_000 < MAX_CPU_MS
  }

  function load(code: string): Program | null {
    const script = toSandboxScript(code, language)
    try {
      return script === null ? null : startProgram(sandbox, script, plan)
    } catch (error) {
      if (error instanceof SandboxError) return null
      throw error
    }
  }

  try {
    const old = load(before)
    if (old === null) return null
    const recorded = units.map((unit, target) => ({
      unit,
      target,
      outcomes: hasTime() ? outcomesOf(old, target) : []
    }))
    old.close()

    const fresh = load(after)
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
      noticed: functions.every(({ isSame }) => isSame)
        ? mutants.map((mutant) => hasTime() && isNoticed(mutant))
        : mutants.map(() => false)
    }

    function isNoticed({ start, end, text }: Mutant): boolean {
      const program = load(before.slice(0, start) + text + before.slice(end))
      if (program === null) return false
      const seen =
        program.loaded !== old!.loaded ||
        recorded.some(
          ({ target, outcomes }) => program.has(target) && firstDifference(outcomes, program, target) !== null
        )
      program.close()
      return seen
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
