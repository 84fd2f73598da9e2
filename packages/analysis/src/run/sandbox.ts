import variant from '@jitl/quickjs-singlefile-mjs-release-sync'
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSRuntime,
  type QuickJSWASMModule
} from 'quickjs-emscripten-core'
import { createWasmMemory } from '../wasm.js'
import { harness, type Outcome, type Plan } from './harness.js'

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

/** A new machine without files, network or clock: what one job leaves behind reaches no other. */
export async function createSandbox(): Promise<QuickJSWASMModule> {
  const wasmMemory = createWasmMemory({ initial: 256, maximum: MAX_MEMORY_BYTES / PAGE_BYTES })
  return await newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmMemory: wasmMemory as never }))
}

export interface Program {
  /** What the code did while it loaded. */
  loaded: string
  has: (target: number) => boolean
  /** Null where the call does not end by itself. */
  run: (target: number, run: number) => Outcome | null
  close: () => void
}

/** Loads code beside the harness. Throws `SandboxError` for code that cannot be loaded. */
export function startProgram(sandbox: QuickJSWASMModule, script: string, plan: Plan): Program {
  const runtime = sandbox.newRuntime()
  runtime.setMaxStackSize(MAX_STACK_BYTES)
  const context = runtime.newContext()
  let steps = 0
  let limit = STEPS_TO_LOAD
  runtime.setInterruptHandler(() => ++steps > limit)

  function evaluate(text: string): unknown {
    steps = 0
    const result = context.evalCode(text, 'code.js')
    if (result.error !== undefined) {
      const error: unknown = context.dump(result.error)
      result.error.dispose()
      throw new SandboxError(
        typeof error === 'object' && error !== null && 'message' in error
          ? `${String((error as { name?: unknown }).name)}: ${String(error.message)}`
          : String(error)
      )
    }
    const value: unknown = context.dump(result.value)
    result.value.dispose()
    return value
  }

  function drain(): void {
    steps = 0
    const jobs = runtime.executePendingJobs(MAX_JOBS)
    if (jobs.error !== undefined) {
      jobs.error.dispose()
      throw new SandboxError('a job failed')
    }
  }

  function close(): void {
    dispose(context)
    dispose(runtime)
  }

  try {
    evaluate(
      `globalThis.__runHarness = (${harness.toString()})(${JSON.stringify(plan)}, ${script}); undefined`
    )
    const loaded = String(evaluate('__runHarness.load()'))
    drain()
    limit = STEPS_PER_CALL
    return {
      loaded,
      has: (target) => evaluate(`__runHarness.has(${target})`) === true,
      run: (target, run) => {
        try {
          evaluate(`__runHarness.begin(${target}, ${run})`)
          drain()
          for (let tick = 0; tick < MAX_TICKS && evaluate('__runHarness.tick()') === true; tick++) drain()
          const outcome = JSON.parse(String(evaluate('__runHarness.outcome()'))) as Outcome
          // Out of memory or of stack: where that happens is a matter of the machine.
          return /^\w[\w ]* InternalError/.test(outcome.end) ? null : outcome
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

/** The machine is given up with its job: what it did not free goes with it. */
function dispose(part: QuickJSContext | QuickJSRuntime): void {
  try {
    part.dispose()
  } catch {
    /* code that was stopped half way leaves values behind */
  }
}
