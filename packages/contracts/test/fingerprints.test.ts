import { createHash } from 'node:crypto'
import t from 'tap'
import { fingerprintKeys, toSarif } from '../src/index.js'
import { lineHashes } from '../src/line-hashes.js'

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
const finding = (line: number, ruleId = 'js/no-eval') => ({
  type: 'warning' as const,
  message: 'x',
  line,
  ruleId
})

function printsOf(code: string, ...findings: Array<ReturnType<typeof finding>>) {
  const log = toSarif([{ path: 'a.js', lines: code.split('\n'), findings }], { version: '1', hash })
  return log.runs[0]!.results.map(({ partialFingerprints }) => partialFingerprints)
}

t.test("line hashes equal those of GitHub's upload action", async (t) => {
  t.strictSame(lineHashes(['']), ['c129715d7a2bc9a3:1'])
  t.strictSame(lineHashes(' a\nb\n  \t\tc\n d'.split('\n')), [
    '271789c17abda88f:1',
    '54703d4cd895b18:1',
    '180aee12dab6264:1',
    'a23a3dc5e078b07b:1'
  ])
  t.strictSame(lineHashes(' hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End\n'.split('\n')), [
    'e9496ae3ebfced30:1',
    'fb7c023a8b9ccb3f:1',
    'ce8ba1a563dcdaca:1',
    'e20e36e16fcb0cc8:1',
    'b3edc88f2938467e:1',
    'c8e28b0b4002a3a0:1',
    'c129715d7a2bc9a3:1'
  ])
  const same = lineHashes(Array.from({ length: 250 }, () => 'x'))
  t.equal(same[1], same[0]?.replace(/:1$/, ':2'), 'equal lines are numbered')
})

t.test(
  'a finding on a moved or indented line keeps its fingerprints, and copies have different ones',
  async (t) => {
    const [before] = printsOf('a()\neval(x)\nb()\n', finding(2))
    const [moved] = printsOf('new()\n\n\na()\n\n  eval( x )\n\tb()\n', finding(6))
    t.equal(moved![fingerprintKeys.place], before![fingerprintKeys.place])
    t.equal(moved![fingerprintKeys.line], before![fingerprintKeys.line])

    const [elsewhere] = printsOf('c()\neval(x)\nd()\n', finding(2))
    t.not(elsewhere![fingerprintKeys.place], before![fingerprintKeys.place])
    t.equal(elsewhere![fingerprintKeys.line], before![fingerprintKeys.line], 'only the context differs')

    const [other] = printsOf('a()\neval(x)\nb()\n', finding(2, 'js/other'))
    t.not(other![fingerprintKeys.line], before![fingerprintKeys.line])
    const copies = printsOf('eval(x)\neval(x)\neval(x)\n', finding(3), finding(1), finding(2))
    t.strictSame(
      copies.map((prints) => prints[fingerprintKeys.line]?.split(':')[1]),
      ['3', '1', '2'],
      'numbered from the top, in whatever order they are listed'
    )
  }
)
