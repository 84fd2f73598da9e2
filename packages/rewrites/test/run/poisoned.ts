/** The name, and code before that a wrong rewrite of it would get past a comparison in the same realm. */
export interface PoisonedPair {
  what: string
  before: string
  after: string
}

/**
 * A poison, and what a function gives: each pair changes the language so that the right and the wrong result
 * look the same to whoever looks with the same language.
 */
const poisons: Array<[what: string, poison: string, right?: string, wrong?: string]> = [
  ['String', 'globalThis.String = () => "same"'],
  ['String by its key', 'globalThis["Str" + "ing"] = () => "same"'],
  ['JSON.stringify', 'JSON.stringify = () => "same"', 'return ["a" + n]', 'return ["b" + n]'],
  [
    'JSON as a whole',
    'globalThis.JSON = { stringify: () => "x", parse: () => ({}) }',
    'return "a" + n',
    'return "b"'
  ],
  [
    'Array.prototype.map',
    'Array.prototype.map = function () { return [] }',
    'return [n, 1]',
    'return [n, 2]'
  ],
  ['Array.prototype.join', 'Array.prototype.join = () => ""', 'return [n, 1]', 'return [n, 2]'],
  [
    'Array.prototype.push',
    'Array.prototype.push = function () { return 0 }',
    'audit("a" + n)',
    'audit("b" + n)'
  ],
  ['Array.from', 'Array.from = () => []', 'return [n, 1]', 'return [n, 2]'],
  ['Array.isArray', 'Array.isArray = () => false', 'return [n, 1]', 'return [n, 2]'],
  [
    'the iterator of lists',
    'Array.prototype[Symbol.iterator] = function * () {}',
    'audit(n, 1)',
    'audit(n, 2)'
  ],
  [
    'a setter in Array.prototype',
    'Object.defineProperty(Array.prototype, 0, { set () {}, get: () => 1, configurable: true })',
    'audit(n)',
    'audit(1)'
  ],
  ['Object.keys', 'Object.keys = () => []', 'return { a: n }', 'return { a: 7 }'],
  ['Object.is', 'Object.is = () => true', 'return n', 'return n + 1'],
  [
    'Object.getPrototypeOf',
    'Object.getPrototypeOf = () => null',
    'return Object.create({ a: 1 })',
    'return new Map([[1, n]])'
  ],
  ['Object.prototype.toJSON', 'Object.prototype.toJSON = () => 1', 'return { a: n }', 'return { a: 7 }'],
  ['Object.prototype.then', 'Object.prototype.then = undefined', 'return { a: n }', 'return { a: 7 }'],
  [
    'traps in Object.prototype',
    'Object.prototype.get = () => 1; Object.prototype.has = () => true',
    'audit("a" + n); return n',
    'audit("b"); return n'
  ],
  ['Map.prototype', 'Map.prototype.get = () => undefined; Map.prototype.set = function () { return this }'],
  [
    'the iterator of maps',
    'Map.prototype[Symbol.iterator] = function * () {}; Map.prototype.forEach = () => {}',
    'return new Map([[n, 1]])',
    'return new Map([[n, 2]])'
  ],
  [
    'Set.prototype.size',
    'Object.defineProperty(Set.prototype, "size", { get () { throw 1 } })',
    'return new Set([n])',
    'return new Set([n, 9])'
  ],
  ['WeakMap.prototype', 'WeakMap.prototype.get = () => "same"; WeakSet.prototype.has = () => false'],
  ['Math.floor', 'Math.floor = () => 0; Math.imul = () => 0', 'return n', 'return n > 3 ? 0 : n'],
  ['Math.random', 'Math.random = () => 0', 'return n + Math.random()', 'return n + 1'],
  [
    'Date.prototype.getTime',
    'Date.prototype.getTime = () => 0',
    'return new Date(n)',
    'return new Date(n + 1)'
  ],
  [
    'RegExp.prototype',
    'RegExp.prototype.toString = () => "/x/"; RegExp.prototype.exec = () => null',
    'return /a/g',
    'return /b/g'
  ],
  [
    'RegExp flags',
    'Object.defineProperty(RegExp.prototype, "flags", { get: () => "" })',
    'return /a/g',
    'return /a/i'
  ],
  [
    'Error.prototype.name',
    'Error.prototype.name = RangeError.prototype.name = "E"',
    'throw new RangeError("low")',
    'throw new Error("low")'
  ],
  [
    'Symbol.hasInstance of Error',
    'Object.defineProperty(Error, Symbol.hasInstance, { value: () => false })',
    'throw new RangeError("a" + n)',
    'throw new RangeError("b")'
  ],
  [
    'Error as a whole',
    'globalThis.TypeError = function () { return { message: "" } }',
    'if (n > 2) throw new RangeError("a"); return 1',
    'if (n > 2) throw new RangeError("b"); return 1'
  ],
  [
    'Promise.prototype.then',
    'Promise.prototype.then = function (ok) { ok(1) }',
    'return Promise.resolve(n)',
    'return Promise.resolve(7)'
  ],
  [
    'no Promise.prototype.then',
    'delete Promise.prototype.then',
    'return (async () => n)()',
    'return (async () => 7)()'
  ],
  [
    'the constructor of promises',
    'Object.defineProperty(Promise.prototype, "constructor", { get () { throw new RangeError("x") } })',
    'return (async () => n)()',
    'return (async () => 7)()'
  ],
  [
    'async iteration',
    'Promise.prototype.then = function (ok) { ok({ done: true }) }',
    'return (async function * () { yield n })()',
    'return (async function * () { yield 7 })()'
  ],
  [
    'Promise species',
    'Object.defineProperty(Promise, Symbol.species, { get: () => function () {} })',
    'return (async () => n)()',
    'return (async () => 7)()'
  ],
  [
    'Symbol.prototype.toString',
    'Symbol.prototype.toString = () => "s"',
    'return Symbol("a")',
    'return Symbol("b")'
  ],
  [
    'Number.prototype.valueOf',
    'Number.prototype.valueOf = () => 0; Number.prototype.toString = () => "0"',
    'return Object(n)',
    'return Object(7)'
  ],
  ['Function.prototype.call', 'Function.prototype.call = Function.prototype.apply = () => undefined'],
  ['Reflect', 'for (const key of Reflect.ownKeys(Reflect)) delete Reflect[key]', 'return [n]', 'return [7]'],
  [
    'every method of lists and texts',
    'for (const p of [Array.prototype, String.prototype]) for (const k of Object.getOwnPropertyNames(p)) if (k !== "length" && k !== "constructor") p[k] = () => ""',
    'audit(["a", n])',
    'audit(["b", n])'
  ],
  [
    'all that is there',
    'for (const key of Object.getOwnPropertyNames(globalThis)) if (!/^(?:undefined|NaN|Infinity|globalThis)$/.test(key)) delete globalThis[key]',
    'return [n]',
    'return [7]'
  ],
  [
    'the harness by its name',
    'if (typeof __runHarness !== "undefined") globalThis.__runHarness = { outcome: () => "{}" }'
  ],
  [
    'the harness by what it gives',
    'function reach (x) { try { const real = x.constructor.constructor("return this")(); real.JSON.stringify = () => "{}"; real.Array.prototype.push = () => 1 } catch {} }',
    'reach(audit); reach(audit(n)); return n',
    'reach(audit); reach(audit(n)); return 7'
  ],
  [
    'the harness by an error of its own',
    'function deep (f) { try { return deep(f) + 1 } catch (e) { try { f(); e.constructor.constructor("return this")().JSON.stringify = () => "{}" } catch {} return 0 } }',
    'deep(() => audit("a")); return n',
    'deep(() => audit("b")); return n'
  ],
  [
    'its caller',
    'function up () { try { up.caller.arguments[0].x = 1 } catch {} try { return new Error().stack.length } catch { return 0 } }',
    'up(); return n',
    'up(); return 7'
  ],
  [
    'a result that lies',
    'const lie = (x) => new Proxy({ a: x }, { getOwnPropertyDescriptor: () => ({ value: 1, writable: true, enumerable: true, configurable: true }) })',
    'return lie(n)',
    'return lie(7)'
  ],
  [
    'a result with a getter',
    'const lie = (x) => { let asked = 0; return { get a () { return asked++ === 0 ? x : 0 } } }',
    'return { a: n }',
    'return lie(n)'
  ],
  [
    'a poison that is taken back',
    'const { join } = Array.prototype; function under (f) { Array.prototype.join = () => ""; try { f() } finally { Array.prototype.join = join } }',
    'under(() => audit([n, 1]))',
    'under(() => audit([n, 2]))'
  ],
  [
    'a poison at its call',
    '',
    'Array.prototype.map = () => []; Array.prototype.join = () => ""; return [n, 1]',
    'Array.prototype.map = () => []; Array.prototype.join = () => ""; return [n, 2]'
  ]
]

export const poisonedPairs: readonly PoisonedPair[] = poisons.map(
  ([what, poison, right = 'return n + 1', wrong = 'return n + 2']) => ({
    what,
    before: `${poison}\nexport function f (n) { n *= 1; ${right} }\n`,
    after: `${poison}\nexport function f (n) { n *= 1; ${wrong} }\n`
  })
)
