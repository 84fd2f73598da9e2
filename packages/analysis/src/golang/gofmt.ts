import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { bracketDepth, type Source } from '../text/source.js'
import type { SyntaxResult } from '../types.js'

/** Node has it, its types do not. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object) => { exports: unknown }
}

interface GofmtExports {
  memory: { buffer: ArrayBuffer }
  _initialize (): void
  alloc (size: number): number
  format (): number
  output_ptr (): number
  output_len (): number
}

/** Its stack is small: deeper nesting than this overruns it, and not always with a trap. */
const maxDepth = 60

let compiled: object | null = null

/**
 * Go's own formatter, which reads single functions and statements too. A fresh instance per call, made here rather than by the
 * package's wrapper: after one overrun the shared instance fails for ever.
 */
function run (text: string): { ok: boolean, output: string } {
  compiled ??= new WebAssembly.Module(readFileSync(createRequire(import.meta.url).resolve('@wasm-fmt/gofmt/wasm')))
  const wasm = new WebAssembly.Instance(compiled).exports as GofmtExports
  wasm._initialize()
  const bytes = new TextEncoder().encode(text)
  const at = wasm.alloc(bytes.length)
  new Uint8Array(wasm.memory.buffer, at, bytes.length).set(bytes)
  const result = wasm.format()
  if (result === 0) return { ok: true, output: text }
  const output = new TextDecoder().decode(new Uint8Array(wasm.memory.buffer, wasm.output_ptr(), wasm.output_len()))
  return { ok: result === 1, output }
}

export function formatGo (text: string): string | null {
  if (bracketDepth(text) > maxDepth) return null
  const { ok, output } = run(text)
  return ok ? output : null
}

export function goSyntax ({ text }: Source): SyntaxResult {
  if (bracketDepth(text) > maxDepth) return { ok: 'unknown' }
  const { ok, output } = run(text)
  if (ok) return { ok: true }
  const match = /(\d+):(\d+): (.*)/.exec(output)
  return match === null ? { ok: 'unknown' } : { ok: false, line: Number(match[1]), message: match[3]! }
}
