import { isWasmAbort } from '@filewright/analysis/parsing'
import type { Outcome } from '../plan.js'
import {
  OutOfWorkError,
  SandboxError,
  type Program,
  type Run,
  type Sandbox,
  type WorkBudget
} from '../program-types.js'
import { createMachine, type Machine, type Snapshot } from './machine.js'

/** The harness's analysis of a rewrite. */
export interface PythonPlan {
  /** Top-level functions and classes that the rewrite may have changed. */
  targets: string[]
  /** Private ones that the rewrite no longer has. */
  gone: string[]
  /** Functions and classes that only the rewrite has. */
  added: string[]
  /** Private top-level variables of both versions: only the functions of the code use them. */
  data: string[]
  /** Top-level variables of both versions. */
  state: string[]
  /** Modules of the standard library that the code imports. */
  modules: string[]
  /** The branches of each version that the other one does not have. */
  probes: { before: PythonProbe[]; after: PythonProbe[] }
}

/** One of the two outcomes of a branch. */
export interface PythonProbe {
  /** The harness's number for this outcome. */
  number: number
  /** The top-level function or class. */
  unit: string
  line: number
}

interface Loaded {
  loaded: string
  reached: number[]
}

export interface PythonSandbox extends Sandbox {
  /** Throws `SandboxError` for code that is not Python. */
  plan: (before: string, after: string) => PythonPlan
}

/** The limit of one call of the code: about 50,000 iterations of a loop. */
const MAX_WORK_PER_CALL = 4_000_000n
const MAX_WORK_TO_LOAD = 40_000_000n
/** The limit for importing the standard library, which does not count as the code's work. */
const MAX_WORK_TO_IMPORT = 360_000_000n

interface Prepared {
  modules: string
  snapshot: Snapshot
}

/** One per process: each program begins with the machine's state after startup. */
let machine: Machine | null = null
let fresh: Snapshot | null = null
let prepared: Prepared | null = null
let turn = 0

/**
 * A sandbox without files, network or clock. Programs cannot affect one another: each begins with the memory
 * from before any code ran.
 */
export function createPythonSandbox(budget: WorkBudget): PythonSandbox {
  machine ??= createMachine()
  fresh ??= machine.save()
  const { fuel, interruptAfter, ask, restore, broken } = machine
  const started = fresh
  let left = BigInt(budget.left)

  /** Runs within the remaining work. Python is unusable once it was interrupted. */
  function withinWork(request: readonly unknown[], maxWork = left): unknown {
    fuel.value = left
    interruptAfter(maxWork)
    try {
      const answer = JSON.parse(ask(JSON.stringify(request))) as { value?: unknown; error?: string }
      if (answer.error !== undefined) throw new SandboxError(answer.error)
      return answer.value
    } catch (error) {
      if (broken() !== null) throw new SandboxError(`the code called ${broken()}`)
      // The process's stack overflowed, or WebAssembly trapped. Either one ends the whole check.
      const isEnd = fuel.value < 0n || isWasmAbort(error) || error instanceof RangeError
      if (!isEnd) throw error
      // Where the process's stack overflows depends on its state, so all work counts as used.
      fuel.value = -1n
      throw new OutOfWorkError()
    } finally {
      left = fuel.value
      budget.left = Math.max(0, Number(left))
    }
  }

  function prepare(modules: readonly string[]): Snapshot {
    const key = modules.join(' ')
    if (prepared?.modules === key) return prepared.snapshot
    const paid = left
    left = MAX_WORK_TO_IMPORT
    restore(started)
    withinWork(['import', modules])
    left = paid
    budget.left = Number(paid)
    prepared = { modules: key, snapshot: machine!.save() }
    return prepared.snapshot
  }

  return {
    // Each program gets restored memory.
    isStopped: () => false,
    plan: (before, after) => {
      turn++
      restore(started)
      return withinWork(['plan', before, after]) as PythonPlan
    },
    start: (script, planText): Program => {
      const plan = JSON.parse(planText) as PythonPlan & { before: string }
      const snapshot = prepare(plan.modules)
      restore(snapshot)
      const own = ++turn
      const { loaded, reached } = withinWork(['load', script, plan], MAX_WORK_TO_LOAD) as Loaded
      const call = (request: readonly unknown[]): unknown => {
        if (turn !== own) throw new Error('another program has taken the machine')
        return withinWork(request, MAX_WORK_PER_CALL)
      }
      return {
        loaded,
        reached,
        has: (target) => call(['has', target]) === true,
        run: (target, { run, steps }) => {
          const paid = left
          const outcome = call(['run', target, [run, ...steps.map(({ seed }) => seed)]]) as Outcome &
            Pick<Run, 'reached'>
          return outcome.isLimit
            ? null
            : { ...outcome, work: Number(paid - left), pairs: [], operands: [], seeksObject: false }
        },
        close: () => undefined
      }
    }
  }
}
