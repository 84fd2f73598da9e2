import t from 'tap'
import type { Language } from '@filewright/contracts'
import { runCheck } from '../../src/index.js'
import { reachedRewrites } from './reached-rewrites.js'

// Generous: slow machines and busy ones must pass too.
t.setTimeout(1_800_000)

async function differs(before: string, after: string, language: Language = 'javascript'): Promise<boolean> {
  const run = await runCheck({ before, after, language })
  t.ok(run !== null && run.functions.length > 0, 'it was run')
  return run?.functions.some(({ isSame }) => !isSame) === true
}

t.test('inputs include values that people rarely think of', async (t) => {
  for (const [what, before, after] of [
    [
      'NaN',
      'function min (nums) { let m = Infinity; for (const n of nums) { if (n < m) m = n } return m }',
      'function min (nums) { return Math.min(...nums) }'
    ],
    [
      'more elements than a function takes arguments',
      'function addAll (target, values) { for (const v of values) target.push(v); return target.length }',
      'function addAll (target, values) { target.push(...values); return target.length }'
    ],
    [
      'an argument that is not the default',
      'function flat (list, depth = 1) { const out = []; for (const x of list) { if (Array.isArray(x) && depth > 0) out.push(...flat(x, depth - 1)); else out.push(x) } return out }',
      'function flat (list, depth = 1) { const out = []; for (const x of list) { if (Array.isArray(x) && depth > 0) out.push(...flat(x)); else out.push(x) } return out }'
    ],
    [
      'strings in an untyped array',
      'function sorted (list) { return [...list].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)) }',
      'function sorted (list) { return [...list].sort((a, b) => a - b) }'
    ],
    [
      'surrogate pairs',
      'function reverse (str) { return [...str].reverse().join("") }',
      'function reverse (str) { return str.split("").reverse().join("") }'
    ],
    [
      'an empty string',
      'function at (text, part) { for (let i = 0; i < text.length; i++) { if (text.slice(i, i + part.length) === part) return i } return -1 }',
      'function at (text, part) { return text.indexOf(part) }'
    ],
    [
      'NaN in order',
      'function isSorted (nums) { for (let i = 1; i < nums.length; i++) { if (nums[i - 1] > nums[i]) return false } return true }',
      'function isSorted (nums) { return nums.every((n, i) => i === 0 || nums[i - 1] <= n) }'
    ],
    [
      '-0',
      'const same = (a, b) => Object.is(a, b)',
      'const same = (a, b) => a === b || (a !== a && b !== b)'
    ],
    ['large numbers', 'const whole = (n) => Math.floor(n)', 'const whole = (n) => n | 0'],
    [
      'holes that the original skips',
      'function count (list) { let n = 0; list.forEach(() => { n++ }); return n }',
      'function count (list) { return list.length }'
    ],
    [
      'the order of keys',
      'function byKey (map) { const out = {}; for (const key of Object.keys(map).sort()) out[key] = map[key]; return out }',
      'function byKey (map) { const out = {}; for (const key of Object.keys(map)) out[key] = map[key]; return out }'
    ],
    [
      'a literal that only the rewrite has',
      'const price = (n) => n * 2',
      'const price = (n) => (n === 77123 ? 0 : n * 2)'
    ],
    [
      'a length that only the rewrite asks for',
      'const first = (text) => text.trim()',
      'const first = (text) => text.trim().slice(0, 150)'
    ]
  ] as const) {
    t.ok(await differs(before, after), what)
  }
})

t.test('a result that a caller changes is not given again', async (t) => {
  t.ok(
    await differs(
      'export function parts (text) { return text.split(",") }',
      'const known = new Map()\nexport function parts (text) { if (!known.has(text)) known.set(text, text.split(",")); return known.get(text) }'
    )
  )
  t.ok(
    await differs(
      'const copy = (list) => list.slice()',
      'const copy = (list) => list.filter ? list : list.slice()'
    ),
    'the argument itself'
  )
})

t.test('functions passed to other code are run directly as well', async (t) => {
  for (const [what, before, after] of [
    [
      'a wrapper of somebody else',
      'const max = _curry2(function max (a, b) { return b > a ? b : a })',
      'const max = _curry2(function max (a, b) { return b >= a ? a : b })'
    ],
    [
      'a wrapper of the code itself',
      'function twice (fn) { return (...args) => fn(fn(...args)) }\nconst add = twice(function (n) { return n + 2 })',
      'function twice (fn) { return (...args) => fn(fn(...args)) }\nconst add = twice(function (n) { return n + 3 })'
    ],
    [
      'a module that is called at once',
      'const m = (function () { function half (n) { return n / 2 } return { half } })()',
      'const m = (function () { function half (n) { return n / 3 } return { half } })()'
    ],
    [
      'what a module exports',
      'module.exports = wrap(function (n) { return n > 3 })',
      'module.exports = wrap(function (n) { return n >= 3 })'
    ],
    [
      'a static method',
      'class A { static of (n) { return n > 3 } }',
      'class A { static of (n) { return n >= 3 } }'
    ]
  ] as const) {
    t.ok(await differs(before, after), what)
  }
})

t.test('a changed branch that no input reaches is reported', async (t) => {
  const run = await runCheck({
    before: 'function f (n) { if (n * 7 === 1234567891) { return 1 } return 2 }',
    after: 'function f (n) { return n * 7 === 1234567891 ? 1 : 2 }',
    language: 'javascript'
  })

  t.match(run?.functions, [{ isSame: true }])
  t.match(run?.unreached, [
    { unit: 'f', what: 'n * 7 === 1234567891' },
    { unit: 'f', what: 'n * 7 === 1234567891' }
  ])
})

t.test('a spread is proven only with more elements than a function takes arguments', async (t) => {
  const run = await runCheck({
    before:
      'function f (lists, key) { const all = []; for (const list of lists) { all.push(...key(list)) } return all }',
    after: 'function f (lists, key) { return [].concat(...lists.map((list) => key(list))) }',
    language: 'javascript'
  })

  t.ok(run?.functions.some(({ isSame }) => !isSame) === true || (run?.unreached?.length ?? 0) > 0)
  t.ok(
    await differs(
      'function merge (lists) { const all = []; for (const list of lists) { for (const each of list) { all.push(each) } } return all }',
      'function merge (lists) { return [].concat(...lists) }'
    )
  )
})

t.test('strings that a pattern of the code matches are among the inputs', async (t) => {
  const run = await runCheck({
    before: 'function f (text) { if (/^[A-Z]{2}\\d{4}(-x|-y)?$/.test(text)) { return 1 } return 2 }',
    after: 'function f (text) { return /^[A-Z]{2}\\d{4}(-x|-y)?$/.test(text) ? 1 : 2 }',
    language: 'javascript'
  })

  t.strictSame(run?.unreached, [])
})

t.test('inputs reach every branch of code that compares, parses, stores and returns functions', async (t) => {
  for (const { what, before, after, language = 'javascript' } of reachedRewrites) {
    const run = await runCheck({ before, after, language })
    t.match(run?.functions, [{ isSame: true }], `${what} does the same`)
    t.strictSame(run?.unreached, [], `${what} is reached`)
  }
})

t.test('inputs cover returned functions and omitted or additional arguments', async (t) => {
  for (const [what, before, after] of [
    [
      'a method of a returned object',
      'function createCounter (start) { let n = start; return { add (by) { n += by; return n }, value () { return n } } }',
      'function createCounter (start) { let n = start; return { add (by) { n += by; return by }, value () { return n } } }'
    ],
    [
      'an async method of a returned object',
      'function createApi (base) { return { async get (path) { return base + path } } }',
      'function createApi (base) { return { async get (path) { return path + base } } }'
    ],
    [
      'repeated arguments of a returned function',
      'function unique () { const seen = new Set(); return (key) => { if (seen.has(key)) return false; seen.add(key); return true } }',
      'function unique () { const seen = new Set(); return (key) => { seen.add(key); return true } }'
    ],
    [
      'a default that is null',
      'function join (list, by) { if (by === undefined) by = 1; return [list, by] }',
      'function join (list, by) { by ??= 1; return [list, by] }'
    ],
    [
      'an additional argument',
      'function count () { return arguments.length }',
      'function count (first) { return first === undefined ? 0 : 1 }'
    ],
    [
      'the order of keys of equal objects',
      'function same (a, b) { return Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((key) => Object.hasOwn(b, key) && Object.is(a[key], b[key])) }',
      'function same (a, b) { return Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((key, at) => Object.keys(b)[at] === key && Object.is(a[key], b[key])) }'
    ],
    [
      'the same object twice',
      'function swap (a, b) { return a === b ? 0 : 1 }',
      'function swap (a, b) { return Object.is(a, b) && typeof a !== "object" ? 0 : 1 }'
    ]
  ] as const) {
    t.ok(await differs(before, after), what)
  }
})
