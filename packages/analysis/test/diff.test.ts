import fc from 'fast-check'
import t from 'tap'
import { fuzzParameters } from '@filewright/testing'
import { describeDiff, measure } from '../src/index.js'

// Generous: slow machines and busy ones must pass too.
t.setTimeout(240_000)

t.test('a replaced line is quoted before and after, at its line of the code before', async (t) => {
  t.strictSame(describeDiff('a\nvar b = 1\nc\n', 'a\nconst b = 1\nc\n'), [
    { line: 2, kind: 'refactor', description: 'Replaced `var b = 1` with `const b = 1`.' }
  ])
})

t.test('added, removed and indented lines are told apart', async (t) => {
  t.match(describeDiff('a\nb\n', 'a\nx\nb\n'), [{ line: 1, description: 'Added 1 line: `x`.' }])
  t.match(describeDiff('a\nx\ny\nb\n', 'a\nb\n'), [{ line: 2, description: 'Removed 2 lines: `x`.' }])
  t.match(describeDiff('a\n  b\n', 'a\n    b\n'), [
    { line: 2, description: 'Changed the indentation of 1 line.' }
  ])
  t.match(describeDiff('for (x of y) s += x\n', 'const s = y.join("")\nreturn s\n'), [
    { line: 1, kind: 'optimize' }
  ])
})

t.test('equal texts have no changes, whatever their line ends', async (t) => {
  t.strictSame(describeDiff('a\r\nb\r\n', 'a\nb\n'), [])
})

t.test('every line lies inside the code before, for any two texts', async (t) => {
  const text = fc
    .array(fc.constantFrom('a', 'b', '', '  c', 'd'), { maxLength: 12 })
    .map((lines) => lines.join('\n'))
  fc.assert(
    fc.property(text, text, (before, after) => {
      const count = before.split('\n').length
      const changes = describeDiff(before, after)
      const described = changes.every(
        ({ line, description }) => line >= 1 && line <= count && description.length > 0
      )
      return described && (changes.length > 0 || before.trimEnd() === after.trimEnd())
    }),
    fuzzParameters(t, 1_000)
  )
  t.pass()
})

t.test('lines, decisions and findings are counted, with comments and texts left out', async (t) => {
  const { lines, complexity, findings, score } = await measure(
    '// if while\nexport function f (a) {\n  if (a && a.b) return "if ? :"\n\n  var c = 1\n  return c\n}\n',
    'javascript'
  )

  t.equal(lines, 5)
  t.equal(complexity, 3)
  t.strictSame(
    findings.map(({ ruleId }) => ruleId),
    ['js/no-var']
  )
  t.equal(score, 98)
})

t.test('strings over several lines and quotes left open do not swallow the rest', async (t) => {
  t.equal((await measure('a = """\nif x:\n"""\nif b:\n    c = 1\n', 'python')).complexity, 2)
  t.equal((await measure("it's\nif (a) {}\n", 'c')).complexity, 2)
  t.equal((await measure('/* if */ "\\" if" if (a) {}', 'kotlin')).complexity, 2)
})

t.test('a function that was renamed, extracted or inlined is named', async (t) => {
  const rest = 'export function area (shapes) {\n  return shapes.map((shape) => calc(shape))\n}\n'
  const calc = (name: string): string =>
    `function ${name} (shape) {\n  return shape.width * shape.height\n}\n`
  t.strictSame(
    describeDiff(`${calc('calc')}${rest}`, `${calc('sizeOf')}${rest.replace('calc(', 'sizeOf(')}`, {
      language: 'javascript'
    }),
    [{ line: 1, kind: 'refactor', description: 'Renamed `calc` to `sizeOf`.' }]
  )

  const loop =
    '    if (item.price > 0 && item.count > 0) {\n      total += item.price * item.count * (1 - item.discount)\n    }\n'
  const whole = `export function sum (items) {\n  let total = 0\n  for (const item of items) {\n${loop}  }\n  return total\n}\n`
  const helper = `function costOf (item, total) {\n${loop}  return total\n}\n`
  const split = `${helper}\nexport function sum (items) {\n  let total = 0\n  for (const item of items) total = costOf(item, total)\n  return total\n}\n`
  const extracted = describeDiff(whole, split, { language: 'javascript' })
  t.match(extracted[0], { line: 1, description: 'Extracted `costOf` from `sum`.' })
  t.notOk(extracted.some(({ description }) => /Added \d+ lines: .function costOf/.test(description)))
  const inlined = describeDiff(split, whole, { language: 'javascript' })
  t.match(inlined[0], { line: 1, description: 'Inlined `costOf` into `sum`.' })
  t.notOk(inlined.some(({ description }) => /Removed \d+ lines: .function costOf/.test(description)))

  t.match(
    describeDiff('def f(a):\n    return a + 1 + a * 2\n', 'def g(a):\n    return a + 1 + a * 2\n', {
      language: 'python'
    }),
    [{ description: 'Renamed `f` to `g`.' }]
  )
  t.match(describeDiff(calc('a'), calc('b').replace('*', '+'), { language: 'javascript' })[0], {
    description: /Replaced/
  })
})
