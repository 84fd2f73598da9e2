import t from 'tap'
import { fixOfLine, isFixed, withLineFix } from '../src/index.js'

t.test('the hunk that changes the line is its fix', async (t) => {
  const hunks = [
    { oldStart: 1, oldLines: 0, lines: ['+import x'] },
    { oldStart: 3, oldLines: 2, lines: ['-c', '-d', '+C'] }
  ]
  t.strictSame(fixOfLine(hunks, 4), { first: 3, last: 4, lines: ['C'] })
  t.equal(fixOfLine(hunks, 1), null, 'an insertion changes no line')
  t.equal(fixOfLine(hunks, 5), null)
  const rewrite = { oldStart: 1, oldLines: 30, lines: Array.from({ length: 60 }, () => '-x') }
  t.equal(fixOfLine([rewrite], 2), null, 'a rewrite is no fix')
  t.strictSame(withLineFix(['a', 'b', 'c', 'd', 'e'], { first: 3, last: 4, lines: ['C'] }), [
    'a',
    'b',
    'C',
    'e'
  ])
})

t.test('a finding is fixed if its rule fires less often and no rule more often', async (t) => {
  const of = (...rules: string[]) => rules.map((rule) => ({ rule }))
  t.ok(isFixed('a', of('a', 'a', 'b'), of('a', 'b')))
  t.notOk(isFixed('a', of('a', 'b'), of('a')), 'another one is gone')
  t.notOk(isFixed('a', of('a'), of('b')), 'another one appears')
})
