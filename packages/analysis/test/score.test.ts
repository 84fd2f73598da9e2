import fc from 'fast-check'
import t from 'tap'
import { fuzzParameters } from '@filewright/testing'
import { scoreOf } from '@filewright/contracts'
import { analyze, severities, suggestionsOf } from '../src/index.js'

const types = ['warning', 'suggestion'] as const
const findings = fc.array(fc.record({ type: fc.constantFrom(...types) }), { maxLength: 400 })

t.test('code without findings scores 100, and never again with one', async (t) => {
  t.equal(scoreOf([]), 100)
  t.equal(scoreOf([{ type: 'suggestion' }]), 98)
  t.equal(scoreOf([{ type: 'warning' }]), 87)
  t.equal(scoreOf([{ type: 'warning' }, { type: 'warning' }, { type: 'suggestion' }]), 75)
})

t.test(
  'the score is made from the findings as they are answered, so that anyone can compute it again',
  async (t) => {
    const found = await analyze({
      code: 'export function f (a) {\n  var b = eval(a)\n  return b == 1\n}\n',
      language: 'javascript'
    })
    const answered = found.map(({ type, message, line }) => ({ type, message, line }))

    t.ok(new Set(answered.map(({ type }) => type)).size === 2)
    t.equal(scoreOf(answered), scoreOf(found))
    // Severity is not answered, so it must not count.
    t.equal(scoreOf(found.map((finding) => ({ ...finding, severity: 'error' as const }))), scoreOf(found))
  }
)

t.test('any findings give a whole number from 0 to 100', async (t) => {
  fc.assert(
    fc.property(findings, (list) => {
      const score = scoreOf(list)
      return Number.isInteger(score) && score >= 0 && score <= 100
    }),
    fuzzParameters(t, 100)
  )
  t.pass()
})

t.test('one more finding never raises the score, and order does not matter', async (t) => {
  fc.assert(
    fc.property(
      findings,
      fc.constantFrom(...types),
      (list, type) => scoreOf([...list, { type }]) <= scoreOf(list)
    ),
    fuzzParameters(t, 100)
  )
  fc.assert(
    fc.property(findings, (list) => scoreOf([...list].reverse()) === scoreOf(list)),
    fuzzParameters(t, 100)
  )
  t.pass()
})

t.test('suggestions are unique, bounded, and the most severe come first', async (t) => {
  const list = [
    { suggestion: 'b', severity: 'info', line: 1 },
    { suggestion: 'a', severity: 'error', line: 9 },
    { suggestion: 'b', severity: 'warning', line: 3 },
    { suggestion: 'c', severity: 'warning', line: 2 },
    ...Array.from({ length: 30 }, (_, index) => ({ suggestion: `s${index}`, severity: 'info', line: index }))
  ] as { suggestion: string; severity: (typeof severities)[number]; line: number }[]

  const suggestions = suggestionsOf(list)

  t.strictSame(suggestions.slice(0, 3), ['a', 'b', 'c'])
  t.equal(suggestions.length, 10)
  t.equal(new Set(suggestions).size, 10)
})
