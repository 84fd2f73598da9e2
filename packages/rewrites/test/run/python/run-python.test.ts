import t from 'tap'
import { runCheck } from '../../../src/index.js'

// Generous: slow machines and busy ones must pass too.
t.setTimeout(120_000)

const before = `def count_words(text):
    counts = {}
    for word in text.split():
        if word in counts:
            counts[word] = counts[word] + 1
        else:
            counts[word] = 1
    return counts
`
const right = `def count_words(text):
    counts = {}
    for word in text.split():
        counts[word] = counts.get(word, 0) + 1
    return counts
`

t.test('a rewrite in Python that does the same is vouched for, on every input', async (t) => {
  const run = await runCheck({ before, after: right, language: 'python' })

  t.match(run?.functions, [{ unit: 'count_words', isSame: true }])
  t.ok((run?.functions[0]?.inputs ?? 0) >= 200, 'the planned inputs and those that reach new branches')
  t.strictSame(run?.unreached, [])
})

t.test(
  'a rewrite with other behaviour is not the same, and neither is one that leaves the sandbox',
  async (t) => {
    const wrong = right.replace('get(word, 0)', 'get(word, 1)')
    const leaving = right.replace('    return', '    import os; os.system("ls")\n    return')
    for (const after of [wrong, leaving]) {
      const run = await runCheck({ before, after, language: 'python' })
      t.notOk(
        run?.functions.some(({ isSame }) => isSame),
        after
      )
    }
  }
)

t.test('lines may end as on Windows', async (t) => {
  const windows = (code: string): string => code.replaceAll('\n', '\r\n')
  const run = await runCheck({ before: windows(before), after: windows(right), language: 'python' })

  t.match(run?.functions, [{ unit: 'count_words', isSame: true }])
  t.ok((run?.functions[0]?.inputs ?? 0) >= 200, 'the planned inputs and those that reach new branches')
  t.strictSame(run?.unreached, [])
})

t.test('a deliberate mistake is noticed', async (t) => {
  const at = before.indexOf('counts[word] + 1')
  const mutants = [{ start: at, end: at + 'counts[word] + 1'.length, texts: ['counts[word] + 2'] }]
  const run = await runCheck({ before, after: right, language: 'python', mutants })

  t.strictSame(run?.noticed, [true])
})

t.test('code that cannot be loaded is not run', async (t) => {
  const foreign = `import requests\n${before}`

  t.equal(await runCheck({ before: foreign, after: `import requests\n${right}`, language: 'python' }), null)
})
