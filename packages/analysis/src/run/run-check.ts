import type { Language } from '@filewright/contracts'
import { compareRuns, type FunctionRun } from './compare-runs.js'
import { createSandbox, OutOfWorkError } from './sandbox.js'
import { createReach, planOf, toSandboxScript } from './targets.js'

export type { FunctionRun } from './compare-runs.js'

export interface RunCheckInput {
  before: string
  after: string
  language: Language
  /** Changes of `before` that the inputs should be able to show. */
  mutants?: readonly Mutant[] | undefined
  /** What the check may do at most, in the sandbox's units. */
  maxWork?: number | undefined
}

/** A deliberate mistake: what the inputs must notice if they are to vouch for its place. */
export interface Mutant {
  start: number
  end: number
  text: string
}

export interface RunCheck {
  /** Empty where the comparison was not completed: it proves nothing. */
  functions: FunctionRun[]
  /** For each mutant whether some input showed it. */
  noticed: boolean[]
  /** What the check did, in the sandbox's units. */
  work: number
}

/** For one check: takes one to two seconds of an idle core. */
export const MAX_WORK = 400_000_000

export async function runScripts(input: RunCheckInput): Promise<RunCheck | null> {
  const { before, after, language, mutants = [], maxWork = MAX_WORK } = input
  const { plan, units } = planOf(before, language, createReach(before, after, language))
  const script = toSandboxScript(before, language)
  if (units.length === 0 || script === null) return null
  const work = Math.min(maxWork, MAX_WORK)
  const noticed = mutants.map(() => false)
  let functions: FunctionRun[] = []

  try {
    const comparison = compareRuns(
      { plan: JSON.stringify(plan), units, before: script, after: toSandboxScript(after, language) },
      await createSandbox(work)
    )
    if (comparison === null) return null
    functions = comparison.functions
    if (functions.every(({ isSame }) => isSame)) {
      for (const [index, { start, end, text }] of mutants.entries()) {
        const mutant = toSandboxScript(before.slice(0, start) + text + before.slice(end), language)
        noticed[index] = mutant !== null && comparison.notices(mutant)
      }
    }
    return { functions, noticed, work: comparison.workDone() }
  } catch (error) {
    if (!(error instanceof OutOfWorkError)) throw error
    // What was not compared is not vouched for.
    return { functions, noticed, work }
  }
}
