import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { lazyModule } from '@filewright/analysis/parsing'
import { FUEL, meterWasm } from '../metered-wasm.js'
import { createBorder, type Guest } from './border.js'
import { STDLIB_PATH } from './files.js'
import { harness } from './harness/index.js'

/** A snapshot of CPython: the parts of its memory that are not zero. */
export type Snapshot = ReadonlyArray<{ at: number; bytes: Uint8Array }>

export interface Machine {
  /** Calls the harness with a method and arguments as JSON. The reply is JSON as well. */
  ask: (request: string) => string
  /** The remaining work. Below zero, the machine stops. */
  fuel: { value: bigint }
  /** Interrupts the code each time it has used this much more work. */
  interruptAfter: (work: bigint) => void
  save: () => Snapshot
  /** Restores that state, even after a trap. */
  restore: (snapshot: Snapshot) => void
  /** The first forbidden import that the code called; null if there was none. */
  broken: () => string | null
}

interface Exports {
  memory: Guest['memory']
  __indirect_function_table: Guest['table']
  __stack_pointer: { value: number }
  Py_EMSCRIPTEN_SIGNAL_HANDLING: { value: number }
  [FUEL]: { value: bigint }
}
type Call = (...args: Array<number | bigint>) => number

const PAGE_BYTES = 65_536
const BYTES_PER_FUEL = 64
/**
 * Python detects the end of its own stack and raises RecursionError. The stack is small, because the
 * process's stack must not end first.
 */
const MAX_STACK_BYTES = 128 * 1024
const UNLIMITED = 2n ** 62n
const ASK = 'ask'

const settings: Record<string, string | number | string[]> = {
  use_hash_seed: 1,
  hash_seed: 0,
  utf8_mode: 1,
  site_import: 0,
  write_bytecode: 0,
  install_signal_handlers: 0,
  module_search_paths_set: 1,
  module_search_paths: [STDLIB_PATH],
  stdlib_dir: STDLIB_PATH,
  home: '/',
  prefix: '/',
  exec_prefix: '/',
  base_prefix: '/',
  base_exec_prefix: '/',
  executable: '',
  base_executable: ''
}

const meteredModule = lazyModule('pyodide/pyodide.asm.wasm', import.meta.url, meterWasm)

/** Starts CPython with the harness in it. Takes about a second. */
export function createMachine(): Machine {
  let allowance = UNLIMITED
  let floor = 0n
  let guest: Guest | null = null
  const border = createBorder(
    () => guest!,
    readFileSync(createRequire(import.meta.url).resolve('pyodide/python_stdlib.zip')),
    () => {
      if (fuel.value >= floor) return false
      floor = fuel.value - allowance
      return true
    }
  )
  const exports = meteredModule(border.imports).exports as Exports & Record<string, Call>
  const { memory, __stack_pointer: stackPointer, [FUEL]: fuel } = exports
  guest = {
    memory,
    table: exports.__indirect_function_table,
    spend: (bytes) => {
      fuel.value -= BigInt(Math.ceil(bytes / BYTES_PER_FUEL))
    },
    end: () => {
      fuel.value = -1n
    }
  }
  const call = (name: string, ...args: Array<number | bigint>): number => exports[name]!(...args)
  const bytesOf = (): Uint8Array => new Uint8Array(memory.buffer)

  /** Copies the text into the guest's memory, with a NUL at its end. */
  function toGuest(text: string): { at: number; length: number } {
    const bytes = Buffer.from(text)
    const at = call('malloc', bytes.length + 1)
    if (at === 0) throw new Error('the sandbox has no memory left')
    bytesOf().set(bytes, at)
    bytesOf()[at + bytes.length] = 0
    return { at, length: bytes.length }
  }

  function start(): void {
    fuel.value = UNLIMITED
    call('emscripten_stack_init')
    const base = call('emscripten_stack_get_base')
    call('emscripten_stack_set_limits', base, base - MAX_STACK_BYTES)
    call('__wasm_call_ctors')
    const config = call('PyInitConfig_Create')
    for (const [name, value] of Object.entries(settings)) configure(config, toGuest(name).at, value)
    if (call('Py_InitializeFromInitConfig', config) !== 0) throw new Error('Python did not start')
    if (call('PyRun_SimpleString', toGuest(harness).at) !== 0) throw new Error('the harness did not start')
    new DataView(memory.buffer).setInt32(exports.Py_EMSCRIPTEN_SIGNAL_HANDLING.value, 1, true)
  }

  function configure(config: number, name: number, value: string | number | string[]): void {
    if (typeof value === 'number') call('PyInitConfig_SetInt', config, name, BigInt(value))
    else if (typeof value === 'string') call('PyInitConfig_SetStr', config, name, toGuest(value).at)
    else {
      const list = call('malloc', 4 * value.length)
      for (const [index, each] of value.entries()) {
        const { at } = toGuest(each)
        new DataView(memory.buffer).setUint32(list + 4 * index, at, true)
      }
      call('PyInitConfig_SetStrList', config, name, value.length, list)
    }
  }

  start()
  const askHarness = call(
    'PyObject_GetAttrString',
    call('PyImport_AddModule', toGuest('__main__').at),
    toGuest(ASK).at
  )
  const sizeAt = call('malloc', 4)
  const stackBase = stackPointer.value

  return {
    fuel,
    interruptAfter: (work) => {
      allowance = work
      floor = fuel.value - work
    },
    broken: border.broken,
    ask: (request) => {
      const { at, length } = toGuest(request)
      const text = call('PyUnicode_FromStringAndSize', at, length)
      call('free', at)
      const answer = text === 0 ? 0 : call('PyObject_CallOneArg', askHarness, text)
      if (answer === 0) throw new Error('the harness failed')
      const start = call('PyUnicode_AsUTF8AndSize', answer, sizeAt)
      const size = new DataView(memory.buffer).getUint32(sizeAt, true)
      const result = Buffer.from(bytesOf().subarray(start, start + size)).toString()
      call('Py_DecRef', answer)
      call('Py_DecRef', text)
      return result
    },
    save: () => {
      const bytes = bytesOf()
      const pages: Array<{ at: number; bytes: Uint8Array }> = []
      for (let at = 0; at < bytes.length; at += PAGE_BYTES) {
        const page = bytes.slice(at, at + PAGE_BYTES)
        if (page.some((byte) => byte !== 0)) pages.push({ at, bytes: page })
      }
      return pages
    },
    restore: (snapshot) => {
      const bytes = bytesOf()
      bytes.fill(0)
      for (const page of snapshot) bytes.set(page.bytes, page.at)
      stackPointer.value = stackBase
      border.reset()
    }
  }
}
