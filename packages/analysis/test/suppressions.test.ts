import t from 'tap'
import type { Language } from '@filewright/contracts'
import { analyzeAll, type AnalysisType } from '../src/index.js'
import { suppress, suppressionsIn } from '../src/results.js'

t.setTimeout(600_000)

async function told(code: string, language: Language, analysisTypes?: readonly AnalysisType[]) {
  const all = await analyzeAll({ code, language, analysisTypes })
  const list = (isSuppressed: boolean): string[] =>
    all
      .filter(({ suppression }) => (suppression !== undefined) === isSuppressed)
      .map(({ line, ruleId, suppression }) => [line, ruleId, suppression].filter(Boolean).join(' '))
  return { open: list(false), suppressed: list(true) }
}
/** What is said of the rule, and of suppressions. */
const about = (list: readonly string[], rule: string): string[] =>
  list.filter((each) => each.includes(` ${rule}`) || each.includes('suppression'))

interface Sample {
  language: Language
  rule: string
  line: string
  comment: (text: string) => string
  before?: string
  after?: string
}

const slashes = (text: string): string => `// ${text}`
const stars = (text: string): string => `/* ${text} */`
const hash = (text: string): string => `# ${text}`
const samples: Sample[] = [
  { language: 'javascript', rule: 'js/no-eval', line: 'eval(input)', comment: slashes },
  { language: 'javascript', rule: 'js/no-eval', line: 'eval(input)', comment: stars },
  { language: 'typescript', rule: 'js/no-eval', line: 'eval(input)', comment: slashes },
  {
    language: 'tsx',
    rule: 'js/no-eval',
    before: 'export const A = () => (\n  <p>',
    line: '    {eval(input)}',
    after: '</p>\n)\n',
    comment: (text) => `{/* ${text} */}`
  },
  { language: 'python', rule: 'py/suspicious-eval-usage', line: 'eval(data)', comment: hash },
  {
    language: 'go',
    rule: 'go/weak-hash',
    before: 'package a\n\nfunc f() {',
    line: '\tmd5.New()',
    after: '}\n',
    comment: slashes
  },
  {
    language: 'java',
    rule: 'java/string-identity',
    before: 'class A {\n  boolean f(String a) {',
    line: '    return a == "x";',
    after: '  }\n}\n',
    comment: slashes
  },
  {
    language: 'rust',
    rule: 'rust/unused-variable',
    before: 'fn f() {',
    line: '    let x = 1;',
    after: '}\n',
    comment: slashes
  },
  {
    language: 'css',
    rule: 'css/important',
    before: 'a {',
    line: '  color: #111 !important;',
    after: '}\n',
    comment: stars
  },
  {
    language: 'sql',
    rule: 'sql/delete-without-where',
    line: 'DELETE FROM users;',
    comment: (text) => `-- ${text}`
  },
  { language: 'shell', rule: 'sh/eval', line: 'eval "$input"', comment: hash },
  {
    language: 'html',
    rule: 'html/alt-require',
    line: '<img src="a.png">',
    comment: (text) => `<!-- ${text} -->`
  },
  {
    language: 'html',
    rule: 'js/no-eval',
    before: '<p>a</p>\n<script>',
    line: '  eval(input)',
    after: '</script>\n',
    comment: slashes
  }
]

for (const { language, rule, line, comment, before, after } of samples) {
  t.test(
    `${language}: ${comment(rule)} accepts a finding of the next line of code, or of its own`,
    async (t) => {
      const around = (text: string): string =>
        [...(before === undefined ? [] : [before]), text, after ?? ''].join('\n')
      const plain = await told(around(line), language)
      t.equal(about(plain.open, rule).length, 1, plain.open.join())

      const text = comment(`filewright-ignore ${rule} -- it is a test`)
      for (const code of [`${text}\n${line}`, `${text}\n\n${comment('why')}\n${line}`, `${line} ${text}`]) {
        const { open, suppressed } = await told(around(code), language)
        t.strictSame(about(open, rule), [], code)
        t.strictSame(
          suppressed.map((each) => each.replace(/^\d+ /, '')),
          [`${rule} it is a test`]
        )
      }
      const { open } = await told(around(`${text}\n${line}\n${line}`), language)
      t.ok(about(open, rule).length > 0, 'not one of the line after it')
    }
  )
}

t.test('a suppression without a reason suppresses nothing and is a finding', async (t) => {
  for (const text of ['js/no-eval', 'js/no-eval --', 'js/no-eval because I say so', 'js/no-eval - why']) {
    const { open, suppressed } = await told(`eval(a) // filewright-ignore ${text}\n`, 'javascript')
    t.strictSame(about(open, 'js/no-eval'), ['1 all/suppression-without-reason', '1 js/no-eval'], text)
    t.strictSame(suppressed, [])
  }
})

t.test('so is one of an unknown rule, and one of a rule that may not be suppressed', async (t) => {
  for (const text of [
    '-- why',
    'js/evil -- why',
    'no-eval -- why',
    '* -- why',
    'all/analyzer-failed -- why',
    'all/unused-suppression -- why',
    'js/no-eval,js/other -- why'
  ]) {
    const { open } = await told(`eval(a) // filewright-ignore ${text}\n`, 'javascript')
    t.strictSame(about(open, 'js/no-eval'), ['1 all/suppression-of-unknown-rule', '1 js/no-eval'], text)
  }
})

t.test('so is one of a rule that does not fire there', async (t) => {
  const unused = ['1 all/unused-suppression']
  t.strictSame(
    about((await told('// filewright-ignore js/no-eval -- why\nf(a)\n', 'javascript')).open, '-'),
    unused
  )
  t.strictSame(
    about((await told('// filewright-ignore js/no-eval -- why\n', 'javascript')).open, '-'),
    unused
  )
  t.strictSame(
    about((await told('// filewright-ignore py/assert -- why\nf(a)\n', 'javascript')).open, ' all'),
    ['1 all/suppression-of-unknown-rule']
  )
})

t.test('a rule that was not looked for may fire, and nobody says that it does not', async (t) => {
  const code = '// filewright-ignore js/no-eval -- why\nf(a)\n// filewright-ignore model/bugs -- why\nf(b)\n'
  t.strictSame(about((await told(code, 'javascript', ['style'])).open, ' -'), [])
  t.strictSame(about((await told(code, 'javascript', ['security'])).open, ' -'), [], 'it is about style')
  const broken = '// filewright-ignore js/no-eval -- why\nf(a\n'
  t.notMatch((await told(broken, 'javascript')).open.join(), 'unused-suppression')
})

t.test('what looks like a suppression in a string or in the midst of a comment is none', async (t) => {
  const comment = 'filewright-ignore x/y -- why'
  const strings: Array<[Language, string]> = [
    [
      'javascript',
      `a = "// ${comment}"; b = '# ${comment}'; c = \`\n// ${comment}\n\${d}\n/* ${comment} */\``
    ],
    ['javascript', `a = /[/*]\\/\\/ ${comment}/`],
    ['python', `a = """\n# ${comment}\n"""\nb = '# ${comment}'\nc = r'\\'`],
    ['go', `var a = \`\n// ${comment}\n\``],
    ['java', `String a = """\n// ${comment}\n""";`],
    ['rust', `let a = r#"\n// "${comment}\n// ${comment}"#; let b = '"'; fn f<'a>() {}`],
    ['shell', `cat <<'EOF'\n# ${comment}\nEOF\necho "\n# ${comment}\n" a#${comment}`],
    ['sql', `SELECT '-- ${comment}', $$\n-- ${comment}\n$$;`],
    ['css', `a::after { content: "/* ${comment} */"; background: url(//filewright-ignore) }`],
    ['html', `<p title="// ${comment}">// ${comment}</p><script>a = "// ${comment}"</script>`],
    ['php', `$a = "# ${comment}";`],
    ['ruby', `a = "# ${comment}"`],
    ['text' as Language, `// ${comment}`],
    ['javascript', `// See ${comment}\n// filewright-ignored x/y\n// filewright-ignore-file x/y`]
  ]
  for (const [language, code] of strings) t.strictSame(suppressionsIn({ code, language }), [], code)
  t.equal(suppressionsIn({ code: `a = 1 // ${comment}`, language: 'php' }).length, 1)
})

t.test('lines are counted as in the submitted code, whatever ends them', async (t) => {
  for (const code of [
    '\uFEFFone()\r\n// filewright-ignore js/no-eval -- why\r\neval(a)\r\n',
    'one()\r// filewright-ignore js/no-eval -- why\reval(a)\r'
  ]) {
    t.match(suppressionsIn({ code, language: 'javascript' }), [{ line: 2, target: 3, reason: 'why' }])
    t.strictSame((await told(code, 'javascript')).suppressed, ['3 js/no-eval why'])
  }
  // A line separator ends the comment: what follows runs, on the same line as editors count.
  const hidden = '// filewright-ignore js/no-eval -- why\u2028eval(a)\n'
  t.strictSame((await told(hidden, 'javascript')).suppressed, ['1 js/no-eval why'])
})

t.test('a reason is one line and has a limit, and a comment of several lines is read', async (t) => {
  const code = '/*\n * filewright-ignore js/no-eval -- the input\n * is ours\n */\neval(a)\n'
  t.match(suppressionsIn({ code, language: 'javascript' }), [{ target: 5, reason: 'the input is ours' }])
  const long = `eval(a) // filewright-ignore js/no-eval -- ${'x'.repeat(100_000)}`
  t.equal(suppressionsIn({ code: long, language: 'javascript' })[0]?.reason?.length, 300)
})

t.test("a model's finding is accepted as well", async (t) => {
  const code = 'f(a) // filewright-ignore model/security -- checked by hand\n'
  const finding = {
    ruleId: 'model/security',
    analysisType: 'security',
    severity: 'warning',
    type: 'warning',
    message: 'x',
    line: 1,
    suggestion: ''
  } as const
  const [accepted] = suppress([finding], suppressionsIn({ code, language: 'javascript' }))
  t.equal(accepted?.suppression, 'checked by hand')
  t.strictSame(suppress([{ ...finding, line: 2 }], suppressionsIn({ code, language: 'javascript' })), [
    { ...finding, line: 2 }
  ])
})

t.test('thousands of comments take no time worth mention', async (t) => {
  const code = '// filewright-ignore js/no-eval -- why\n'.repeat(6_000)
  t.equal(suppressionsIn({ code, language: 'javascript' }).length, 6_000)
  t.strictSame(suppressionsIn({ code: `${'<!-- '.repeat(40_000)}filewright-ignore`, language: 'html' }), [])
  t.strictSame(
    suppressionsIn({ code: `${'<script>'.repeat(30_000)}filewright-ignore`, language: 'html' }),
    []
  )
})
