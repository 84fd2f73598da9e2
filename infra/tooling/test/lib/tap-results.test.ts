import t from 'tap'
import { Parser } from 'tap-parser'

interface Failure {
  path: string[]
  diag: unknown
}
interface Lib {
  createTapResults: () => {
    results: {
      passed: number
      failed: number
      skipped: Array<{ path: string[]; reason: string }>
      failures: Failure[]
    }
    watch: (parser: unknown, path: string[]) => void
  }
  describeFailure: (failure: Failure) => string
}
const { createTapResults, describeFailure } = (await import(
  new URL('../../../bin/lib/tap-results.mjs', import.meta.url).href
)) as Lib

function resultsOf(tap: string) {
  const { results, watch } = createTapResults()
  const parser = new Parser()
  watch(parser, ['a.test.js'])
  parser.end(tap)
  return results
}

t.test('assertions are counted once at any depth, and skipped ones not at all', async (t) => {
  const results = resultsOf(`TAP version 14
# Subtest: a test
    ok 1 - one
    ok 2 - two
    1..2
ok 1 - a test
ok 2 - three
ok 3 - later # SKIP not here
1..3
`)

  t.match(results, {
    passed: 3,
    failed: 0,
    skipped: [{ path: ['a.test.js', 'later'], reason: 'not here' }],
    failures: []
  })
})

t.test('a failed assertion is counted once and found by its path', async (t) => {
  const results = resultsOf(`TAP version 14
# Subtest: a test
    ok 1 - one
    not ok 2 - two
      ---
      diff: "-1 +2"
      at: { fileName: a.ts, lineNumber: 7 }
      ...
    1..2
not ok 1 - a test
1..1
`)

  t.match(results, { passed: 1, failed: 1, failures: [{ path: ['a.test.js', 'a test', 'two'] }] })
  t.match(
    describeFailure(results.failures[0] as Failure),
    /✗ a\.test\.js › a test › two\n {2}at a\.ts:7\n {4}-1 \+2/
  )
})

t.test('a subtest that dies without output is a failure', async (t) => {
  const results = resultsOf(`TAP version 14
# Subtest: a test
    ok 1 - one
    1..1
not ok 1 - a test
  ---
  exitCode: 3
  ...
1..1
`)

  t.match(results, { passed: 1, failed: 1, failures: [{ path: ['a.test.js', 'a test'] }] })
  t.match(describeFailure(results.failures[0] as Failure), /exitCode: 3/)
})

t.test('a bailout is a failure', async (t) => {
  t.match(resultsOf('TAP version 14\nok 1 - one\nBail out! no disk\n'), { passed: 1, failed: 1 })
})
