/** The counter's name among the exports: an i64 that goes down, and traps below zero. */
export const FUEL = 'fuel'

const SECTION = { custom: 0, type: 1, import: 2, function: 3, global: 6, export: 7, code: 10 }
const GLOBAL_KIND = 3
const OP = { loop: 0x03, end: 0x0b }

/** Reads the parts of a WebAssembly binary in order. */
function createReader(bytes: Uint8Array, start = 0) {
  let at = start
  const byte = (): number => {
    const value = bytes[at++]
    if (value === undefined) throw new Error('the WebAssembly module ends too early')
    return value
  }
  /** LEB128; signed numbers are only skipped, so their sign does not matter. */
  const number = (): number => {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const next = byte()
      value += (next & 0x7f) * 2 ** shift
      if (next < 0x80) return value
    }
  }
  const skip = (count: number): void => {
    at += count
    if (at > bytes.length) throw new Error('the WebAssembly module ends too early')
  }
  const numbers = (count: number): void => {
    for (let index = 0; index < count; index++) number()
  }
  return { byte, number, numbers, skip, at: () => at, isAtEnd: () => at >= bytes.length }
}

type Reader = ReturnType<typeof createReader>

function leb(value: number): number[] {
  const bytes: number[] = []
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest]
    bytes.push((rest % 128) | 0x80)
  }
}

/**
 * Adds a counter to the module that decreases at the start of every function and of every loop iteration.
 * Between two decrements, a program executes a bounded number of instructions. So the counter measures the
 * work of the module independently of the machine's load, even inside one native function: a power of large
 * integers, a search in an array of four billion holes.
 * Supports the instructions that C compilers emit today. Throws for others, because it could miss a loop.
 */
export function meterWasm(module: Uint8Array): Uint8Array {
  const reader = createReader(module)
  reader.skip(8)
  const parts: Uint8Array[] = [module.subarray(0, 8)]
  let globals = 0
  let fuel = -1
  let parameterCounts: number[] = []
  let typesOfFunctions: number[] = []
  while (!reader.isAtEnd()) {
    const id = reader.byte()
    const size = reader.number()
    const body = module.subarray(reader.at(), reader.at() + size)
    reader.skip(size)
    // Debug names are not needed, and branch hints would point to the wrong places.
    if (id === SECTION.custom) continue
    if (id === SECTION.import) globals += importedGlobals(body)
    if (id === SECTION.type) parameterCounts = entriesOf(body, readParameterCount)
    if (id === SECTION.function) typesOfFunctions = entriesOf(body, (types) => types.number())
    if (id === SECTION.global) {
      fuel = globals + createReader(body).number()
      // A mutable i64 that starts at 2 ** 40, because the module runs its start function before a caller can
      // set it.
      const start = [0x80, 0x80, 0x80, 0x80, 0x80, 0x20]
      parts.push(section(id, withEntry(body, [0x7e, 0x01, 0x42, ...start, OP.end])))
    } else if (id === SECTION.export) {
      const name = Buffer.from(FUEL)
      parts.push(section(id, withEntry(body, [...leb(name.length), ...name, GLOBAL_KIND, ...leb(fuel)])))
    } else if (id === SECTION.code) {
      const parameters = typesOfFunctions.map((type) => parameterCounts[type] ?? 0)
      parts.push(section(id, meterCode(body, fuel, parameters)))
    } else parts.push(section(id, body))
  }
  if (fuel < 0) throw new Error('the WebAssembly module has no globals')
  return Buffer.concat(parts)
}

const section = (id: number, body: Uint8Array): Uint8Array =>
  Buffer.concat([Buffer.from([id, ...leb(body.length)]), body])

/** A vector with one more element at its end. */
function withEntry(body: Uint8Array, entry: readonly number[]): Uint8Array {
  const reader = createReader(body)
  const count = reader.number()
  return Buffer.concat([Buffer.from(leb(count + 1)), body.subarray(reader.at()), Buffer.from(entry)])
}

function entriesOf<Entry>(body: Uint8Array, read: (reader: Reader) => Entry): Entry[] {
  const reader = createReader(body)
  return Array.from({ length: reader.number() }, () => read(reader))
}

function readParameterCount(reader: Reader): number {
  // The form of a function type, then two vectors of value types of one byte each.
  reader.skip(1)
  const count = reader.number()
  reader.skip(count)
  reader.skip(reader.number())
  return count
}

function importedGlobals(body: Uint8Array): number {
  return entriesOf(body, (reader): number => {
    reader.skip(reader.number())
    reader.skip(reader.number())
    const kind = reader.byte()
    // A function has a type, a table an element type before its limits, memory limits alone.
    if (kind === 0) reader.number()
    else if (kind === GLOBAL_KIND) reader.skip(2)
    else {
      if (kind === 1) reader.skip(1)
      reader.numbers(reader.byte() % 2 === 1 ? 2 : 1)
    }
    return kind === GLOBAL_KIND ? 1 : 0
  }).reduce((sum, each) => sum + each, 0)
}

function meterCode(body: Uint8Array, fuel: number, parameters: readonly number[]): Uint8Array {
  const bodies = entriesOf(body, (reader) => {
    const size = reader.number()
    const start = reader.at()
    reader.skip(size)
    return body.subarray(start, start + size)
  })
  const metered = bodies.flatMap((each, index) => {
    const code = meterFunction(each, fuel, parameters[index] ?? 0)
    return [Buffer.from(leb(code.length)), code]
  })
  return Buffer.concat([Buffer.from(leb(bodies.length)), ...metered])
}

/** The number of bytes that cost one unit to copy or fill, as a power of two. */
const BYTES_PER_FUEL_LOG2 = 6

function meterFunction(body: Uint8Array, fuel: number, parameters: number): Uint8Array {
  const index = leb(fuel)
  const reader = createReader(body)
  const groups = reader.number()
  const groupsAt = reader.at()
  let locals = parameters
  for (let left = groups; left > 0; left--) {
    locals += reader.number()
    reader.skip(1)
  }
  const codeAt = reader.at()
  const length = leb(locals)
  // fuel = fuel - 1; if (fuel < 0) trap
  const spendOne = [
    ...[0x23, ...index, 0x42, 0x01, 0x7d, 0x24, ...index],
    ...[0x23, ...index, 0x42, 0x00, 0x53, 0x04, 0x40, 0x00, OP.end]
  ]
  // length = the topmost operand, which stays; fuel = fuel - (length >> BYTES_PER_FUEL_LOG2)
  const spendLength = [
    ...[0x22, ...length, 0x23, ...index, 0x20, ...length, 0xad],
    ...[0x42, BYTES_PER_FUEL_LOG2, 0x88, 0x7d, 0x24, ...index]
  ]
  const parts: Uint8Array[] = [Buffer.from(spendOne)]
  let copied = codeAt
  const insert = (at: number, code: readonly number[]): void => {
    parts.push(body.subarray(copied, at), Buffer.from(code))
    copied = at
  }
  while (!reader.isAtEnd()) {
    const at = reader.at()
    const op = reader.byte()
    const isBulk = skipImmediates(op, reader)
    if (isBulk) insert(at, spendLength)
    if (op === OP.loop) insert(reader.at(), spendOne)
  }
  parts.push(body.subarray(copied))
  // One more group of locals: the length, an i32.
  return Buffer.concat([
    Buffer.from(leb(groups + 1)),
    body.subarray(groupsAt, codeAt),
    Buffer.from([0x01, 0x7f]),
    ...parts
  ])
}

/** Returns whether the instruction copies or fills memory, with the length as its topmost operand. */
function skipImmediates(op: number, reader: Reader): boolean {
  if (op === 0xfc) return skipPrefixed(reader)
  if (op === 0x0e) reader.numbers(reader.number() + 1)
  else if (op === 0x1c) reader.skip(reader.number())
  else if (op === 0x3f || op === 0x40 || op === 0xd0) reader.skip(1)
  else if (op === 0x43) reader.skip(4)
  else if (op === 0x44) reader.skip(8)
  else reader.numbers(numbersOf(op))
  return false
}

const isBetween = (op: number, first: number, last: number): boolean => op >= first && op <= last

function numbersOf(op: number): number {
  // Blocks have a type, constants a value, branches, calls, variables and tables a number.
  if (isBetween(op, 0x02, 0x04) || isBetween(op, 0x41, 0x42) || isBetween(op, 0x20, 0x26)) return 1
  if ([0x0c, 0x0d, 0x10, 0xd2].includes(op)) return 1
  // Exceptions: try has a type, catch and throw a tag, rethrow and delegate a depth.
  if (isBetween(op, 0x06, 0x09) || op === 0x18) return 1
  // Indirect calls name a type and a table, loads and stores an alignment and an offset.
  if (op === 0x11 || isBetween(op, 0x28, 0x3e)) return 2
  const isPlain =
    [0x00, 0x01, 0x05, 0x0b, 0x0f, 0x19, 0x1a, 0x1b, 0xd1].includes(op) || isBetween(op, 0x45, 0xc4)
  if (!isPlain) throw new Error(`the WebAssembly instruction 0x${op.toString(16)} is not known`)
  return 0
}

/** The immediates of instructions with the prefix 0xfc that copy, fill or grow memory and tables. */
const BULK = new Map([
  [8, 2], // memory.init
  [10, 2], // memory.copy
  [11, 1], // memory.fill
  [12, 2], // table.init
  [14, 2], // table.copy
  [15, 1], // table.grow
  [17, 1] // table.fill
])

function skipPrefixed(reader: Reader): boolean {
  const op = reader.number()
  // Conversions that saturate.
  if (op <= 7) return false
  const isDropOrSize = op === 9 || op === 13 || op === 16
  const immediates = isDropOrSize ? 1 : BULK.get(op)
  if (immediates === undefined) throw new Error(`the WebAssembly instruction 0xfc ${op} is not known`)
  reader.numbers(immediates)
  return !isDropOrSize
}
