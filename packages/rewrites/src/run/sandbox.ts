import quickjsVariant from '@jitl/quickjs-wasmfile-release-sync'
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
  type QuickJSWASMModule
} from 'quickjs-emscripten-core'
import { createWasmMemory, lazyModule } from '@filewright/analysis/parsing'
import { codeRealm } from './code-realm.js'
import { createCodeTexts } from './code-texts.js'
import { createCopies } from './copies.js'
import { freezeRealm } from './freeze-realm.js'
import { harness, type Harness } from './harness.js'
import { createInputs } from './inputs.js'
import { createLook } from './look.js'
import { FUEL, meterWasm } from './metered-wasm.js'
import type { Outcome } from './plan.js'
import { createPrimitives } from './primitives.js'
import { createShow } from './show.js'
import { createStandIns } from './stand-ins.js'

const PAGE_BYTES = 65_536
/** QuickJS's own limit does not count what large texts and lists hold, so the memory itself ends here. */
const MAX_MEMORY_BYTES = 128 * 1024 * 1024
const MAX_STACK_BYTES = 256 * 1024
/**
 * QuickJS asks about every 10,000 steps whether it should go on. Steps and not time, so that every run is the
 * same.
 */
const STEPS_PER_CALL = 20
const STEPS_PER_LONG_CALL = 80
/** Of the harness alone, which makes and shows long arrays. */
const STEPS_PER_ANSWER = 1_000
const STEPS_TO_LOAD = 50
/** A native function, such as a search in an array, takes no steps: what it may do is bounded by work. */
const MAX_RUN_WORK = 10_000_000
const MAX_LONG_RUN_WORK = 50_000_000
const MAX_LOAD_WORK = 60_000_000
const MAX_JOBS = 2_000
const MAX_TICKS = 30

/** One run in so many has numbers at the edges of what numbers can be. */
const WILD_EVERY = 6
/** One run in so many has long arrays and strings. */
const LONG_EVERY = 200
export const isLong = (run: number): boolean => run % LONG_EVERY === LONG_EVERY - 1

export class SandboxError extends Error {
  override readonly name = 'SandboxError'
}

/** The check has used up all its work. */
export class OutOfWorkError extends Error {
  override readonly name = 'OutOfWorkError'
}

/** What all sandboxes of one check may still do, in the sandbox's units. */
export interface WorkBudget {
  left: number
}

export interface Program {
  /** What the code did while it loaded. */
  loaded: string
  has: (target: number) => boolean
  /** Null where the call does not end by itself. Then the program is of no more use. */
  run: (target: number, run: number) => Run | null
  /** Numbers of the probes that were reached while it loaded. */
  reached: number[]
  close: () => void
}

export interface Run extends Outcome {
  /** What the code did between the call and its end, in the sandbox's units. */
  work: number
  /** Numbers of the probes that no run before it has reached. Empty where the run does not count. */
  reached: number[]
}

export interface Sandbox {
  /**
   * Loads code beside the harness, each in a realm of its own. Throws `SandboxError` for code that cannot be
   * loaded, and `OutOfWorkError` here and in each run when the budget has no work left.
   */
  start: (script: string, plan: string) => Program
  /** Whether it was stopped in the middle of something: then it is of no more use. */
  isStopped: () => boolean
}

/** A runtime with the harness in it. */
interface Machine {
  runtime: QuickJSRuntime
  own: QuickJSContext
  startHarness: QuickJSHandle
  steps: { taken: number; limit: number }
}

const harnessText = `(plan, realm, load) => (${harness.toString()})({
  createCodeTexts: ${createCodeTexts.toString()},
  createCopies: ${createCopies.toString()},
  createInputs: ${createInputs.toString()},
  createLook: ${createLook.toString()},
  createPrimitives: ${createPrimitives.toString()},
  createShow: ${createShow.toString()},
  createStandIns: ${createStandIns.toString()}
}, plan, realm, load)`

// Its types are those of its CommonJS form, where the variant is a property.
const variant = quickjsVariant as unknown as QuickJSSyncVariant
const meteredModule = lazyModule('@jitl/quickjs-wasmfile-release-sync/wasm', import.meta.url, meterWasm)

/**
 * A new sandbox without files, network or clock: what one job leaves behind reaches no other. It is never
 * closed, because code that was stopped half way leaves values behind: it goes with its memory.
 *
 * @param budget is counted in WebAssembly and not in time, so that every run ends at the same place.
 */
export async function createSandbox(budget: WorkBudget): Promise<Sandbox> {
  const wasmMemory = createWasmMemory({ initial: 256, maximum: MAX_MEMORY_BYTES / PAGE_BYTES })
  let fuel: { value: bigint } | undefined
  const quickjs = await newQuickJSWASMModuleFromVariant(
    newVariant(variant, {
      wasmMemory: wasmMemory as never,
      emscriptenModule: {
        instantiateWasm: (imports, onSuccess) => {
          const instance = meteredModule(imports) as { exports: Record<string, never> }
          fuel = instance.exports[FUEL]
          onSuccess(instance as never)
          return instance.exports
        }
      }
    })
  )
  if (fuel === undefined) throw new Error('the sandbox has no counter')
  const counter = fuel
  let machine: Machine | null = null
  let isStopped = false

  /** Null where the work that one step may do was not enough: the module has trapped in the middle of it. */
  function within<Result>(maxWork: number, act: () => Result): Result | null {
    const granted = Math.min(maxWork, budget.left)
    counter.value = BigInt(granted)
    try {
      return act()
    } catch (error) {
      if (counter.value >= 0n) throw error
      isStopped = true
      if (granted === budget.left) {
        counter.value = 0n
        throw new OutOfWorkError()
      }
      return null
    } finally {
      budget.left -= granted - Math.max(0, Number(counter.value))
    }
  }

  return {
    isStopped: () => isStopped,
    start: (script, plan) => {
      const program = within(MAX_LOAD_WORK, () => {
        // Promises of another program that are still under way would run in the time of this one.
        if (machine?.runtime.hasPendingJob() === true) machine = null
        machine ??= createMachine(quickjs)
        return startProgram(machine, script, plan, () => Number(counter.value))
      })
      if (program === null) throw new SandboxError('loading does not end')
      return {
        loaded: program.loaded,
        has: (target) => within(MAX_LOAD_WORK, () => program.has(target)) === true,
        run: (target, run) =>
          within(isLong(run) ? MAX_LONG_RUN_WORK : MAX_RUN_WORK, () => program.run(target, run)),
        reached: program.reached,
        close: () => {
          if (!isStopped) within(MAX_LOAD_WORK, program.close)
        }
      }
    }
  }
}

/**
 * The harness's realm is frozen before any code comes: even an object of it in the hands of the code cannot
 * change how it compares.
 */
function createMachine(quickjs: QuickJSWASMModule): Machine {
  const runtime = quickjs.newRuntime()
  runtime.setMaxStackSize(MAX_STACK_BYTES)
  const steps = { taken: 0, limit: STEPS_TO_LOAD }
  runtime.setInterruptHandler(() => ++steps.taken > steps.limit)
  const own = runtime.newContext()
  valueOf(own, own.evalCode(`(${freezeRealm.toString()})()`)).dispose()
  return { runtime, own, startHarness: valueOf(own, own.evalCode(harnessText)), steps }
}

function startProgram(
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
    // By its handle and not by a name: no name of the harness can be reached from the code.
    const ask = (method: keyof Harness, ...args: number[]): unknown => {
      steps.taken = 0
      if (isLoaded) steps.limit = method === 'call' || method === 'tick' ? stepsPerCall : STEPS_PER_ANSWER
      const fn = own.getProp(parts, method)
      const numbers = args.map((each) => own.newNumber(each))
      const result = own.callFunction(fn, own.undefined, numbers)
      for (const each of [fn, ...numbers]) each.dispose()
      const handle = valueOf(own, result)
      const value: unknown = own.dump(handle)
      handle.dispose()
      return value
    }

    const finishCall = (): void => {
      drain()
      for (let tick = 0; tick < MAX_TICKS && ask('tick') === true; tick++) drain()
    }
    const act = (method: keyof Harness): void => {
      ask(method)
      finishCall()
    }

    const reachedNow = (): number[] => JSON.parse(String(ask('reached'))) as number[]

    const loaded = String(ask('load'))
    drain()
    const reached = reachedNow()
    isLoaded = true
    return {
      loaded,
      reached,
      has: (target) => ask('has', target) === true,
      run: (target, run) => {
        try {
          stepsPerCall = isLong(run) ? STEPS_PER_LONG_CALL : STEPS_PER_CALL
          ask('prepare', target, run, isLong(run) ? 2 : run % WILD_EVERY === 0 ? 1 : 0)
          const before = workLeft()
          act('call')
          const work = before - workLeft()
          if (ask('again') === true) finishCall()
          const outcome = JSON.parse(String(ask('outcome'))) as Outcome
          if (outcome.isLimit) return null
          const isCounted = !outcome.isCrash && !outcome.isSpoilt
          return { ...outcome, work, reached: isCounted ? reachedNow() : [] }
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
