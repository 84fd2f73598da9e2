import quickjsVariant from '@jitl/quickjs-wasmfile-release-sync'
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSSyncVariant,
  type QuickJSWASMModule
} from 'quickjs-emscripten-core'
import { createWasmMemory, lazyModule } from '@filewright/analysis/parsing'
import { FUEL, meterWasm } from './metered-wasm.js'
import { OutOfWorkError, type WorkBudget } from './program-types.js'

const PAGE_BYTES = 65_536
/** The memory itself is limited: QuickJS's own limit ignores the contents of large strings and arrays. */
const MAX_MEMORY_BYTES = 128 * 1024 * 1024

// The types describe its CommonJS form, in which the variant is a property.
const variant = quickjsVariant as unknown as QuickJSSyncVariant
const meteredModule = lazyModule('@jitl/quickjs-wasmfile-release-sync/wasm', import.meta.url, meterWasm)

export interface MeteredQuickJs {
  quickjs: QuickJSWASMModule
  /**
   * Null if one step exceeded its work and the module trapped in the middle of it. Throws `OutOfWorkError`
   * when the budget is used up.
   */
  within: <Result>(maxWork: number, act: () => Result) => Result | null
  /** The remaining work of the current step. */
  workLeft: () => number
  /** Whether it was stopped in the middle of a call. It is then unusable. */
  isStopped: () => boolean
}

/** An instance of QuickJS without files, network or clock, whose work is counted in WebAssembly. */
export async function openQuickJs(budget: WorkBudget): Promise<MeteredQuickJs> {
  const wasmMemory = createWasmMemory({ initial: 256, maximum: MAX_MEMORY_BYTES / PAGE_BYTES })
  let fuel: { value: bigint } | undefined
  const quickjs = await newQuickJSWASMModuleFromVariant(
    newVariant(variant, {
      wasmMemory: wasmMemory as never,
      emscriptenModule: {
        // Not declared: where it says why it ended itself.
        ...({ printErr: () => {} } as object),
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
  let isStopped = false

  function within<Result>(maxWork: number, act: () => Result): Result | null {
    const granted = Math.min(maxWork, budget.left)
    counter.value = BigInt(granted)
    try {
      return act()
    } catch (error) {
      // Native functions of QuickJS may exhaust the stack of the process before their own.
      const isStackEnd = error instanceof RangeError
      // QuickJS ends itself when it finds its memory inconsistent.
      const isAborted = error instanceof Error && error.name === 'RuntimeError' && counter.value >= 0n
      if (counter.value >= 0n && !isStackEnd && !isAborted) throw error
      isStopped = true
      if (isStackEnd || isAborted) return null
      if (granted === budget.left) {
        counter.value = 0n
        throw new OutOfWorkError()
      }
      return null
    } finally {
      budget.left -= granted - Math.max(0, Number(counter.value))
    }
  }

  return { quickjs, within, workLeft: () => Number(counter.value), isStopped: () => isStopped }
}
