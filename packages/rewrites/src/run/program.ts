import type {
  QuickJSContext,
  QuickJSHandle,
  QuickJSRuntime,
  QuickJSWASMModule
} from 'quickjs-emscripten-core'
import { createArguments } from './arguments.js'
import { createChange } from './change-result.js'
import { codeRealm } from './code-realm.js'
import { createCodeTexts } from './code-texts.js'
import { createContainers } from './containers.js'
import { createCopies } from './copies.js'
import { createCoverage, type Coverage } from './coverage.js'
import { createCycles } from './cycles.js'
import { createFreeNames } from './free-names.js'
import { freezeRealm } from './freeze-realm.js'
import { harness } from './harness.js'
import type { Harness, ShownOutcome } from './harness-types.js'
import { createInputs } from './inputs.js'
import { createLook } from './look.js'
import { createModuleView } from './module-view.js'
import { createMutations } from './mutations.js'
import { createPrimitives } from './primitives.js'
import { SandboxError, type Program } from './program-types.js'
import { hashOf, rngOf } from './random.js'
import { isLarge, kindOf } from './run-kinds.js'
import { createSettle } from './settle.js'
import { createShow } from './show.js'
import { createStandIns } from './stand-ins.js'
import { createTimers } from './timers.js'

const MAX_STACK_BYTES = 256 * 1024
/**
 * QuickJS asks about every 10,000 steps whether to continue. Counts steps instead of time, so that every run
 * is the same.
 */
const STEPS_PER_CALL = 20
const STEPS_PER_LONG_CALL = 80
/** The limit of the harness itself, which creates and prints long arrays. */
const STEPS_PER_ANSWER = 1_000
const STEPS_TO_LOAD = 50
const MAX_JOBS = 2_000
const MAX_TICKS = 30

/** A runtime with the harness in it. */
export interface Machine {
  runtime: QuickJSRuntime
  own: QuickJSContext
  startHarness: QuickJSHandle
  steps: { taken: number; limit: number }
}

const harnessText = `(plan, realm, load) => (${harness.toString()})({
  createArguments: ${createArguments.toString()},
  createChange: ${createChange.toString()},
  createCodeTexts: ${createCodeTexts.toString()},
  createContainers: ${createContainers.toString()},
  createCopies: ${createCopies.toString()},
  createCoverage: ${createCoverage.toString()},
  createCycles: ${createCycles.toString()},
  createFreeNames: ${createFreeNames.toString()},
  createInputs: ${createInputs.toString()},
  createLook: ${createLook.toString()},
  createModuleView: ${createModuleView.toString()},
  createMutations: ${createMutations.toString()},
  createPrimitives: ${createPrimitives.toString()},
  createSettle: ${createSettle.toString()},
  createShow: ${createShow.toString()},
  createStandIns: ${createStandIns.toString()},
  createTimers: ${createTimers.toString()},
  hashOf: ${hashOf.toString()},
  rngOf: ${rngOf.toString()}
}, plan, realm, load)`

/**
 * The harness's realm is frozen before the code loads, so the code cannot change the comparison even with an
 * object of that realm.
 */
export function createMachine(quickjs: QuickJSWASMModule): Machine {
  const runtime = quickjs.newRuntime()
  runtime.setMaxStackSize(MAX_STACK_BYTES)
  const steps = { taken: 0, limit: STEPS_TO_LOAD }
  runtime.setInterruptHandler(() => ++steps.taken > steps.limit)
  const own = runtime.newContext()
  valueOf(own, own.evalCode(`(${freezeRealm.toString()})()`)).dispose()
  return { runtime, own, startHarness: valueOf(own, own.evalCode(harnessText)), steps }
}

export function startProgram(
  { runtime, own, startHarness, steps }: Machine,
  script: string,
  plan: string,
  workLeft: () => number
): Program {
  const foreign = runtime.newContext()
  const handles: QuickJSHandle[] = []
  const held = (handle: QuickJSHandle): QuickJSHandle => {
    handles.push(handle)
    return handle
  }
  steps.limit = STEPS_TO_LOAD

  function evaluate(text: string): QuickJSHandle {
    steps.taken = 0
    return held(valueOf(foreign, foreign.evalCode(text, 'code.js')))
  }

  function drain(): void {
    steps.taken = 0
    const jobs = runtime.executePendingJobs(MAX_JOBS)
    if (jobs.error !== undefined) {
      jobs.error.dispose()
      throw new SandboxError('a job failed')
    }
  }

  function close(): void {
    for (const handle of handles) handle.dispose()
    foreign.dispose()
  }

  try {
    const realm = evaluate(`(${codeRealm.toString()})()`)
    const load = evaluate(script)
    const planText = held(own.newString(plan))
    steps.taken = 0
    const parts = held(valueOf(own, own.callFunction(startHarness, own.undefined, planText, realm, load)))

    let isLoaded = false
    let stepsPerCall = STEPS_PER_CALL
    // By its handle, not by a name: the code cannot reach any name of the harness.
    const methods = new Map<keyof Harness, QuickJSHandle>()
    const methodOf = (name: keyof Harness): QuickJSHandle => {
      const method = methods.get(name) ?? held(own.getProp(parts, name))
      methods.set(name, method)
      return method
    }
    const ask = (method: keyof Harness, ...args: Array<number | string>): unknown => {
      steps.taken = 0
      if (isLoaded) steps.limit = method === 'call' || method === 'tick' ? stepsPerCall : STEPS_PER_ANSWER
      const given = args.map((each) => (typeof each === 'number' ? own.newNumber(each) : own.newString(each)))
      const result = own.callFunction(methodOf(method), own.undefined, given)
      for (const each of given) each.dispose()
      const handle = valueOf(own, result)
      const value: unknown = own.dump(handle)
      handle.dispose()
      return value
    }

    /** Settles promises and runs timers. */
    const finishCall = (hasTimers: boolean): void => {
      const hasJobs = runtime.hasPendingJob()
      if (hasJobs) drain()
      if (!hasJobs && !hasTimers) return
      for (let tick = 0; tick < MAX_TICKS && ask('tick') === true; tick++) drain()
    }
    const outcomeNow = (): ShownOutcome | null => {
      const shown = String(ask('outcome'))
      return shown === '' ? null : (JSON.parse(shown) as ShownOutcome)
    }

    const loaded = String(ask('load'))
    drain()
    const { probes: reached } = JSON.parse(String(ask('reached'))) as ReturnType<Coverage['take']>
    isLoaded = true
    return {
      loaded,
      reached,
      has: (target) => ask('has', target) === true,
      run: (target, { run, steps: mutated, isTiny = false, isFilled = false }) => {
        try {
          stepsPerCall = isLarge(run) ? STEPS_PER_LONG_CALL : STEPS_PER_CALL
          const changes = mutated.length === 0 ? '' : JSON.stringify(mutated)
          ask('prepare', target, run, kindOf(run), isTiny ? 1 : 0, isFilled ? 1 : 0, changes)
          const before = workLeft()
          finishCall(ask('call') === true)
          const work = before - workLeft()
          let shown = outcomeNow()
          if (shown === null) {
            // The function was called a second time.
            finishCall(true)
            shown = outcomeNow()!
          }
          const { seen, ...outcome } = shown
          if (outcome.isLimit) return null
          const { probes = [], pairs = [], operands = [], seeksObject = false } = seen ?? {}
          return { ...outcome, work, reached: probes, pairs, operands, seeksObject }
        } catch (error) {
          if (error instanceof SandboxError) return null
          throw error
        }
      },
      close
    }
  } catch (error) {
    close()
    throw error
  }
}

function valueOf(context: QuickJSContext, result: ReturnType<QuickJSContext['evalCode']>): QuickJSHandle {
  if (result.error === undefined) return result.value
  const message = messageOf(context, result.error)
  result.error.dispose()
  throw new SandboxError(message)
}

function messageOf(context: QuickJSContext, error: QuickJSHandle): string {
  const shown: unknown = context.dump(error)
  return typeof shown === 'object' && shown !== null && 'message' in shown
    ? `${String((shown as { name?: unknown }).name)}: ${String(shown.message)}`
    : String(shown)
}
