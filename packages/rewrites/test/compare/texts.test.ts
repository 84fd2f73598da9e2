import t from 'tap'
import { compareRewrite, mergeRewrite } from '../../src/index.js'
import { isWrittenOut } from '../../src/compare/written-out.js'

t.test('detects abbreviations that the rewrite adds, and ignores those in the submitted code', async (t) => {
  for (const hint of [
    '// ... rest of the code',
    '# existing code',
    '/* implementation here */',
    '// … ',
    '<!-- unchanged -->',
    '-- remaining lines'
  ]) {
    t.notOk(isWrittenOut('a', `a\n${hint}\n`), hint)
    t.ok(isWrittenOut(`a\n${hint}\n`, `b\n${hint}\n`), hint)
  }
  t.ok(isWrittenOut('a', 'const [first, ...rest] = list // takes the others'))
})

t.test('a query that asks for other rows is refused', async (t) => {
  const before = 'SELECT id FROM users WHERE active = true AND age >= 18;'
  for (const after of [
    'SELECT id FROM users WHERE active = true;',
    'SELECT id FROM users WHERE active = true AND age > 18;',
    'SELECT id FROM users WHERE active = true OR age >= 18;',
    'SELECT id FROM users WHERE active <> true AND age >= 18;',
    'SELECT id FROM users WHERE active = true AND age >= 18 LIMIT 5;'
  ]) {
    t.equal(
      (await compareRewrite({ before, after, language: 'sql' }))?.[0]?.refusal,
      'it asks something else',
      after
    )
  }
  t.strictSame(
    (
      await compareRewrite({
        before,
        after: 'SELECT id FROM users WHERE (18 <= age) AND active = true;',
        language: 'sql'
      })
    )?.[0]?.refusal,
    null
  )
})

t.test('units are taken one by one, and the rest stays byte for byte', async (t) => {
  const before =
    '// a comment\nexport function a (x) {\n  return x  ;\n}\n\nexport function b (x) { return   x }\n'
  const after =
    'export function a (x) {\n  return +x\n}\n\nexport function b (x) {\n  return helper(x)\n}\n\nfunction helper (x) {\n  return -x\n}\n'
  t.equal(
    mergeRewrite({ before, after, language: 'javascript', take: ['a'] }),
    before.replace('return x  ;', 'return +x')
  )
  t.equal(
    mergeRewrite({ before, after, language: 'javascript', take: ['b'] }),
    before.replace(
      /export function b.*\n/,
      'function helper (x) {\n  return -x\n}\n\nexport function b (x) {\n  return helper(x)\n}\n'
    )
  )
  t.equal(mergeRewrite({ before, after, language: 'javascript', take: [] }), before)
})

t.test('layout, semicolons, quotes and last commas are no change', async (t) => {
  t.strictSame(
    await compareRewrite({
      before: "const f = (a) => { return [a, 'b'] }",
      after: 'const f = (a) => {\n  return [\n    a,\n    "b",\n  ];\n};',
      language: 'javascript'
    }),
    []
  )
})
