import { createWasmGlobal } from '@filewright/analysis/parsing'
import { createFiles } from './files.js'

/** The parts of the guest module that its imports need. The module is created with these imports. */
export interface Guest {
  memory: { buffer: ArrayBuffer; grow: (pages: number) => number }
  table: { get: (index: number) => ((...args: number[]) => number) | null }
  /** Counts bytes that the host copied as work of the guest. */
  spend: (bytes: number) => void
  /** Ends the guest: its next function call or loop iteration traps. */
  end: () => void
}

export interface Border {
  imports: object
  /** The first forbidden import that the code called; null if there was none. */
  broken: () => string | null
  /** Forgets the state of an earlier program. */
  reset: () => void
}

type Import = (...args: never[]) => unknown

const PAGE_BYTES = 65_536
const MAX_MEMORY_BYTES = 128 * 1024 * 1024
/** The sandbox's clock does not advance: 1 January 2024. */
const NOW_SECONDS = 1_704_067_200
const SIGINT = 2

/**
 * Everything that WebAssembly can call outside. An import that is not listed here ends the run. Pyodide's own
 * JavaScript, which gives access to the host's objects, is never loaded.
 */
export function createBorder(guest: () => Guest, stdlib: Uint8Array, isOverdue: () => boolean): Border {
  let broken: string | null = null
  const view = (): DataView => new DataView(guest().memory.buffer)
  const files = createFiles(
    () => guest().memory.buffer,
    stdlib,
    (bytes) => {
      guest().spend(bytes)
    }
  )

  function grow(size: number): number {
    const { memory } = guest()
    const missing = (size >>> 0) - memory.buffer.byteLength
    if (size >>> 0 > MAX_MEMORY_BYTES) return 0
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES))
    return 1
  }

  function writeTime(seconds: bigint, at: number): void {
    const date = new Date(Number(seconds) * 1000)
    const year = date.getUTCFullYear()
    const dayOfYear = Math.floor((date.getTime() - Date.UTC(year, 0, 1)) / 86_400_000)
    const time = [date.getUTCSeconds(), date.getUTCMinutes(), date.getUTCHours()]
    const day = [date.getUTCDate(), date.getUTCMonth(), year - 1900, date.getUTCDay(), dayOfYear]
    for (const [index, value] of [...time, ...day, 0, 0].entries()) {
      view().setInt32(at + 4 * index, value, true)
    }
  }

  function readTime(at: number): bigint {
    const [seconds = 0, minutes = 0, hours = 0, day = 1, month = 0, years = 70] = [0, 1, 2, 3, 4, 5].map(
      (index) => view().getInt32(at + 4 * index, true)
    )
    const milliseconds = Date.UTC(years + 1900, month, day, hours, minutes, seconds)
    return BigInt(Number.isNaN(milliseconds) ? -1 : Math.floor(milliseconds / 1000))
  }

  const allowed: Record<string, Import> = {
    ...files.imports,
    // C functions whose type differs from the type of the call: JavaScript adds and drops arguments.
    _PyEM_TrampolineCall_JS: (fn: number, self: number, args: number, keywords: number) =>
      guest().table.get(fn)?.(self, args, keywords),
    _Py_CheckEmscriptenSignals_Helper: () => (isOverdue() ? SIGINT : 0),
    _Py_emscripten_runtime: () => 0,
    __hiwire_deduplicate_new: () => null,
    _emscripten_get_progname: (at: number) => {
      view().setUint8(at, 0)
    },
    emscripten_get_heap_max: () => MAX_MEMORY_BYTES,
    emscripten_resize_heap: grow,
    emscripten_date_now: () => NOW_SECONDS * 1000,
    emscripten_get_now: () => 0,
    clock_time_get: (_clock: number, _precision: bigint, at: number) => {
      view().setBigInt64(at, BigInt(NOW_SECONDS) * 1_000_000_000n, true)
      return 0
    },
    clock_res_get: (_clock: number, at: number) => {
      view().setBigInt64(at, 1_000_000n, true)
      return 0
    },
    random_get: (at: number, length: number) => {
      new Uint8Array(guest().memory.buffer, at, length).fill(7)
      guest().spend(length)
      return 0
    },
    environ_sizes_get: (count: number, size: number) => {
      view().setUint32(count, 0, true)
      view().setUint32(size, 0, true)
      return 0
    },
    environ_get: () => 0,
    _tzset_js: () => undefined,
    _localtime_js: writeTime,
    _gmtime_js: writeTime,
    _mktime_js: readTime,
    _timegm_js: readTime
  }

  function refuse(name: string): Import {
    return () => {
      broken ??= name
      guest().end()
      throw new Error(`the sandbox has no ${name}`)
    }
  }

  const own = (name: string): Import =>
    Object.hasOwn(allowed, name) ? (allowed[name] as Import) : refuse(name)
  const functions = new Proxy({}, { get: (_target, name) => own(String(name)) })
  return {
    imports: {
      env: functions,
      wasi_snapshot_preview1: functions,
      // Addresses of functions that exist only in browsers.
      'GOT.func': new Proxy({}, { get: () => createWasmGlobal() })
    },
    broken: () => broken,
    reset: () => {
      broken = null
      files.reset()
    }
  }
}
