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
import { createWasmMemory, lazyModule } from '../wasm.js'
import { codeRealm } from './code-realm.js'
import { freezeRealm } from './freeze-realm.js'
import { harness, type Harness } from './harness.js'
import { createInputs } from './inputs.js'
import { FUEL, meterWasm } from './metered-wasm.js'
import type { Outcome } from './plan.js'
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
const STEPS_TO_LOAD = 50
const MAX_JOBS = 2_000
const MAX_TICKS = 30

export class SandboxError extends Error {
  override readonly name = 'SandboxError'
}

/** The code has used up the work that its sandbox may do, which is of no more use. */
export class OutOfWorkError extends Error {
  override readonly name = 'OutOfWorkError'
}

export interface Program {
  /** What the code did while it loaded. */
  loaded: string
  has: (target: number) => boolean
  /** Null where the call does not end by itself. */
  run: (target: number, run: number) => Outcome | null
  close: () => void
}

export interface Sandbox {
  /**
   * Loads code beside the harness, each in a realm of its own. Throws `SandboxError` for code that cannot be
   * loaded, and `OutOfWorkError` here and in each run when no work is left.
   */
  start: (script: string, plan: string) => Program
  /** Functions that were called and iterations of loops that were run in WebAssembly so far. */
  workDone: () => number
}

/** A runtime with the harness in it. */
interface Machine {
  runtime: QuickJSRuntime
  own: QuickJSContext
  startHarness: QuickJSHandle
  steps: { taken: number; limit: number }
}

const harnessText = `(plan, realm, load) => (${harness.toString()})({
  createInputs: ${createInputs.toString()},
  createShow: ${createShow.toString()},
  createStandIns: ${createStandIns.toString()}
}, plan, realm, load)`

// Its types are those of its CommonJS form, where the variant is a property.
const variant = quickjsVariant as unknown as QuickJSSyncVariant
const meteredModule = lazyModule('@jitl/quickjs-wasmfile-release-sync/wasm', meterWasm)

/**
 * A new sandbox without files, network or clock: what one job leaves behind reaches no other. It is never
 * closed, because code that was stopped half way leaves values behind: it goes with its memory.
 *
 * @param maxWork is counted in WebAssembly and not in time, so that every run ends at the same place.
 */
export async function createSandbox(maxWork: number): Promise<Sandbox> {
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
  // From here on: what the module did to start is the same for everyone.
  counter.value = BigInt(maxWork)
  let machine: Machine | null = null

  /** A module that ran out of work has trapped in the middle of something. */
  function withinWork<Result>(act: () => Result): Result {
    try {
      return act()
    } catch (error) {
      throw counter.value < 0n ? new OutOfWorkError() : error
    }
  }

  return {
    workDone: () => maxWork - Number(counter.value),
    start: (script, plan) =>
      withinWork(() => {
        // Promises of another program that are still under way would run in the time of this one.
        if (machine?.runtime.hasPendingJob() === true) machine = null
        const program = startProgram((machine ??= createMachine(quickjs)), script, plan)
        return {
          loaded: program.loaded,
          has: (target) => withinWork(() => program.has(target)),
          run: (target, run) => withinWork(() => program.run(target, run)),
          close: () => {
            withinWork(program.close)
          }
        }
      })
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

function startProgram({ runtime, own, startHarness, steps }: Machine, script: string, plan: string): Program {
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

    // By its handle and not by a name: no name of the harness can be reached from the code.
    const ask = (method: keyof Harness, ...args: number[]): unknown => {
      steps.taken = 0
      const fn = own.getProp(parts, method)
      const numbers = args.map((each) => own.newNumber(each))
      const result = own.callFunction(fn, own.undefined, numbers)
      for (const each of [fn, ...numbers]) each.dispose()
      const handle = valueOf(own, result)
      const value: unknown = own.dump(handle)
      handle.dispose()
      return value
    }

    const loaded = String(ask('load'))
    drain()
    steps.limit = STEPS_PER_CALL
    return {
      loaded,
      has: (target) => ask('has', target) === true,
      run: (target, run) => {
        try {
          ask('begin', target, run)
          drain()
          for (let tick = 0; tick < MAX_TICKS && ask('tick') === true; tick++) drain()
          const outcome = JSON.parse(String(ask('outcome'))) as Outcome
          return outcome.isLimit ? null : outcome
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
