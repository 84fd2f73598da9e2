import t from 'tap'
import { shareStack } from '@filewright/testing'
import { filewright } from './helpers.js'

t.setTimeout(180_000)

const stack = await shareStack(t)
const env = { FILEWRIGHT_URL: stack.baseUrl, FILEWRIGHT_TOKEN: stack.token, XDG_CONFIG_HOME: t.testdir() }

t.test('a suppressed finding does not fail a run, and is counted and in SARIF with its reason', async (t) => {
  const cwd = t.testdir({
    'a.js': '// filewright-ignore js/no-eval -- the \u001b[31minput is ours\neval(x)\n',
    'b.js': 'eval(x) // filewright-ignore js/no-eval\n'
  })
  const fw = async (...args: string[]) => await filewright({ cwd, env }, ...args)

  const text = await fw('analyze', 'a.js', '--no-model', '--fail-on', 'suggestion')
  t.equal(text.code, 0, text.out)
  t.equal(
    text.out,
    '0 findings in 1 file; the lowest score is 100, of a.js; 1 suppressed by comments, 1 of them of security\n'
  )
  const [result] = JSON.parse((await fw('analyze', 'a.js', '--no-model', '--format', 'sarif')).out).runs[0]
    .results
  t.match(result, {
    ruleId: 'js/no-eval',
    suppressions: [{ kind: 'inSource', status: 'accepted', justification: /^the .*input is ours$/ }]
  })
  const json = await fw('analyze', 'a.js', '--no-model', '--json')
  t.match(JSON.parse(json.out).files, [{ findings: [], suppressed: [{ rule: 'js/no-eval', line: 2 }] }])
  t.notMatch(json.out, '\u001b')

  const without = await fw('analyze', 'b.js', '--no-model', '--fail-on', 'warning')
  t.equal(without.code, 2)
  t.match(without.out, /^b\.js:1 warning .*\[all\/suppression-without-reason\]/m)
  t.match(without.out, /^b\.js:1 error .*\[js\/no-eval\]/m)
})
