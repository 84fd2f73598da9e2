import { nestingOf } from '../../text/nesting.js'
import type { Source } from '../../text/source.js'
import type { SyntaxResult } from '../../types.js'
import { lazyModule } from '../../wasm.js'

interface GofmtExports {
  memory: { buffer: ArrayBuffer }
  _initialize(): void
  alloc(size: number): number
  format(): number
  output_ptr(): number
  output_len(): number
}

/** Its stack is small: deeper nesting than this overruns it, and not always with a trap. */
const maxDepth = 60

const instantiate = lazyModule('@wasm-fmt/gofmt/wasm', import.meta.url)

/**
 * Go's own formatter, which reads single functions and statements too. A fresh instance per call, made here
 * rather than by the package's wrapper: after one overrun the shared instance fails for ever.
 */
function run(text: string): { ok: boolean; output: string } {
  if (last?.text === text) return last.result
  const wasm = instantiate().exports as GofmtExports
  wasm._initialize()
  const bytes = new TextEncoder().encode(text)
  const at = wasm.alloc(bytes.length)
  new Uint8Array(wasm.memory.buffer, at, bytes.length).set(bytes)
  const result = wasm.format()
  if (result === 0) return remember(text, { ok: true, output: text })
  const output = new TextDecoder().decode(
    new Uint8Array(wasm.memory.buffer, wasm.output_ptr(), wasm.output_len())
  )
  return remember(text, { ok: result === 1, output })
}

/** Syntax and formatting are asked for one after the other. */
let last: { text: string; result: { ok: boolean; output: string } } | null = null

function remember(text: string, result: { ok: boolean; output: string }): { ok: boolean; output: string } {
  last = { text, result }
  return result
}

/** A trap is no answer, and harms only the instance that is thrown away anyhow. */
function attempt(text: string): { ok: boolean; output: string } | null {
  if (nestingOf(text, 'go').brackets > maxDepth) return null
  try {
    return run(text)
  } catch {
    return null
  }
}

/** Null for what does not parse, and where the formatter gives up. */
export function formatGo(text: string): string | null {
  const result = attempt(text)
  return result?.ok === true ? result.output : null
}

export function goSyntax({ text }: Source): SyntaxResult {
  const result = attempt(text)
  if (result === null) return { ok: 'unknown' }
  const { ok, output } = result
  if (ok) return { ok: true }
  const match = /(\d+):(\d+): (.*)/.exec(output)
  return match === null ? { ok: 'unknown' } : { ok: false, line: Number(match[1]), message: match[3]! }
}
