import t from 'tap'
import type { Language } from '@filewright/contracts'
import { analyze, checkSyntax, compareExports, exportsOf, fix } from '../src/index.js'
import { readClean, readFlawed } from './corpus.js'

// Generous: slow machines and busy ones must pass too.
t.setTimeout(600_000)

// Clean code stays as it is, by the test below.
t.test('every fixed snippet of the corpus parses, keeps its exports and has no new finding', async (t) => {
  let changed = 0
  const wrong: string[] = []
  for (const { title, code, language } of readFlawed()) {
    const result = await fix({ code, language })
    if (result.code === code) continue
    changed++
    const before = (await analyze({ code, language })).map(({ ruleId }) => ruleId)
    const after = (await analyze({ code: result.code, language })).map(({ ruleId }) => ruleId)
    if ((await checkSyntax(result.code, language)).ok === false) wrong.push(`${title} does not parse`)
    if (!compareExports(await exportsOf(code, language), await exportsOf(result.code, language)).kept) {
      wrong.push(`${title} lost an export`)
    }
    if (after.some((ruleId) => !before.includes(ruleId)) || after.length >= before.length) {
      wrong.push(`${title} is not better`)
    }
    if (result.fixes.some(({ line }) => line < 1 || line > code.split('\n').length)) {
      wrong.push(`${title} has a wrong line`)
    }
  }

  t.comment(`${changed} snippets changed`)
  t.strictSame(wrong, [])
  t.ok(changed >= 10)
})

t.test('clean code stays as it is', async (t) => {
  for (const { title, code, language } of readClean()) {
    t.equal((await fix({ code, language })).code, code, title)
  }
})

const examples: [Language, string, string, string[]][] = [
  [
    'javascript',
    'export function f (list) {\n  var size = list.length\n  if (typeof size == "number") return size\n  return 0\n}\n',
    'export function f (list) {\n  const size = list.length\n  if (typeof size === "number") return size\n  return 0\n}\n',
    ['js/prefer-const', 'js/eqeqeq']
  ],
  [
    'javascript',
    'export const first = (byId) => Object.values(byId).filter((user) => user.ok)[0]\n',
    'export const first = (byId) => Object.values(byId).find((user) => user.ok)\n',
    ['js/filter-first']
  ],
  [
    'typescript',
    'export const first = (users: User[]) => users.filter((user) => user.name.startsWith("(")).length > 0\n',
    'export const first = (users: User[]) => users.some((user) => user.name.startsWith("("))\n',
    ['js/filter-count']
  ],
  [
    'javascript',
    'export const copy = (o) => Object.assign({}, o, { b: 1 })\n',
    'export const copy = (o) => ({ ...o, b: 1 })\n',
    ['js/prefer-object-spread']
  ],
  [
    'javascript',
    'export const copy = (o) => Object.assign({ a: 1 }, o)\n',
    'export const copy = (o) => ({ a: 1, ...o })\n',
    ['js/prefer-object-spread']
  ],
  [
    'typescript',
    'export function f (a: number): number {\n  let b = a\n  return b\n}\n',
    'export function f (a: number): number {\n  const b = a\n  return b\n}\n',
    ['js/prefer-const']
  ],
  [
    'python',
    'def f(names: list[str]):\n    seen = {}\n    return [name for name in names if name in seen.keys()]\n',
    'def f(names: list[str]):\n    seen = {}\n    return [name for name in names if name in seen]\n',
    ['py/in-dict-keys']
  ],
  [
    'python',
    'import sys\n\n\ndef main():\n    print(sys.argv, f"done")\n',
    'import sys\n\n\ndef main():\n    print(sys.argv, "done")\n',
    ['py/f-string-missing-placeholders']
  ],
  [
    'go',
    'package a\n\nfunc F( ok bool) bool {\n  return ok == true\n}\n',
    'package a\n\nfunc F(ok bool) bool {\n\treturn ok\n}\n',
    ['go/boolean-compare', 'go/formatting']
  ],
  [
    'rust',
    'pub fn none(items: &[u8]) -> bool {\n    return items.len() == 0;\n}\n',
    'pub fn none(items: &[u8]) -> bool {\n    items.is_empty()\n}\n',
    ['rust/needless-return', 'rust/is-empty']
  ],
  [
    'java',
    'class A {\n    boolean none(List<String> list) {\n        return list.size() == 0;\n    }\n}\n',
    'class A {\n    boolean none(List<String> list) {\n        return list.isEmpty();\n    }\n}\n',
    ['java/size-check']
  ],
  ['shell', 'today=`date +%F`\necho "$today"\n', 'today=$(date +%F)\necho "$today"\n', ['sh/backticks']],
  [
    'css',
    // A browser ignores an opacity in pixels.
    '.a {\n  margin: 0px;\n  opacity: 0px;\n  color: #aabbcc;\n}\n',
    '.a {\n  margin: 0;\n  opacity: 0px;\n  color: #abc;\n}\n',
    ['css/zero-unit', 'css/long-hex']
  ]
]

for (const [language, before, after, ruleIds] of examples) {
  t.test(`${language}: ${ruleIds.join(', ')}`, async (t) => {
    const result = await fix({ code: before, language })

    t.equal(result.code, after)
    t.strictSame([...new Set(result.fixes.map(({ ruleId }) => ruleId))].sort(), [...ruleIds].sort())
    t.strictSame(
      await fix({ code: after, language }),
      { code: after, fixes: [] },
      'a second time changes nothing'
    )
  })
}

t.test('== between unlike things is left alone, because === would change what the code does', async (t) => {
  const code = 'export const same = (a, b) => a == b\n'
  t.equal((await fix({ code, language: 'javascript' })).code, code)
})

t.test(
  'what only looks equivalent is left alone: overloaded == None, imports for their side effect',
  async (t) => {
    const code =
      'import readline\nfrom . import models\n\n\ndef live(session):\n    return session.query(User).filter(User.gone == None).all()\n'
    t.strictSame(await fix({ code, language: 'python' }), { code, fixes: [] })
  }
)

t.test('every change stands on its own line of the submitted code, once', async (t) => {
  const { fixes } = await fix({
    code: 'var a = 1\nvar b = 2\nvar c = 3\nexport default [a, b, c]\n',
    language: 'javascript'
  })
  t.strictSame(
    fixes.map(({ line }) => line),
    [1, 2, 3]
  )
})

t.test(
  'a var at the top of a classic script stays: it makes a global that other scripts may use',
  async (t) => {
    const { code } = await fix({
      code: 'var shared = 1\nfunction f () {\n  var own = shared\n  return own\n}\n',
      language: 'javascript'
    })
    t.equal(code, 'var shared = 1\nfunction f () {\n  const own = shared\n  return own\n}\n')
  }
)

t.test('only rules of the types asked for are fixed', async (t) => {
  const code =
    'export function f (users) {\n  let n = [...users].filter((user) => user.ok).length > 0\n  return n\n}\n'

  const result = await fix({ code, language: 'javascript', types: ['performance'] })

  t.equal(
    result.code,
    'export function f (users) {\n  let n = [...users].some((user) => user.ok)\n  return n\n}\n'
  )
  t.match(result.fixes, [{ ruleId: 'js/filter-count', line: 2, kind: 'optimize' }])
})

t.test('a comment that would switch Ruff off neither does so nor is changed', async (t) => {
  const { code } = await fix({ code: 'import sys\n\nprint(sys.path, f"x")  # noqa\n', language: 'python' })
  t.equal(code, 'import sys\n\nprint(sys.path, "x")  # noqa\n')
})

t.test('code that does not parse, and text that no parser takes, come back unchanged', async (t) => {
  for (const code of ['var a = (', 'var a = "\u0000"', 'var a = "\uD800"']) {
    t.strictSame(await fix({ code, language: 'javascript' }), { code, fixes: [] })
  }
})

t.test('a change is reported on the line of what it changes, not on the line before', async (t) => {
  const code = 'def f(x):\n    if x:\n        return 1\n    else:\n        return 2\n'
  const { fixes } = await fix({ code, language: 'python' })
  t.strictSame(
    fixes.map(({ ruleId, line }) => [ruleId, line]),
    [['py/superfluous-else-return', 4]]
  )
})

t.test(
  'an f-string without placeholders at the top of a body stays: as a plain text it would be documentation',
  async (t) => {
    for (const code of [
      'def f():\n    f"text"\n    return 1\n',
      'f"text"\nimport sys\n\nprint(sys.argv)\n',
      'class A:\n    f"text"\n    b = 1\n'
    ]) {
      t.equal((await fix({ code, language: 'python' })).code, code)
    }
  }
)

t.test('only names that eval or with can see stay as they are, and the result says why', async (t) => {
  const eval3 = /line 2 stays, because `eval` on line 3/
  const inner = 'export function g () {\n  var a = 1\n  return a\n}\n'
  const rows: Array<[name: string, code: string, isFixed: boolean, why?: RegExp]> = [
    ['the same function', 'export function f (s) {\n  let a = 1\n  eval(s)\n  return a\n}\n', false, eval3],
    [
      'a function inside',
      'export function f (s) {\n  var a = 1\n  return () => eval(s) + a\n}\n',
      false,
      eval3
    ],
    ['the top level of a module', 'export const b = 1\nvar a = 1\neval(b + a)\n', false, eval3],
    [
      'an eval in a function, and the top level',
      'export const b = 1\nvar a = 1\nexport const f = (s) => eval(s) + a\n',
      false,
      eval3
    ],
    [
      'an indirect eval, and the top level',
      "let a = 1\nwindow.eval('a = 2')\nconsole.log(a)\n",
      false,
      /line 1 stays/
    ],
    [
      'with around it',
      'function f (o) {\n  var a = 1\n  with (o) { a = 2 }\n  return a\n}\nf({})\n',
      false,
      /`with` on line 3/
    ],
    ['an eval in an unrelated function', `${inner}export const f = (s) => eval(s)\n`, true],
    [
      'an eval in the function around',
      'export function f (s) {\n  eval(s)\n  return function () {\n    var a = 1\n    return a\n  }\n}\n',
      true
    ],
    ['an eval at the top level, and a function', `${inner}eval('g()')\n`, true],
    [
      'an indirect eval in the same function',
      'export function f (s) {\n  var a = 1\n  window.eval(s)\n  return a\n}\n',
      true
    ],
    [
      'the word in a comment',
      '// Not eval (which is slow) with (care).\nexport function f () {\n  var a = 1\n  return a\n}\n',
      true
    ]
  ]
  for (const [name, code, isFixed, why] of rows) {
    const result = await fix({ code, language: 'javascript' })

    t.equal(result.code, isFixed ? code.replace(/\bvar a\b/, 'const a') : code, name)
    if (why === undefined) t.equal(result.heldBack, undefined, name)
    else t.match(result.heldBack, why, name)
  }
})

t.test('no line is left with only blanks', async (t) => {
  const { code } = await fix({
    code: 'export function f (a) {\n  a()\n  return\n}\n',
    language: 'javascript'
  })
  t.equal(code, 'export function f (a) {\n  a()\n}\n')
})
