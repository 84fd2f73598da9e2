import t from 'tap'
import type { Language } from '@filewright/contracts'
import { runCheck, type RunCheck } from '../../src/index.js'

// Generous: slow machines and busy ones must pass too.
t.setTimeout(1_800_000)

async function check(before: string, after: string, language: Language = 'javascript'): Promise<RunCheck> {
  const run = await runCheck({ before, after, language })
  if (run === null) throw new Error('it was not run')
  return run
}

const differences = ({ functions }: RunCheck): string[] =>
  functions.flatMap(({ difference }) => difference ?? [])

t.test('inputs follow the comparisons of the code until both results have occurred', async (t) => {
  for (const [what, before, after] of [
    [
      'a number that is too large for its string',
      `export function parse(input: string, max?: number): number | string {
  const text = input.trim()
  for (let i = 0; i < text.length; i++) {
    if (text[i]! < '0' || text[i]! > '9') { return 'digits' }
  }
  const value = parseInt(text, 10)
  if (!Number.isSafeInteger(value)) { return 'large' }
  if (max !== undefined && value > max) { return 'above' }
  return value
}`,
      `export function parse(input: string, max?: number): number | string {
  const text = input.trim()
  if (/[^0-9]/.test(text)) return 'digits'
  const value = parseInt(text, 10)
  if (!Number.isSafeInteger(value)) return 'large'
  return max !== undefined && value > max ? 'above' : value
}`
    ],
    [
      'nothing at a place that a string names',
      `export function at(root: unknown, path: string): unknown {
  if (path.charAt(0) !== '/') { throw new SyntaxError('path') }
  let current: any = root
  const parts = path.split('/')
  for (let i = 1; i < parts.length; i++) {
    if (current === null || typeof current !== 'object') { return undefined }
    if (!Object.prototype.hasOwnProperty.call(current, parts[i]!)) { return undefined }
    current = current[parts[i]!]
  }
  return current
}`,
      `export function at(root: unknown, path: string): unknown {
  if (!path.startsWith('/')) throw new SyntaxError('path')
  let current: any = root
  for (const part of path.slice(1).split('/')) {
    if (current === null || typeof current !== 'object') return undefined
    if (!Object.hasOwn(current, part)) return undefined
    current = current[part]
  }
  return current
}`
    ]
  ] as const) {
    const run = await check(before, after, 'typescript')

    t.strictSame(differences(run), [], `${what}: it does the same`)
    t.strictSame(run.unreached, [], `${what}: everything is reached`)
  }
})

t.test('a callback acts on the object that calls it', async (t) => {
  const emitter = (emit: string): string => `export class Signal {
  private listeners: Array<(value: number) => void> = []
  emit(value: number): void { ${emit} }
  on(listener: (value: number) => void): () => void {
    this.listeners.push(listener)
    return () => {
      const at = this.listeners.indexOf(listener)
      if (at >= 0) this.listeners.splice(at, 1)
    }
  }
}`
  const run = await check(
    emitter('for (const each of this.listeners.slice()) { each(value) }'),
    emitter('for (const each of this.listeners) each(value)'),
    'typescript'
  )

  t.not(differences(run).length, 0, 'a listener that unsubscribes itself is noticed')
})

t.test('a callback may return nothing', async (t) => {
  const run = await check(
    'function once (fn) { let isDone = false; let result; return function () { if (!isDone) { result = fn(); isDone = true } return result } }',
    'function once (fn) { let result; return function () { result ??= fn(); return result } }'
  )

  t.not(differences(run).length, 0, 'it is called again')
})

t.test('arrays are nested deeper than native functions call themselves', async (t) => {
  const run = await check(
    `export function flat(input: unknown[]): unknown[] {
  const out: unknown[] = []
  const stack: Array<{ list: unknown[]; at: number }> = [{ list: input, at: 0 }]
  while (stack.length > 0) {
    const top = stack[stack.length - 1]!
    if (top.at >= top.list.length) { stack.pop() } else {
      const item = top.list[top.at++]
      if (Array.isArray(item)) { stack.push({ list: item, at: 0 }) } else { out.push(item) }
    }
  }
  return out
}`,
    'export function flat(input: unknown[]): unknown[] { return input.flat(Infinity) }',
    'typescript'
  )

  t.not(differences(run).length, 0)
})

t.test('what the code or its types rule out does not count against a rewrite', async (t) => {
  for (const [what, before, after] of [
    [
      'something else than a string, which the rewrite falls over',
      'function spaces (text) { let n = 0; for (let i = 0; i < text.length; i++) { if (text.charAt(i) === " ") { n++ } } return n }',
      'function spaces (text) { return (text.match(/ /g) ?? []).length }'
    ],
    [
      'what JSDoc does not allow',
      '/** @param {string[]} names */\nfunction longest (names) { let best = ""; for (let i = 0; i < names.length; i++) { if (names[i].length > best.length) { best = names[i] } } return best }',
      '/** @param {string[]} names */\nfunction longest (names) { return names.reduce((best, name) => (name.length > best.length ? name : best), "") }'
    ],
    [
      'an array that is sorted by its name',
      'function first (sorted, target) { for (let i = 0; i < sorted.length; i++) { if (sorted[i] >= target) { return i } } return sorted.length }'.replace(
        'function',
        '/** @param {number[]} sorted @param {number} target */\nfunction'
      ),
      'function first (sorted, target) { let low = 0; let high = sorted.length; while (low < high) { const mid = (low + high) >>> 1; if (sorted[mid] >= target) { high = mid } else { low = mid + 1 } } return low }'.replace(
        'function',
        '/** @param {number[]} sorted @param {number} target */\nfunction'
      )
    ],
    [
      'fields of an object whose methods do the same',
      'class Recent { constructor (size) { this.size = size; this.list = [] } add (item) { this.list.push(item); if (this.list.length > this.size) { this.list.shift() } return this } all () { return this.list.slice() } }',
      'class Recent { constructor (size) { this.size = size; this.kept = [] } add (item) { this.kept = [...this.kept, item]; if (this.kept.length > this.size) { this.kept.shift() } return this } all () { return [...this.kept] } }'
    ],
    [
      'the characters of a string that is spread',
      'function copy (state) { return Object.assign({}, state) }',
      'function copy (state) { return { ...state } }'
    ],
    [
      'how a callback is passed its arguments',
      'function call (fn, ...list) { return fn.apply(null, list) }',
      'function call (fn, ...list) { return fn(...list) }'
    ]
  ] as const) {
    t.strictSame(differences(await check(before, after)), [], what)
  }
})

t.test('a function that rarely ends is compared with small values', async (t) => {
  const run = await check(
    'export function* orders (items) { if (items.length === 0) { yield []; return } for (let i = 0; i < items.length; i++) { const rest = []; for (let j = 0; j < items.length; j++) { if (j !== i) { rest.push(items[j]) } } for (const tail of orders(rest)) { yield [items[i]].concat(tail) } } }\nexport function product (n) { let all = 1; for (let i = 2; i <= n; i++) { all = all * i } return all }',
    'export function* orders (items) { if (items.length === 0) { yield []; return } for (let i = 0; i < items.length; i++) { const rest = []; for (let j = 0; j < items.length; j++) { if (j !== i) { rest.push(items[j]) } } for (const tail of orders(rest)) { yield [items[i], ...[].concat(tail)] } } }\nexport function product (n) { let all = 1; for (let i = 2; i <= n; i++) { all *= i } return all }'
  )

  t.same(
    run.functions.map(({ unit }) => unit),
    ['orders', 'product']
  )
})

t.test('a rewrite may replace a crash of the original, but must keep an error that it throws', async (t) => {
  const crashes =
    'export function name(users: Array<{ name: string } | null>): string { return users[0]!.name }'
  const throws =
    'export function name(users: Array<{ name: string } | null>): string { if (!users[0]) { throw new TypeError("empty") } return users[0].name }'
  const copes =
    'export function name(users: Array<{ name: string } | null>): string { return users[0]?.name ?? "" }'

  t.strictSame(differences(await check(crashes, copes, 'typescript')), [])
  t.strictSame(differences(await check(crashes, throws, 'typescript')), [])
  t.match(differences(await check(throws, copes, 'typescript')), [/instead of: throws TypeError/])
  t.match(differences(await check(throws, crashes, 'typescript')), [/instead of: throws TypeError/])
})

t.test('escape sequences that begin alike are entangled', async (t) => {
  const unescape = (
    first: string,
    second: string
  ): string => `export function at(root: unknown, path: string): unknown {
  let current: any = root
  for (const part of path.split('/')) {
    const key = part.${first}.${second}
    if (current === null || typeof current !== 'object') { return undefined }
    if (!Object.hasOwn(current, key)) { return undefined }
    current = current[key]
  }
  return current
}`
  const [slash, tilde] = ["replaceAll('~1', '/')", "replaceAll('~0', '~')"]

  const run = await check(unescape(slash, tilde), unescape(tilde, slash), 'typescript')

  t.not(differences(run).length, 0, '~01 stands for ~1')
  t.not(
    differences(
      await check(
        'function plain (html) { return html.replace(/&lt;/g, "<").replace(/&amp;/g, "&") }',
        'function plain (html) { return html.replace(/&amp;/g, "&").replace(/&lt;/g, "<") }'
      )
    ).length,
    0,
    '&amp;lt; stands for &lt;'
  )
})

t.test('holes matter if the original distinguishes them from undefined', async (t) => {
  const indexed =
    'function common (a, b) { let n = 0; for (let i = 0; i < a.length; i++) { if (b.indexOf(a[i]) !== -1) { n++ } } return n }'

  t.strictSame(
    differences(
      await check(
        indexed,
        'function common (a, b) { return a.filter((each) => b.indexOf(each) !== -1).length }'
      )
    ),
    [],
    'an index does not skip them'
  )
  t.not(
    differences(
      await check(
        'function count (list) { let n = 0; list.forEach(() => { n++ }); return n }',
        'function count (list) { return list.length }'
      )
    ).length,
    0,
    'forEach skips them'
  )
})

t.test(
  'a key of the input that becomes a prototype counts only where the original guards against it',
  async (t) => {
    const copy = (guard: string): string =>
      `function copy (source) { const out = {}; for (const key of Object.keys(source)) { ${guard}out[key] = source[key] } return out }`
    const entries = 'function copy (source) { return Object.fromEntries(Object.entries(source)) }'

    t.strictSame(differences(await check(copy(''), entries)), [])
    t.not(differences(await check(copy('if (key === "__proto__") { continue } '), entries)).length, 0)
  }
)

t.test('counts are integers unless the code checks for fractions', async (t) => {
  const first = (count: string): string =>
    `export function first(items: string[], size: number): string[] {
  const out: string[] = []
  for (let i = 0; i < items.length && i < ${count}; i++) { out.push(items[i]!) }
  return out
}`
  const slice =
    'export function first(items: string[], size: number): string[] { return items.slice(0, Math.max(0, size)) }'

  t.strictSame(differences(await check(first('size'), slice, 'typescript')), [])
  t.not(differences(await check(first('Math.ceil(size)'), slice, 'typescript')).length, 0, 'it rounds up')
})

t.test('rows of a matrix have the same length', async (t) => {
  const run = await check(
    'function transpose (matrix) { const out = []; for (let c = 0; c < matrix[0].length; c++) { const row = []; for (let r = 0; r < matrix.length; r++) { row.push(matrix[r][c].toFixed(1)) } out.push(row) } return out }',
    'function transpose (matrix) { return matrix[0].map((_, c) => matrix.map((row) => row[c].toFixed(1))) }'
  )

  t.strictSame(differences(run), [])
  t.ok(run.functions[0]!.inputs >= 40, 'many inputs are matrices')
})

t.test('constants and exports are compared through the code that uses them', async (t) => {
  const before =
    'const WORDS = ["a", "the"]\nfunction isSmall (word) { return WORDS.indexOf(word) !== -1 }\nmodule.exports = { isSmall: isSmall, WORDS: 2 }'

  const same = await check(
    before,
    'const WORDS = new Set(["a", "the"])\nfunction isSmall (word) { return WORDS.has(word) }\nmodule.exports = { isSmall, WORDS: 2 }'
  )
  t.strictSame(differences(same), [])
  t.strictSame(same.data, ['WORDS', 'module.exports'])

  const other = await check(
    before,
    'const WORDS = new Set(["a", "the"])\nfunction isSmall (word) { return WORDS.has(word) }\nmodule.exports = { isSmall, WORDS: 3 }'
  )
  t.strictSame(differences(other), ['it does something else while it loads'])
})

t.test('the same check has the same outcome every time', async (t) => {
  const before = 'function f (a, b) { if (a.length === b.length) { return a > b } return a.includes(b) }'
  const after = 'function f (a, b) { return a.length === b.length ? a > b : a.includes(b) }'

  t.strictSame(await check(before, after), await check(before, after))
})
