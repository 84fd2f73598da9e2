import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import t from 'tap'
import { createBorder } from '../../../src/run/python/border.js'

/** Node has it, its types do not. */
declare const WebAssembly: {
  Module: (new (
    bytes: Uint8Array
  ) => object) & {
    imports: (module: object) => Array<{ module: string; name: string; kind: string }>
  }
}

/** Whoever adds one must be sure that it leads nowhere. */
const ALLOWED = `
  _PyEM_TrampolineCall_JS _Py_CheckEmscriptenSignals_Helper _Py_emscripten_runtime __hiwire_deduplicate_new
  __syscall_faccessat __syscall_fcntl64 __syscall_fstat64 __syscall_getcwd __syscall_getuid32_js __syscall_ioctl
  __syscall_lstat64 __syscall_newfstatat __syscall_openat __syscall_poll __syscall_readlinkat __syscall_stat64
  __syscall_umask_js _emscripten_get_progname _gmtime_js _localtime_js _maybe_poll_async _mktime_js _timegm_js
  _try_fcntl64 _tzset_js clock_res_get clock_time_get emscripten_date_now emscripten_get_heap_max
  emscripten_get_now emscripten_resize_heap environ_get environ_sizes_get fd_close fd_fdstat_get fd_read fd_seek
  fd_write random_get`
  .trim()
  .split(/\s+/)

t.test('WebAssembly can call these functions outside, and any other ends it', async (t) => {
  const path = createRequire(import.meta.url).resolve('pyodide/pyodide.asm.wasm')
  const module = new WebAssembly.Module(readFileSync(path))
  const names = WebAssembly.Module.imports(module)
    .filter(({ kind }) => kind === 'function')
    .map(({ name }) => name)
  const guest = {
    memory: { buffer: new ArrayBuffer(65_536), grow: () => 0 },
    table: { get: () => null },
    spend: () => undefined,
    end: () => {
      ends++
    }
  }
  let ends = 0
  const allowed: string[] = []
  for (const name of names) {
    const border = createBorder(
      () => guest,
      new Uint8Array(),
      () => false
    )
    const { env } = border.imports as { env: Record<string, (...args: unknown[]) => unknown> }
    const before = ends
    try {
      env[name]!(0, 0, 0, 0)
    } catch {
      // The arguments suit few of them.
    }
    if (border.broken() === null) allowed.push(name)
    else t.equal(ends, before + 1, `${name} ends the run`)
  }

  t.strictSame(allowed.toSorted(), ALLOWED.toSorted())
  t.ok(ends > 200)
})
