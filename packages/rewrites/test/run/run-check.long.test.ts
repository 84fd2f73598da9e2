import t from 'tap'
import type { Language } from '@filewright/contracts'
import { runCheck } from '../../src/index.js'

// Generous: slow machines and busy ones must pass too.
t.setTimeout(240_000)

async function differs(
  before: string,
  after: string,
  language: Language = 'javascript'
): Promise<string | null | undefined> {
  const run = await runCheck({ before, after, language })
  if (run === null || run.functions.length === 0) return undefined
  return run.functions.find(({ isSame }) => !isSame)?.difference ?? null
}

t.test('versions that do the same agree on every input', async (t) => {
  for (const [what, before, after] of [
    [
      'a search',
      'export function has (list, wanted) { for (const each of list) { if (each === wanted) return true } return false }',
      'export function has (list, wanted) { return list.indexOf(wanted) !== -1 }'
    ],
    [
      'waiting at once',
      'export async function load (ids, get) { const all = []; for (const id of ids) all.push(await get(id)); return all }',
      'export async function load (ids, get) { return await Promise.all(ids.map((id) => get(id))) }'
    ],
    [
      'another name inside',
      'const f = (a) => { const x = a * 2; return x }',
      'const f = (a) => { const doubled = a * 2; return doubled }'
    ],
    [
      'a generator',
      'function * upTo (n) { for (let i = 0; i < n; i++) yield i }',
      'function * upTo (n) { let i = 0; while (i < n) yield i++ }'
    ],
    [
      'a class',
      'class A { #n = 0; add (x) { this.#n = this.#n + x; return this.#n } }',
      'class A { total = 0; add (x) { return this.total += x } }'
    ]
  ] as const) {
    t.equal(await differs(before, after), null, what)
  }
})

t.test('detects differences in results, errors, mutations, calls and awaits', async (t) => {
  for (const [what, before, after, seen] of [
    ['the result', 'const f = (a, b) => a - b', 'const f = (a, b) => b - a', /returns/],
    ['a boundary', 'const f = (age) => age >= 18', 'const f = (age) => age > 18', /returns/],
    [
      'an error',
      'function f (x) { if (x < 0) throw new RangeError("low"); return x }',
      'function f (x) { if (x < 0) throw new Error("low"); return x }',
      /RangeError/
    ],
    [
      'an argument',
      'const f = (list) => [...list].sort()',
      'const f = (list) => list.sort()',
      /arguments|second call/
    ],
    [
      'a call',
      'function f (api, id) { api.save(id, { timeout: 5000 }) }',
      'function f (api, id) { api.save(id, { timeout: 500 }) }',
      /500/
    ],
    [
      'a free name',
      'function f (id) { audit("read", id); return id }',
      'function f (id) { return id }',
      /audit/
    ],
    [
      'an import',
      'import { send } from "./mail.js"\nexport async function f (to) { await send(to, "a") }',
      'import { send } from "./mail.js"\nexport async function f (to) { await send(to, "b") }',
      /send/
    ],
    [
      'a wait',
      'async function f (api) { await api.save(); return 1 }',
      'async function f (api) { api.save(); return 1 }',
      /waits|resolves|rejects/
    ],
    [
      'a swallowed error',
      'async function f (api) { try { await api.save() } catch (error) { throw new Error("failed") } }',
      'async function f (api) { try { await api.save() } catch {} }',
      /rejects/
    ],
    [
      'a timer',
      'const f = (fn) => { setTimeout(fn, 200) }',
      'const f = (fn) => { setTimeout(fn, 100) }',
      /setTimeout/
    ],
    [
      'a handler',
      'app.get("/", (req, res) => { if (req.user.role !== "admin") return res.status(403).end(); res.end() })',
      'app.get("/", (req, res) => { res.end() })',
      /./
    ]
  ] as const) {
    t.match(await differs(before, after), seen, what)
  }
})

t.test('declared types determine the inputs of a parameter', async (t) => {
  const before =
    'type Kind = "a" | "b"\nexport function f (kind: Kind, n?: number): string { return kind === "a" ? "first" : String(n ?? 7) }'
  t.equal(
    await differs(
      before,
      'type Kind = "a" | "b"\nexport function f (kind: Kind, n?: number): string { return kind !== "b" ? "first" : String(n ?? 7) }',
      'typescript'
    ),
    null
  )
  t.match(await differs(before, before.replace('?? 7', '|| 7'), 'typescript'), /returns/)
})

t.test('a check of a small function takes a quarter of the work that a check may take', async (t) => {
  const before =
    'export function f (list, wanted) { for (const each of list) if (each === wanted) return true; return false }'
  const after = 'export const f = (list, wanted) => list.indexOf(wanted) !== -1'

  const run = await runCheck({ before, after, language: 'javascript' })

  t.ok(run!.work < 100_000_000, `${run!.work} units`)
})

t.test('the same inputs come every time', async (t) => {
  const input = {
    before: 'const f = (a, b) => a - b',
    after: 'const f = (a, b) => b - a',
    language: 'javascript' as const
  }
  const [first, second] = [await runCheck(input), await runCheck(input)]
  t.ok(first)
  t.strictSame(first, second)
})

t.test('a check that runs out of work proves nothing, and the next one runs', async (t) => {
  const input = {
    before: 'function f (a) { let s = 0; for (let i = 0; i < 5000; i++) s += i; return s + a }',
    after: 'function f (a) { let s = 0; for (let i = 0; i < 5000; i++) s = s + i; return s + a }',
    language: 'javascript' as const
  }
  const whole = await runCheck(input)
  t.match(whole?.functions, [{ isSame: true, inputs: 392 }])
  const { work = 0 } = whole ?? {}
  t.ok(work > 2 * 200 * 5_000, 'every iteration counts')

  t.strictSame(await runCheck({ ...input, maxWork: work }), whole, 'the same work is enough every time')
  for (const maxWork of [1, 200, Math.floor(work / 2), work - 1]) {
    t.strictSame(await runCheck({ ...input, maxWork }), {
      functions: [],
      noticed: [],
      unreached: [],
      work: maxWork
    })
  }
  t.strictSame(await runCheck(input), whole)
})

t.test('a mistake at a place is noticed only if an input reaches it', async (t) => {
  const before = 'function f (n) { if (n === 123456.5) return 1; return n > 5 }'
  const at = (text: string, replacement: string) => ({
    start: before.indexOf(text),
    end: before.indexOf(text) + text.length,
    texts: [replacement]
  })

  const run = await runCheck({
    before,
    after: `${before}\n`,
    language: 'javascript',
    mutants: [at('n > 5', 'n > 6'), at('function f', 'function  f')]
  })
  t.equal(run, null, 'nothing changed, so nothing is run')

  const after = 'function f (n) { return n === 123456.5 ? 1 : n > 5 }'
  t.strictSame(
    (
      await runCheck({
        before,
        after,
        language: 'javascript',
        mutants: [at('n > 5', 'n > 6'), at('function f', 'function  f')]
      })
    )?.noticed,
    [true, false]
  )
})

t.test('an endless loop, or exhausted memory or stack, ends only the call', async (t) => {
  for (const body of [
    'while (true) {}',
    'const a = []; for (;;) a.push("x".repeat(100000) + a.length)',
    'return f(n) + 1',
    'for (;;) { try { for (;;) {} } catch {} }'
  ]) {
    const before = `function f (n) { ${body} }`
    t.not(await differs(before, before.replace('f (n)', 'f (n, m)')), null, body)
  }
})

t.test('nothing of the machine is there', async (t) => {
  const before =
    'export function f (x) { return [typeof process.exit, typeof WebAssembly, Date.now(), Math.random()].length + Number(x) }'
  t.equal(await differs(before, before.replace('.length + Number(x)', '.length - -x')), null)
})

t.test('code that cannot be run is not reported as run', async (t) => {
  t.equal(await runCheck({ before: 'func f() {}', after: 'func f() { return }', language: 'go' }), null)
  t.equal(await runCheck({ before: 'const a = 1', after: 'const a = 2', language: 'javascript' }), null)
  t.equal(
    await runCheck({
      before: 'await x()\nfunction f (a) { return a }',
      after: 'await x()\nfunction f (a) { return +a }',
      language: 'javascript'
    }),
    null
  )
})
