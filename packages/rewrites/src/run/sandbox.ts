import { openQuickJs } from './metered-quickjs.js'
import { createMachine, startProgram, type Machine } from './program.js'
import { SandboxError, type Sandbox, type WorkBudget } from './program-types.js'
import { isLarge } from './run-kinds.js'

/** A native function, such as a search in an array, takes no steps, so this limit bounds its work. */
const MAX_RUN_WORK = 10_000_000
const MAX_LONG_RUN_WORK = 50_000_000
const MAX_LOAD_WORK = 60_000_000

/**
 * A new sandbox without files, network or clock: jobs cannot affect one another. It is never closed, because
 * interrupted code leaves values behind; its memory is freed as a whole.
 * @param budget counted in WebAssembly instead of time, so that every run ends at the same place
 */
export async function createSandbox(budget: WorkBudget): Promise<Sandbox> {
  const { quickjs, within, workLeft, isStopped } = await openQuickJs(budget)
  let machine: Machine | null = null

  return {
    isStopped,
    start: (script, plan) => {
      const program = within(MAX_LOAD_WORK, () => {
        // Pending promises of another program would run during this one.
        if (machine?.runtime.hasPendingJob() === true) machine = null
        machine ??= createMachine(quickjs)
        return startProgram(machine, script, plan, workLeft)
      })
      if (program === null) throw new SandboxError('loading does not end')
      return {
        loaded: program.loaded,
        has: (target) => within(MAX_LOAD_WORK, () => program.has(target)) === true,
        run: (target, input) =>
          within(isLarge(input.run) ? MAX_LONG_RUN_WORK : MAX_RUN_WORK, () => program.run(target, input)),
        reached: program.reached,
        close: () => {
          if (!isStopped()) within(MAX_LOAD_WORK, program.close)
        }
      }
    }
  }
}
