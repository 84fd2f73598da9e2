import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setFlagsFromString } from 'node:v8'

/** Node has it, its types do not. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports?: object) => { exports: unknown }
}

/**
 * For the whole process, before a module is loaded. V8's optimizing compiler takes ten seconds of a core for Ruff alone, while the process is young and its
 * first callers wait, and what it makes is hardly faster.
 */
export function withoutOptimizing (): void {
  setFlagsFromString('--liftoff-only')
}

/** Compiles a module on its first use; instances are cheap, and a fresh one per call cannot be broken by the call before. */
export function lazyModule (specifier: string): (imports?: object) => { exports: unknown } {
  let compiled: object | null = null
  return (imports) => {
    if (compiled === null) {
      withoutOptimizing()
      compiled = new WebAssembly.Module(readFileSync(createRequire(import.meta.url).resolve(specifier)))
    }
    return new WebAssembly.Instance(compiled, imports)
  }
}
