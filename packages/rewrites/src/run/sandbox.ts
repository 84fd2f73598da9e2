import quickjsVariant from '@jitl/quickjs-wasmfile-release-sync'
import { newQuickJSWASMModuleFromVariant, newVariant, type QuickJSSyncVariant } from 'quickjs-emscripten-core'
import { createWasmMemory, lazyModule } from '@filewright/analysis/parsing'
import { FUEL, meterWasm } from './metered-wasm.js'
import { createMachine, startProgram, type Machine } from './program.js'
import { OutOfWorkError, SandboxError, type Sandbox, type WorkBudget } from './program-types.js'
import { isLarge } from './run-kinds.js'

const PAGE_BYTES = 65_536
/** QuickJS's own limit does not count what large texts and lists hold, so the memory itself ends here. */
const MAX_MEMORY_BYTES = 128 * 1024 * 1024
/** A native function, such as a search in an array, takes no steps: what it may do is bounded by work. */
const MAX_RUN_WORK = 10_000_000
const MAX_LONG_RUN_WORK = 50_000_000
const MAX_LOAD_WORK = 60_000_000

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
      // Native functions of QuickJS may end the stack of the process before their own.
      const isStackEnd = error instanceof RangeError
      if (counter.value >= 0n && !isStackEnd) throw error
      isStopped = true
      if (isStackEnd) return null
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
        run: (target, input) =>
          within(isLarge(input.run) ? MAX_LONG_RUN_WORK : MAX_RUN_WORK, () => program.run(target, input)),
        reached: program.reached,
        close: () => {
          if (!isStopped) within(MAX_LOAD_WORK, program.close)
        }
      }
    }
  }
}
