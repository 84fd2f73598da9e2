import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** Node has it, its types do not. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports?: object) => { exports: unknown }
  Memory: new (pages: { initial: number; maximum: number }) => object
  Global: new (type: { value: string; mutable: boolean }, value: number) => object
  RuntimeError: new () => Error
}

/**
 * Compiles a module on its first use; instances are cheap, and a fresh one per call cannot be broken by the
 * call before. `from` is the URL of the file that asks for it: each package has its own dependencies.
 */
export function lazyModule(
  specifier: string,
  from: string,
  transform: (bytes: Uint8Array) => Uint8Array = (bytes) => bytes
): (imports?: object) => { exports: unknown } {
  let compiled: object | null = null
  return (imports) => {
    const path = (): string => createRequire(from).resolve(specifier)
    compiled ??= new WebAssembly.Module(transform(readFileSync(path())))
    return new WebAssembly.Instance(compiled, imports)
  }
}

/** Memory that a module is given: it cannot grow beyond the maximum. */
export function createWasmMemory(pages: { initial: number; maximum: number }): object {
  return new WebAssembly.Memory(pages)
}

/** A number that a module and its host share. */
export function createWasmGlobal(): object {
  return new WebAssembly.Global({ value: 'i32', mutable: true }, 0)
}

/** The module has stopped for good, as after a failed assertion. */
export function isWasmAbort(error: unknown): boolean {
  return error instanceof WebAssembly.RuntimeError
}
