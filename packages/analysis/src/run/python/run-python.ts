import { compareRuns, type FunctionRun } from '../compare-runs.js'
import type { RunCheck, RunCheckInput } from '../run-check.js'
import { OutOfWorkError, SandboxError } from '../sandbox.js'
import { createPythonSandbox } from './sandbox.js'

/** For one check: about two seconds of a core. Most checks take a tenth of it. */
const MAX_WORK = 150_000_000

export function runPython(input: RunCheckInput): RunCheck | null {
  const { before, after, mutants = [], maxWork = MAX_WORK } = input
  const sandbox = createPythonSandbox(Math.min(maxWork, MAX_WORK))
  const noticed = mutants.map(() => false)
  let functions: FunctionRun[] = []
  try {
    const plan = sandbox.plan(before, after)
    if (plan.targets.length === 0) return null
    const comparison = compareRuns(
      { plan: JSON.stringify({ ...plan, before }), units: plan.targets, before, after },
      sandbox
    )
    if (comparison === null) return null
    functions = comparison.functions
    if (functions.every(({ isSame }) => isSame)) {
      for (const [index, { start, end, text }] of mutants.entries()) {
        noticed[index] = comparison.notices(before.slice(0, start) + text + before.slice(end))
      }
    }
  } catch (error) {
    // The code needed more than it may have: what was not compared is not vouched for.
    if (!(error instanceof OutOfWorkError || error instanceof SandboxError)) throw error
  }
  return { functions, noticed, work: sandbox.workDone() }
}
