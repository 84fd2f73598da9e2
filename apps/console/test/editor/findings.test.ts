import t from 'tap'
import { diagnosticsOf } from '../../src/editor/findings.js'

const text = 'a = 1\n  eval(b)  \n\nlast'

t.test('a finding marks its line without surrounding whitespace', async (t) => {
  const [found] = diagnosticsOf([{ level: 'warning', message: 'no', line: 2 }], text)

  t.strictSame(found, { from: 8, to: 15, message: 'no', severity: 'warning' })
  t.equal(text.slice(found?.from, found?.to), 'eval(b)')
})

t.test('findings are sorted by position; one beyond the end is dropped', async (t) => {
  const finding = (line: number) => ({ level: 'note' as const, message: String(line), line })

  const found = diagnosticsOf([finding(4), finding(1), finding(3), finding(5)], text)

  t.strictSame(
    found.map(({ message }) => message),
    ['1', '3', '4']
  )
  t.match(found[1], { from: 18, to: 18, severity: 'info' })
  t.equal(text.slice(found[2]?.from, found[2]?.to), 'last')
})

t.test('the margin has the three levels of the list', async (t) => {
  const levels = ['error', 'warning', 'note'] as const

  const found = diagnosticsOf(
    levels.map((level) => ({ level, message: level, line: 1 })),
    text
  )

  t.strictSame(
    found.map(({ severity }) => severity),
    ['error', 'warning', 'info']
  )
})
