import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** Node has it, its types do not. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports?: object) => { exports: unknown }
  Memory: new (pages: { initial: number; maximum: number }) => object
  RuntimeError: new () => Error
}

/**
 * Compiles a module on its first use; instances are cheap, and a fresh one per call cannot be broken by the
 * call before.
 */
export function lazyModule(specifier: string): (imports?: object) => { exports: unknown } {
  let compiled: object | null = null
  return (imports) => {
    compiled ??= new WebAssembly.Module(readFileSync(createRequire(import.meta.url).resolve(specifier)))
    return new WebAssembly.Instance(compiled, imports)
  }
}

/** Memory that a module is given: it cannot grow beyond the maximum. */
export function createWasmMemory(pages: { initial: number; maximum: number }): object {
  return new WebAssembly.Memory(pages)
}

/** The module has stopped for good, as after a failed assertion. */
export function isWasmAbort(error: unknown): boolean {
  return error instanceof WebAssembly.RuntimeError
}
