import t from 'tap'
import { runCheck } from '../../src/index.js'
import { poisonedPairs } from './poisoned.js'

// Generous: slow machines and busy ones must pass too.
t.setTimeout(900_000)

t.test('code that modifies built-ins cannot hide the behaviour of a wrong rewrite', async (t) => {
  t.ok(poisonedPairs.length >= 30)
  const notRun: string[] = []
  for (const { what, before, after } of poisonedPairs) {
    const run = await runCheck({ before, after, language: 'javascript' })

    const functions = run?.functions ?? []
    if (functions.length === 0) notRun.push(what)
    else {
      t.ok(
        functions.some(({ isSame }) => !isSame),
        what
      )
    }
  }
  // It runs out of stack in every call. What could not be run is not accepted either.
  t.strictSame(notRun, ['the harness by an error of its own'])
})

t.test('code that changes the language and a right rewrite of it agree', async (t) => {
  for (const { what, before } of poisonedPairs.slice(8, 12)) {
    const after = before.replace('n *= 1', 'n = n * 1')

    const run = await runCheck({ before, after, language: 'javascript' })

    t.ok(
      run?.functions.every(({ isSame }) => isSame),
      what
    )
  }
})

t.test('one step that takes minutes ends with the work of its check, and the next check runs', async (t) => {
  const endless = [
    'let x = 3n ** 200000n; for (;;) x = (x * x) % (7n ** 300000n)',
    'return new Array(4294967295).indexOf(1)'
  ]
  for (const body of endless) {
    const before = `export function f (n) { ${body} }`
    const run = await runCheck({
      before,
      after: before.replace('(n)', '(n, m)'),
      language: 'javascript',
      maxWork: 20_000_000
    })
    t.strictSame(run?.functions, [], body)
  }
  const run = await runCheck({
    before: 'export const f = (a, b) => a - b',
    after: 'export const f = (a, b) => b - a',
    language: 'javascript'
  })
  t.equal(run?.functions[0]?.isSame, false)
})
