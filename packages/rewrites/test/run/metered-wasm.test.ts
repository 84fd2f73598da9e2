import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import t from 'tap'
import { FUEL, meterWasm } from '../../src/run/metered-wasm.js'

/** Node has it, its types do not. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports?: object) => { exports: Record<string, unknown> }
  RuntimeError: new () => Error
}

interface Exports {
  count: (iterations: number) => number
  fill: (bytes: number) => number
  [FUEL]: { value: bigint }
}

const [I32, END, VOID, LOOP, GET, SET_AND_KEEP] = [0x7f, 0x0b, 0x40, 0x03, 0x20, 0x22]
const section = (id: number, ...body: number[]): number[] => [id, body.length, ...body]
const body = (...code: number[]): number[] => [code.length, ...code]
const nameOf = (text: string): number[] => [text.length, ...Buffer.from(text)]

const header = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]
/** Two functions of one i32 that give one: `count` runs a loop so often, `fill` fills so many bytes. */
const moduleWith = (...countCode: number[]): Uint8Array =>
  Buffer.from([
    ...header,
    ...section(1, 1, 0x60, 1, I32, 1, I32),
    // An imported global comes before the module's own.
    ...section(2, 1, ...nameOf('a'), ...nameOf('g'), 3, I32, 0),
    ...section(3, 2, 0, 0),
    ...section(5, 1, 0, 16),
    ...section(6, 1, I32, 0, 0x41, 7, END),
    ...section(7, 2, ...nameOf('count'), 0, 0, ...nameOf('fill'), 0, 1),
    ...section(
      10,
      2,
      ...body(0, ...countCode, 0x23, 1, END),
      // It has a local of its own already.
      ...body(1, 1, I32, 0x41, 0, 0x41, 1, GET, 0, 0xfc, 0x0b, 0, 0x23, 0, END)
    )
  ])
/** Until n - 1 is 0, with n kept in its place. */
const module = moduleWith(LOOP, VOID, GET, 0, 0x41, 1, 0x6b, SET_AND_KEEP, 0, 0x0d, 0, END)

const start = (bytes: Uint8Array): Exports =>
  new WebAssembly.Instance(new WebAssembly.Module(bytes), { a: { g: 5 } }).exports as unknown as Exports

function costOf(exports: Exports, act: () => unknown): number {
  exports[FUEL].value = 1_000_000_000n
  act()
  return Number(1_000_000_000n - exports[FUEL].value)
}

t.test('a call and an iteration cost one each, filled memory costs by its length', async (t) => {
  const metered = start(meterWasm(module))

  t.equal(metered.count(3), 7, 'it gives what it gave: its own global')
  t.equal(metered.fill(3), 5, 'and the imported one')
  t.equal(
    costOf(metered, () => metered.count(1)),
    2
  )
  t.equal(
    costOf(metered, () => metered.count(5_000)),
    5_001
  )
  t.equal(
    costOf(metered, () => metered.fill(1)),
    1
  )
  t.equal(
    costOf(metered, () => metered.fill(65_536)),
    1 + 65_536 / 64
  )
})

t.test('without fuel the module traps in the middle of a loop', async (t) => {
  const metered = start(meterWasm(module))
  metered[FUEL].value = 100n

  t.throws(() => metered.count(1_000_000), WebAssembly.RuntimeError)
  t.equal(metered[FUEL].value, -1n)
})

t.test('a loop that catches exceptions is counted, and nothing in it can catch the trap', async (t) => {
  const [TRY, CATCH_ALL] = [0x06, 0x19]
  const loop = [LOOP, VOID, GET, 0, 0x41, 1, 0x6b, SET_AND_KEEP, 0, 0x0d, 0, END]
  const metered = start(meterWasm(moduleWith(TRY, VOID, ...loop, CATCH_ALL, END)))

  t.equal(
    costOf(metered, () => metered.count(5_000)),
    5_001
  )
  metered[FUEL].value = 100n
  t.throws(() => metered.count(1_000_000), WebAssembly.RuntimeError)
})

t.test('refuses an unknown instruction, because a loop behind it could be missed', async (t) => {
  t.throws(() => meterWasm(moduleWith(0xfd, 0x0c)), /0xfd is not known/)
  t.throws(() => meterWasm(Buffer.from(header)), /has no globals/)
  t.throws(() => meterWasm(module.subarray(0, module.length - 3)), /ends too early/)
})

t.test('the module of QuickJS can be metered', async (t) => {
  const path = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm')

  t.ok(new WebAssembly.Module(meterWasm(readFileSync(path))))
})

t.test('the module of CPython can be metered', async (t) => {
  const path = createRequire(import.meta.url).resolve('pyodide/pyodide.asm.wasm')

  t.ok(new WebAssembly.Module(meterWasm(readFileSync(path))))
})
