import { setFlagsFromString } from 'node:v8'

/**
 * For the whole process, to be called before a large WebAssembly module is loaded. V8's optimizing compiler takes seconds of a core for one, while the
 * process is young and its first callers wait; what it makes of modules like ours was hardly faster, or not at all, than what the baseline compiler makes.
 */
export function keepWasmUnoptimized (): void {
  setFlagsFromString('--liftoff-only')
}
