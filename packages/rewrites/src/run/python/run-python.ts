import { compareRuns, type Comparison, type FunctionRun } from '../compare-runs.js'
import type { RunCheck, RunCheckInput, Unreached } from '../run-check.js'
import { OutOfWorkError, SandboxError } from '../program-types.js'
import { createPythonSandbox, type PythonPlan } from './sandbox.js'

/** The limit of one check: about two seconds of a core. Most checks use a tenth of it. */
const MAX_WORK = 150_000_000

export async function runPython(input: RunCheckInput): Promise<RunCheck | null> {
  const { before, after, mutants = [], maxWork = MAX_WORK } = input
  const total = Math.min(maxWork, MAX_WORK)
  const budget = { left: total }
  const sandbox = createPythonSandbox(budget)
  const noticed = mutants.map(() => false)
  let functions: FunctionRun[] = []
  let unreached: Unreached[] = []
  try {
    const plan = sandbox.plan(before, after)
    if (plan.targets.length === 0) return null
    const comparison = await compareRuns(
      { plan: JSON.stringify({ ...plan, before, after }), units: plan.targets, before, after },
      { openSandbox: () => sandbox, workLeft: () => budget.left }
    )
    if (comparison === null) return null
    functions = comparison.functions
    unreached = unreachedIn(plan, comparison)
    if (functions.every(({ isSame }) => isSame)) {
      for (const [index, { start, end, texts }] of mutants.entries()) {
        for (const text of texts) {
          noticed[index] ||= await comparison.notices(before.slice(0, start) + text + before.slice(end))
        }
      }
    }
  } catch (error) {
    // The work limit was exceeded. Functions that were not compared are not proven.
    if (!(error instanceof OutOfWorkError || error instanceof SandboxError)) throw error
  }
  return { functions, noticed, unreached, work: total - budget.left }
}

function unreachedIn({ probes }: PythonPlan, { reached }: Comparison): Unreached[] {
  const missing = (side: 'before' | 'after'): Unreached[] =>
    probes[side]
      .filter(({ number }) => !reached[side].has(number))
      .map(({ unit, line }) => ({ unit, what: `a branch in line ${line} of the code ${side}` }))
  return [...missing('before'), ...missing('after')]
}
