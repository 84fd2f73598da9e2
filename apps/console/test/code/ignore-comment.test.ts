import t from 'tap'
import { ignoreCandidates, isIgnored } from '../../src/code/ignore-comment.js'

const finding = { rule: 'x/rule', line: 2 }
const reason = ' because\n of  it '
const text = 'filewright-ignore x/rule -- because of it'

t.test('the comment stands above its line, as deep as it, in the marks of the language', async (t) => {
  for (const [language, comment] of [
    ['typescript', `// ${text}`],
    ['python', `# ${text}`],
    ['sql', `-- ${text}`],
    ['css', `/* ${text} */`],
    ['html', `<!-- ${text} -->`]
  ] as const) {
    const [first] = ignoreCandidates({ code: 'a\n\tb\nc', language, reason }, finding)
    t.equal(first, `a\n\t${comment}\n\tb\nc`, language)
  }
})

t.test('other places are tried after it, and Windows line ends stay', async (t) => {
  t.strictSame(ignoreCandidates({ code: 'a\r\n b\r\nc', language: 'jsx', reason }, finding), [
    `a\r\n // ${text}\r\n b\r\nc`,
    `a\r\n b // ${text}\r\nc`,
    `a\r\n {/* ${text} */}\r\n b\r\nc`
  ])
  t.strictSame(ignoreCandidates({ code: 'a', language: 'jsx', reason }, finding), [], 'the line is gone')
})

t.test('a comment counts only if it is understood and changes nothing else', async (t) => {
  const found = (...rules: string[]) => rules.map((rule) => ({ rule }) as never)
  const check = (findings: string[], suppressed: string[], rule = 'x/rule') =>
    isIgnored(
      { rule },
      found('x/rule', 'x/other'),
      { findings: found(...findings), suppressed: found(...suppressed) },
      []
    )

  t.ok(check(['x/other'], ['x/rule']))
  t.notOk(check(['x/rule', 'x/other'], []), 'it stands in a string')
  t.notOk(check(['x/other', 'all/syntax'], ['x/rule']), 'it breaks the code')
  t.ok(check(['x/other'], [], 'model/bugs'), 'a model is not asked again')
})
