import t from 'tap'
import { languages, type Language } from '@filewright/contracts'
import { runFlow } from '../src/engines/flow.js'
import { compile } from '../src/flow/tables.js'
import { scriptTables } from '../src/languages/script/flow/tables.js'
import { analyze, analyzedLanguages, checkSyntax, exportsOf, fix } from '../src/index.js'

// Generous: slow machines and busy ones must pass too.
t.setTimeout(240_000)

async function ruleIds(code: string, language: Language): Promise<string[]> {
  return (await analyze({ code, language })).map(({ ruleId, line }) => `${line} ${ruleId}`)
}

/** Nests as deeply as `depth` says, though brackets in strings look as if they closed it. */
const towerOf = (open: string, close: string, depth = 3_000): string =>
  `${open.repeat(depth)}a${close.repeat(depth)}`
const deepCode: Partial<Record<Language, string>> = {
  javascript: `${towerOf('f(")", ', ')')}\n`,
  typescript: `${towerOf("f(')', ", ')')}\n`,
  python: `x = ${towerOf('f(")", ', ')')}\n`,
  go: `package a\n\nvar x = ${towerOf('f(")", ', ')')}\n`,
  java: `class A { Object x = ${towerOf(`f(')', `, ')')}; }\n`,
  rust: `fn f() {\n    ${towerOf(`f(')', `, ')')};\n}\n`,
  shell: `${towerOf('case x in a) ', ' ;; esac')}\n`,
  sql: `SELECT ${towerOf("f(')', ", ')')};\n`,
  css: `${towerOf('@media print { /* } */ ', '}')}\n`
}

t.test('an analyzer that fails is no praise of the code, whatever was asked for', async (t) => {
  const failures: string[] = []
  const findings = await analyze(
    { code: 'eval(x)', language: 'javascript', analysisTypes: ['style'] },
    {
      onFailure: (where) => failures.push(where),
      engines: async () => [
        {
          name: 'broken',
          run: () => {
            throw new Error('it does not load')
          }
        }
      ]
    }
  )
  t.strictSame(failures, ['broken'])
  t.match(findings, [{ ruleId: 'all/analyzer-failed', type: 'warning', line: 1 }])
})

t.test('findings that a failed rule or data flow would have had are reported as missing', async (t) => {
  const findings = await analyze(
    { code: 'eval(x)', language: 'javascript' },
    {
      engines: async () => [
        {
          name: 'partly-broken',
          run(source, _language, wanted, onFailure) {
            const lower = (): never => {
              throw new RangeError('Maximum call stack size exceeded')
            }
            const hits = runFlow(source, lower, compile(scriptTables), 'javascript', wanted, onFailure)
            return { syntax: { ok: true }, hits }
          }
        }
      ]
    }
  )

  t.match(findings, [{ ruleId: 'all/analyzer-failed', type: 'warning', line: 1 }])
})

t.test('a string that must not be put together gets no remark about how to put it together', async (t) => {
  const script = await ruleIds(
    "app.get('/', (req, res) => {\n  pool.query('SELECT * FROM a WHERE b = ' + req.query.b)\n})\n",
    'javascript'
  )
  const python = await ruleIds(
    "def find(cursor, name):\n    cursor.execute('SELECT * FROM a WHERE b = %s' % name)\n",
    'python'
  )
  const safe = await ruleIds("const greeting = 'Hello, ' + name + '!'\n", 'javascript')

  t.ok(script.includes('2 js/sql-injection') && !script.includes('2 js/prefer-template'))
  t.ok(python.includes('2 py/sql-injection') && !python.includes('2 py/printf-string-formatting'))
  t.ok(safe.includes('1 js/prefer-template'))
})

t.test('code that an analyzer does not read is no clean code', async (t) => {
  for (const [language, code] of Object.entries(deepCode)) {
    t.ok((await ruleIds(code, language as Language)).includes('1 all/analyzer-failed'), language)
  }
})

t.test('shapes that nest without brackets are counted before a parser sees them', async (t) => {
  for (const [name, language, code] of [
    ['case in shell', 'shell', `${towerOf('case x in a) ', ' ;; esac', 1_000)}\n`],
    ['if in shell', 'shell', `${towerOf('if a; then ', '; fi', 1_000)}\n`],
    ['a chain of calls in Java', 'java', `class A { void f() { a${'.b()'.repeat(5_000)}; } }\n`],
    ['a chain of calls in Go', 'go', `package a\n\nvar x = a${'.b()'.repeat(5_000)}\n`],
    ['a chain of calls in Rust', 'rust', `fn f() { a${'.b()'.repeat(5_000)}; }\n`],
    ['a chain of casts in Rust', 'rust', `fn f() { a${' as u8'.repeat(5_000)}; }\n`],
    ['a chain of returns in Rust', 'rust', `fn f() { ${'return '.repeat(5_000)}a; }\n`],
    [
      'a chain of branches in Java',
      'java',
      `class A { void f() { ${'if (a) { b(); } else '.repeat(2_000)}{} } }\n`
    ],
    [
      'a chain of branches in Go',
      'go',
      `package a\n\nfunc f() {\n\t${'if a {\n\t} else '.repeat(2_000)}{\n\t}\n}\n`
    ],
    ['a chain of branches in Python', 'python', `if a:\n    b()\n${'elif a:\n    b()\n'.repeat(2_000)}`],
    ['a sum of calls in Python', 'python', `x = a${' + f(a)'.repeat(2_000)}\n`],
    [
      'blocks in Python',
      'python',
      Array.from({ length: 150 }, (_, depth) => `${' '.repeat(depth)}if a:\n`).join('') +
        `${' '.repeat(150)}b()\n`
    ],
    ['errors in CSS', 'css', '{}'.repeat(10_000)]
  ] as const) {
    t.ok((await ruleIds(code, language)).includes('1 all/analyzer-failed'), name)
  }
})

t.test('long code that does not nest is read', async (t) => {
  for (const [name, language, code] of [
    ['many cases in shell', 'shell', `case $1 in\n${'a) b ;;\n'.repeat(2_000)}esac\n`],
    ['words of the shell as arguments', 'shell', 'echo case if do\n'.repeat(2_000)],
    ['declarations in shell', 'shell', 'declare -r a=1\n'.repeat(2_000)],
    ['many branches in Python', 'python', 'if a:\n    b()\nelif c:\n    d()\nelse:\n    e()\n'.repeat(1_000)],
    [
      'many statements in Java',
      'java',
      `class A {\n${'  void f() { if (a) { b(); } else { c().d(); } }\n'.repeat(1_000)}}\n`
    ]
  ] as const) {
    t.notOk((await ruleIds(code, language)).includes('1 all/analyzer-failed'), name)
  }
})

t.test('brackets in strings and comments are no nesting', async (t) => {
  const row = '( '.repeat(3_000)
  for (const [language, code, expected] of [
    ['javascript', `// ${row}\nuse("${row}", /[(]/, \`${row}\${a}${row}\`)\neval(a)\n`, '3 js/no-eval'],
    ['typescript', `/* ${row} */ use('${row}')\nexport const f = (a: string) => eval(a)\n`, '2 js/no-eval'],
    ['python', `# ${row}\nuse("${row}", f"{a} ${row}", '''${row}''')\nassert (a, b)\n`, '3 py/assert-tuple'],
    [
      'go',
      `package a\n\n// ${row}\nvar s = "${row}" + \`${row}\`\n\nfunc f() {\n\ttime.Sleep(5)\n}\n`,
      '7 go/sleep-without-unit'
    ],
    [
      'java',
      `class A { /* ${row} */\n  String s = "${row}";\n  boolean f(String a) { return a == "b"; }\n}\n`,
      '3 java/string-identity'
    ],
    [
      'rust',
      `// ${row}\nfn f() {\n    use_it("${row}", r#"${row}"#, '(');\n    let c = Client::builder().danger_accept_invalid_certs(true);\n    drop(c);\n}\n`,
      '4 rust/tls-check-disabled'
    ],
    ['shell', `# ${row}\necho "${row}" '${row}'\ncurl -k https://example.com\n`, '3 sh/tls-check-disabled'],
    [
      'sql',
      `/* ${row} */ SELECT '${row}', $$ ${row} $$; -- ${row}\nDELETE FROM users;\n`,
      '2 sql/delete-without-where'
    ],
    ['css', `/* ${row} */ a { content: "${row}" }\nb { colr: red }\n`, '2 css/unknown-property']
  ] as const) {
    const found = await ruleIds(code, language)
    t.notOk(found.includes('1 all/analyzer-failed'), language)
    t.ok(found.includes(expected), `${language} ${found.join()}`)
  }
})

t.test(
  'a rule that the author has switched off by name is a suggestion, and none about security',
  async (t) => {
    const typesOf = async (code: string): Promise<string[]> =>
      (await analyze({ code, language: 'javascript' }))
        .filter(({ severity, type }) => severity !== 'info' || type === 'suggestion')
        .map(({ line, ruleId, type }) => `${line} ${ruleId} ${type}`)
    const loop = 'for (let i = 10; i < 20; i--) f(i)'

    t.match(await typesOf(loop), ['1 js/for-direction warning'])
    for (const code of [
      `${loop} // eslint-disable-line for-direction`,
      `${loop} // eslint-disable-line`,
      `/* eslint-disable for-direction -- counts down on purpose */ ${loop}`
    ]) {
      t.match(await typesOf(code), ['1 js/for-direction suggestion'], code)
    }
    t.match(await typesOf(`// eslint-disable-next-line no-eval, x/for-direction\n${loop}`), [
      '2 js/for-direction suggestion'
    ])
    for (const [line, code] of [
      [1, `${loop} // eslint-disable-line no-eval`],
      [2, `/* eslint-disable */\n${loop}`],
      [2, `// eslint-disable-line for-direction\n${loop}`],
      [3, `/* eslint-disable for-direction */\n/* eslint-enable */\n${loop}`],
      [3, `/* eslint-disable for-direction */\n/* eslint-enable for-direction */\n${loop}`]
    ] as const) {
      t.match(await typesOf(code), [`${line} js/for-direction warning`], code)
    }
    t.match(await typesOf('eval(location.hash) // eslint-disable-line no-eval'), ['1 js/no-eval warning'])
  }
)

t.test('idioms of old code get suggestions only', async (t) => {
  for (const code of [
    // A function of its own in every round.
    `export function keep (store, settings) {
  for (var name in settings) {
    (function () {
      var own = name
      store.__defineGetter__(own, function () { return settings[own] })
    })()
  }
}`,
    // Runs at once.
    'export function clear (all, names) {\n  for (var key in names) all.each(function () { this.remove(key) })\n}',
    // One name on purpose.
    `(function ($, undefined) {
  $.later = function (wait, done) {
    var done = done || $.noop
    setTimeout(done, wait === undefined ? 10 : wait)
  }
  if (typeof tracker === 'undefined') var tracker = {}
  $.tracker = tracker
})(window.jQuery)`
  ]) {
    const found = await analyze({ code, language: 'javascript' })
    t.strictSame(
      found.filter(({ type }) => type === 'warning').map(({ line, ruleId }) => `${line} ${ruleId}`),
      []
    )
  }
})

t.test('comments in the submitted code cannot switch a rule off', async (t) => {
  const attempts: [Language, string, string][] = [
    [
      'javascript',
      '/* eslint-disable */\nexport const f = (x) => eval(x) // eslint-disable-line no-eval',
      '2 js/no-eval'
    ],
    [
      'javascript',
      '/* eslint no-eval: 0 */\n// eslint-disable-next-line\nexport const f = (x) => eval(x)',
      '3 js/no-eval'
    ],
    [
      'typescript',
      '// @ts-nocheck\n/* eslint-disable-next-line */\nexport const f = (x: string) => eval(x) // NOSONAR',
      '3 js/no-eval'
    ],
    [
      'javascript',
      'switch (a) {\n  case 1:\n    b()\n    // falls through\n  case 2:\n    c()\n}',
      '5 js/noted-fallthrough'
    ],
    ['javascript', 'try { a() } catch {\n  // expected, ignore\n}', '1 js/dropped-error'],
    [
      'javascript',
      'try { a() } catch {\n  // eslint-disable-next-line no-empty -- as we always do\n}',
      '1 js/swallowed-error'
    ],
    ['python', '# ruff: noqa\n# flake8: noqa\neval(x)  # noqa  # nosec', '3 py/suspicious-eval-usage'],
    [
      'python',
      '# ruff: disable[S307]\neval(x)  # noqa: S307\n# ruff: enable[S307]',
      '2 py/suspicious-eval-usage'
    ],
    ['python', 'eval(x)  # NOQA:S307', '1 py/suspicious-eval-usage'],
    ['python', '# ruff: ignore[S307]\neval(x)', '2 py/suspicious-eval-usage'],
    ['go', 'package a\n\n// ast-grep-ignore\n// nolint\nvar h = md5.New() //nolint:gosec', '5 go/weak-hash'],
    [
      'java',
      'class A {\n  @SuppressWarnings("all")\n  boolean f(String s) { return s == "a"; } // NOSONAR\n}',
      '3 java/string-identity'
    ],
    ['rust', '#![allow(warnings)]\n// ast-grep-ignore\npub fn getName() {}', '3 rust/function-name'],
    ['shell', '# shellcheck disable=all\neval "$1"', '2 sh/eval'],
    ['sql', '-- noqa: disable=all\nDELETE FROM users; -- noqa', '2 sql/delete-without-where'],
    ['css', '/* stylelint-disable */\n#a { color: #333; }', '2 css/id-selector'],
    [
      'html',
      '<!-- htmlhint alt-require:false -->\n<img src="/a.png" width="1" height="1">',
      '2 html/alt-require'
    ],
    ['ruby', '# nosec\nPASSWORD = "Tr0ub4dor3" # pragma: allowlist secret', '2 all/hard-coded-secret']
  ]
  for (const [language, code, expected] of attempts) {
    const found = await ruleIds(code, language)
    t.ok(found.includes(expected), `${language}: ${expected} in ${found.join(', ')}`)
  }
})

t.test('hard-coded secrets are found in every language, placeholders are not', async (t) => {
  for (const language of languages) {
    const found = await analyze({
      code: 'apiKey = "a8f5f167f44f4964e6c998dee827110c"',
      language,
      analysisTypes: ['security']
    })
    if (!found.some(({ ruleId }) => ruleId === 'all/hard-coded-secret')) t.fail(language)
  }
  for (const line of [
    'password = "<your password>"',
    'apiKey: process.env.API_KEY',
    'token = "${TOKEN}"',
    'const passwordLabel = "Password"',
    'secret = "changeme"',
    'typeof password === "string"',
    'PASSWORD_FIELD = "user_password"',
    'tokenType = "Bearer"',
    'api_key = "xxxxxxxxxxxxxxxx"',
    'password: "required"',
    'token_url = "https://auth.example.org/token"',
    'postgres://user:password@localhost/app'
  ]) {
    t.strictSame(await ruleIds(line, 'text'), [], line)
  }
  for (const line of [
    'AKIAIOSFODNN7EXAMPLE',
    'postgres://app:s3cr3tPa55@db.internal/app',
    '-----BEGIN RSA PRIVATE KEY-----'
  ]) {
    t.strictSame(await ruleIds(line, 'text'), ['1 all/hard-coded-secret'], line)
  }
})

t.test('a merge conflict and characters that turn the text around are found in any language', async (t) => {
  t.strictSame(await ruleIds('a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> main\n', 'kotlin'), [
    '2 all/merge-conflict',
    '6 all/merge-conflict'
  ])
  t.strictSame(await ruleIds('if (x) { // \u202E } \u2066 safe\n', 'c'), ['1 all/bidi-characters'])
})

t.test('a line separator ends a line of JavaScript, and with it a comment', async (t) => {
  for (const [code, language, line] of [
    ["// don't\u2028eval(x)\n", 'javascript', 1],
    ['\uFEFF\r\n// note\u2029\r\neval(x)\n', 'tsx', 3],
    ['const a = 1\u2028eval(a)\n', 'typescript', 1],
    ['use("\u2028 \\" \u2029")\neval(x)\n', 'javascript', 2]
  ] as const) {
    t.match(await ruleIds(code, language), [`${line} js/no-eval`], JSON.stringify(code))
  }
  t.strictSame(await ruleIds('# note\u2028eval(input())\n', 'python'), [], 'not of Python')
})

t.test('an assignment in a condition is one finding, not also a condition that never changes', async (t) => {
  for (const code of ['if (a = 1) b()', 'if (a.b = true) b()', 'a = (c.d = 1) ? 2 : 3']) {
    t.strictSame(
      (await ruleIds(code, 'javascript')).filter((id) => /cond/.test(id)),
      ['1 js/no-cond-assign'],
      code
    )
  }
  t.strictSame(
    (await ruleIds('if (1) b()', 'javascript')).filter((id) => /cond/.test(id)),
    ['1 js/no-constant-condition']
  )
})

t.test('an aborted analysis ends with the reason of its signal', async (t) => {
  const reason = new Error('client left')
  await t.rejects(
    analyze({ code: 'a', language: 'javascript' }, { signal: AbortSignal.abort(reason) }),
    reason
  )
})

const deep = 10_000
const hostile: [string, string][] = [
  ['brackets', '('.repeat(deep) + ')'.repeat(deep)],
  ['open brackets', '[{('.repeat(deep)],
  ['braces', '{'.repeat(deep) + '}'.repeat(deep)],
  ['operators', `a = ${'!-'.repeat(deep)}b`],
  ['a long sum', `a = 1${'+1'.repeat(30_000)}`],
  ['nested calls', `${'f('.repeat(deep)}1${')'.repeat(deep)}`],
  ['nested functions', `${'a => '.repeat(deep)}1`],
  ['nested conditions', `${'if (a) '.repeat(deep)}b()`],
  ['nested tags', `${'<div>'.repeat(deep)}${'</div>'.repeat(deep)}`],
  ['nested lists', `${'not '.repeat(deep)}x`],
  ['one line', 'a=b(c,"d")?e:f;'.repeat(6_000)],
  ['quotes', '"\'`'.repeat(30_000)],
  ['NULs', 'a\u0000b\n'.repeat(1_000)],
  ['lone surrogates', 'var a = "\uD800"\n\uDC00\n'],
  ['line separators', 'a\u2028b\u2029eval(x)\rc\r\nd'],
  ['nothing', ''],
  ['blanks', ' \n\t\n'],
  ['a byte order mark', '\uFEFFimport os\n'],
  ['emoji', '😀'.repeat(20_000)],
  ['many lines', '\n'.repeat(100_000)],
  ['slow patterns', `${'password = "'.repeat(3_000)}${' '.repeat(20_000)}`],
  ['comments', '/*'.repeat(20_000)]
]

// The script languages share their parsers: two stand for all four.
for (const language of [
  ...analyzedLanguages.filter((each) => each !== 'jsx' && each !== 'typescript'),
  'ruby'
] as const) {
  t.test(`hostile ${language} neither crashes nor hangs, and lines stay inside the code`, async (t) => {
    for (const [name, code] of hostile) {
      const started = process.cpuUsage()
      const findings = await analyze({ code, language })
      const count = code.split(/\r\n|[\r\n]/).length
      if (findings.some(({ line }) => line < 1 || line > count || !Number.isInteger(line))) {
        t.fail(`${name}: a line outside of ${count}`)
      }
      // CPU time, because others may be busy on the same machine; far above what any of them takes, far below
      // what a hang would.
      const { user, system } = process.cpuUsage(started)
      if (user + system > 30_000_000) {
        t.fail(`${name} took ${Math.round((user + system) / 1_000)} ms of CPU time`)
      }
    }
    t.pass()
  })
}

t.test('after hostile code the same thread still analyzes right', async (t) => {
  const expected: [Language, string, string][] = [
    ['python', 'eval(x)', '1 py/suspicious-eval-usage'],
    ['go', 'package a\n\nfunc f( {\n}\n', '3 all/syntax-error'],
    ['shell', 'if true; then\n', '1 all/syntax-error'],
    ['sql', 'DELETE FROM a;', '1 sql/delete-without-where'],
    ['css', '#a { color: #333; }', '1 css/id-selector'],
    ['javascript', 'export const a = (x) => eval(x)', '1 js/no-eval']
  ]
  for (const [language, code, rule] of expected) {
    t.ok((await ruleIds(code, language)).includes(rule), language)
  }
})

t.test('syntax checks, exports and fixes take hostile code too', async (t) => {
  for (const [, code] of hostile.filter(([name]) =>
    /brackets|operators|surrogates|NULs|nothing|functions/.test(name)
  )) {
    for (const language of ['javascript', 'python', 'go', 'rust', 'css'] as const) {
      await checkSyntax(code, language)
      await exportsOf(code, language)
      const result = await fix({ code, language })
      if (result.fixes.length === 0 && result.code !== code) t.fail(language)
    }
  }
  t.pass()
})

t.test('what a namespace exports or describes is used by others, and what it hides is not', async (t) => {
  const code = `export namespace Util {
  export function get (): number { return 1 }
  export const size = 1
  function hidden (): void {}
}
declare global {
  var settings: number
}
`

  const unused = (await analyze({ code, language: 'typescript' })).filter(
    ({ ruleId }) => ruleId === 'js/no-unused-vars'
  )

  t.strictSame(
    unused.map(({ line, message }) => `${line} ${message}`),
    ['4 `hidden` is declared but never used.']
  )
})

t.test('a name that hides another one says which', async (t) => {
  const code =
    'const size = 1\nexport const f = () => {\n  const size = 2\n  return size\n}\nexport const g = () => [function g () {}, size]\n'

  const shadows = (await analyze({ code, language: 'javascript' })).filter(
    ({ ruleId }) => ruleId === 'js/no-shadow'
  )

  t.strictSame(
    shadows.map(({ line, message }) => `${line} ${message}`),
    ['3 `size` shadows the `size` declared on line 1.', '6 `g` shadows the `g` declared on line 6.']
  )
})

t.test('code from before let is not full of warnings', async (t) => {
  const code = `function total (list, rate) {
  for (var i = 0; i < list.length; i++) log(list[i])
  for (var i = 0; i < list.length; i++) add(list[i])
  if (typeof rate == 'number') {
    var factor = rate
  } else {
    var factor = 1
  }
  return factor == list.rate
}
`
  const findings = await analyze({ code, language: 'javascript', analysisTypes: ['bugs'] })

  t.strictSame(
    findings.map(({ ruleId, line, type }) => [ruleId, line, type]),
    [['js/eqeqeq', 9, 'suggestion']]
  )
})

t.test('a name that is declared twice in one block is a warning', async (t) => {
  const code =
    'function f (a) {\n  var size = a.length\n  log(size)\n  if (a.ok) {\n    var size = 1\n  }\n  return size\n}\n'
  const findings = await analyze({ code, language: 'javascript', analysisTypes: ['bugs'] })

  t.match(findings, [{ ruleId: 'js/no-redeclare', line: 5, type: 'warning' }])
})

t.test('what minifiers and compilers write is not called useless', async (t) => {
  const code =
    'export function f (a) {\n  a.b(), a.c = 1\n  const { d } = a, rest = __rest(a, ["d"])\n  return rest\n}\n'
  t.strictSame(await analyze({ code, language: 'javascript', analysisTypes: ['bugs'] }), [])

  const useless = 'export function f (a) {\n  a.b, a.c()\n  return a\n}\n'
  const findings = await analyze({ code: useless, language: 'javascript', analysisTypes: ['bugs'] })
  t.match(findings, [{ ruleId: 'js/no-unused-expressions', line: 2 }])
})

t.test('what only the author of the code can tell is a suggestion, not a warning', async (t) => {
  const kinds: Record<string, string> = {
    'js/no-loop-func': `export function wire (names, bind) {
      let name
      for (let i = 0; i < names.length; i++) {
        name = names[i]
        bind(function () { return name })
      }
    }`,
    'js/floating-promise':
      'export function watch (worker, forget) { worker.ready.then(() => forget(worker)) }',
    'js/index-of-as-boolean': 'export const isBelow = (path, folder) => !path.indexOf(folder)',
    'js/getter-return': 'export class Channel { get typing () {} }',
    'js/no-fallthrough': `export function nameOf (kind, title, names) {
      switch (kind) {
        case 0:
          if (title) return title + names.last
        case 1:
          return names.first
        default:
          return names.last
      }
    }`,
    'js/no-unsafe-finally': `export async function undo (connection, reason) {
      try { await connection.rollback() } finally { throw reason }
    }`,
    'js/weak-hash': `import { createHmac } from 'node:crypto'
    export const sign = (text, key) => createHmac('sha1', key).update(text).digest('base64')`,
    'js/query-in-loop': `export async function migrate (db, statements) {
      for (const statement of statements) await db.query(statement)
    }`,
    'js/no-constant-condition': 'export function check (value) { if (!true) { value.check() } return value }',
    'js/spread-in-reduce': `import { codes } from './codes.js'
    export const names = Object.entries(codes).reduce((all, [name, code]) => ({ ...all, [code]: name }), {})`,
    'js/unescaped-markup': 'export function show (button, icon) { button.innerHTML = icon }',
    'js/prototype-pollution':
      'export function copy (req, target) { for (const key in req.body) target[key] = req.body[key] }',
    'js/no-unused-vars': 'export function add (lib, base) { const Hasher = lib.Hasher = base.extend() }',
    'js/no-unused-expressions':
      'export class Border { constructor () { this.left; this.top; this.isThick = false } }',
    'js/kept-comparison':
      'export function cut (x, y, swap) { let isLess\n if (isLess = x < y) swap(x, y)\n return isLess }',
    'js/no-sparse-arrays': 'export const methods = [0, 1, , // reserved\n 8]',
    'js/tls-check-disabled': `export function sslOf (mode) {
      switch (mode) {
        case 'no-verify': return { rejectUnauthorized: false }
        default: return true
      }
    }`,
    'js/no-async-promise-executor': `export const open = (db) =>
      new Promise(async (resolve, reject) => { await db.begin(resolve).catch(reject) })`,
    'js/moves-outer-index': `export function scan (rows, skip) {
      for (let i = 0; i < 10; i++) {
        for (let j = i; i < 5; i++) skip(rows[j])
      }
    }`,
    'js/mutating-default': `export function wrap (chunks, take) {
      chunks = chunks.reverse()
      while (chunks.length > 0) take(chunks.pop())
    }`,
    'js/sync-io-in-handler': `import { readFileSync } from 'node:fs'
    export async function render (views, path) { await views.ready(); return readFileSync(path) }`,
    'js/swallowed-error': `// Generated by a compiler of parsers
    export function load (store, key) {
      try { store.save(key) } catch {}
      return true
    }`,
    'all/syntax-error': "import <%= name %> from './<%= file %>.js'"
  }
  for (const [ruleId, code] of Object.entries(kinds)) {
    const findings = await analyze({ code, language: 'javascript' })
    t.match(
      findings.filter((each) => each.ruleId === ruleId),
      [{ type: 'suggestion' }],
      ruleId
    )
    t.notOk(
      findings.some(({ type }) => type === 'warning'),
      `no warning beside ${ruleId}`
    )
  }
})

t.test('a copy of one level in a function of its own is a suggestion where a client fills it', async (t) => {
  const code = [
    'function extend (target, source) {',
    '  for (const key in source) target[key] = source[key]',
    '  return target',
    '}',
    'export const optionsOf = (req) => extend({}, req.body)'
  ].join('\n')

  const findings = await analyze({ code, language: 'javascript' })

  t.match(
    findings.filter(({ ruleId }) => ruleId === 'js/prototype-pollution'),
    [{ line: 2, type: 'suggestion' }]
  )
})

t.test('a name that is taken from itself is declared on purpose, also in a pattern', async (t) => {
  const code =
    'export async function route (step, state) {\n  var { state } = await step({ state })\n  return state\n}'

  const findings = await analyze({ code, language: 'javascript' })

  t.notOk(findings.some(({ type }) => type === 'warning'))
})

t.test('what stands on a line that a tool has packed is a suggestion, except for security', async (t) => {
  const packed = `function h(r,e){var t=r;var a=1;var b=2;var c=3;var d=4;var f=5;var g=6;var i=7;try{t=e(a+b)}finally{return t};eval(r);${'t();'.repeat(60)}}`
  const code = `const rows = []\n${packed}\nexport const first = h(rows)\n`

  const findings = await analyze({ code, language: 'javascript' })

  t.match(
    findings.filter(({ ruleId }) => ruleId === 'js/no-unsafe-finally'),
    [{ line: 2, type: 'suggestion' }]
  )
  t.match(
    findings.filter(({ ruleId }) => ruleId === 'js/no-eval'),
    [{ line: 2, type: 'warning' }]
  )
})

t.test('many suggestions of a rule are told once, and its warnings one by one', async (t) => {
  const doubtful = Array.from(
    { length: 12 },
    (_, index) => `export const a${index} = (x, y) => !x.indexOf(y)`
  )
  const code = [...doubtful, 'export const b = (x, y) => { if (x.indexOf(y)) x.cut(y) }'].join('\n')

  const findings = (await analyze({ code, language: 'javascript' })).filter(
    ({ ruleId }) => ruleId === 'js/index-of-as-boolean'
  )

  t.match(findings, [
    { line: 1, type: 'suggestion', message: /There are 12 such places/ },
    { line: 13, type: 'warning' }
  ])
})

t.test('holes that only the author can tell are told one by one', async (t) => {
  const lines = Array.from(
    { length: 12 },
    (_, i) => `export const f${i} = (button, icon) => { button.innerHTML = icon }`
  )
  const findings = await analyze({ code: lines.join('\n'), language: 'javascript' })

  t.equal(findings.filter(({ ruleId }) => ruleId === 'js/unescaped-markup').length, 12)
})

t.test('what is certain of a line stands before what is doubtful', async (t) => {
  const sure = 'if (list.indexOf(a)) cut(a)'
  const doubtful = 'const isFirst = !list.indexOf(b)'
  for (const line of [`${sure}; ${doubtful}`, `${doubtful}; ${sure}`]) {
    const code = `export function f (list, a, b, cut) {\n  ${line}\n  return isFirst\n}`
    const findings = await analyze({ code, language: 'javascript' })

    t.match(
      findings.filter(({ ruleId }) => ruleId === 'js/index-of-as-boolean'),
      [{ line: 2, type: 'warning' }],
      line
    )
  }
})
