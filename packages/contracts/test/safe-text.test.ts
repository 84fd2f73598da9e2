import t from 'tap'
import { safeJson, safeText } from '../src/index.js'

const between = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, i) => String.fromCharCode(first + i))

const obeyed = [
  ...between(0x00, 0x08),
  ...between(0x0b, 0x1f),
  ...between(0x7f, 0x9f),
  ...between(0x202a, 0x202e),
  ...between(0x2066, 0x2069),
  '\ud800',
  '\udfff'
]

t.test('text keeps visible characters and loses terminal control characters', async (t) => {
  for (const character of obeyed) t.equal(safeText(`a${character}b`), 'a\ufffdb')
  const shown = 'tab\tline\nü 日本 שלום 👩‍👩‍👧 \u200e'
  t.equal(safeText(shown), shown)
  t.equal(safeText('a\r\nb\r'), 'a\nb', 'the end of a line on Windows is the end of a line')
})

t.test('JSON keeps its value and is written without such characters', async (t) => {
  for (const character of obeyed) {
    const json = safeJson(JSON.stringify({ [`k${character}`]: [`a${character}b`] }, null, 2))
    t.strictSame(JSON.parse(json), { [`k${character}`]: [`a${character}b`] })
    t.equal(safeText(json), json)
  }
})
