import { compareRuns, type Comparison, type FunctionRun } from '../compare-runs.js'
import type { Siblings } from '../guide.js'
import { withCallers, type Unreached } from '../indirect.js'
import { noticeMutants } from '../notice-mutants.js'
import type { RunCheck, RunCheckInput } from '../run-check.js'
import { OutOfWorkError, SandboxError } from '../program-types.js'
import { createPythonSandbox, type PythonPlan } from './sandbox.js'

/** The limit of one check: about two seconds of a core. Most checks use a tenth of it. */
const MAX_WORK = 150_000_000

/** What remains is for mutants. */
const GUIDED_WORK = { most: 40_000_000, beforeMutants: 90_000_000 }

export async function runPython(input: RunCheckInput): Promise<RunCheck | null> {
  const { before, after, mutants = [], maxWork = MAX_WORK } = input
  const total = Math.min(maxWork, MAX_WORK)
  const budget = { left: total }
  const sandbox = createPythonSandbox(budget)
  const noticed = mutants.map(() => false)
  let functions: FunctionRun[] = []
  let unreached: Unreached[] = []
  let indirect: string[] = []
  try {
    const plan = sandbox.plan(before, after)
    if (plan.targets.length === 0) return null
    const comparison = await compareRuns(
      {
        plan: JSON.stringify({ ...plan, before, after }),
        units: plan.targets,
        before,
        after,
        siblings: siblingsIn(plan),
        guidedWork: GUIDED_WORK
      },
      { openSandbox: () => sandbox, workLeft: () => budget.left }
    )
    if (comparison === null) return null
    functions = comparison.functions
    unreached = withCallers(unreachedIn(plan, comparison), new Set([...plan.gone, ...plan.added]), functions)
    if (comparison.isComplete) indirect = [...plan.gone, ...plan.data]
    if (functions.every(({ isSame }) => isSame)) {
      await noticeMutants(mutants, noticed, async ({ start, end }, text, maxInputs) =>
        comparison.notices(before.slice(0, start) + text + before.slice(end), maxInputs)
      )
    }
  } catch (error) {
    // The work limit was exceeded. Functions that were not compared are not proven.
    if (!(error instanceof OutOfWorkError || error instanceof SandboxError)) throw error
  }
  return { functions, noticed, unreached, indirect, work: total - budget.left }
}

/** The two outcomes of a branch have numbers that differ in the last bit. */
function siblingsIn({ probes }: PythonPlan): Siblings {
  const of = (side: 'before' | 'after'): Map<number, number> =>
    new Map(probes[side].map(({ number }) => [number, number ^ 1]))
  return { before: of('before'), after: of('after') }
}

function unreachedIn({ probes }: PythonPlan, { reached }: Comparison): Unreached[] {
  const missing = (side: 'before' | 'after'): Unreached[] =>
    probes[side]
      .filter(({ number }) => !reached[side].has(number))
      .map(({ unit, line }) => ({ unit, what: `a branch in line ${line} of the code ${side}` }))
  return [...missing('before'), ...missing('after')]
}
