import t, { type Test } from 'tap'
import { createProgress, timeLeft, type Progress, type ProgressOptions } from '../src/progress.js'

interface Shown {
  progress: Progress
  notes: string[]
  /** The status line at that time. */
  lineAt: (ms: number) => string
}

function show(t: Test, options: Omit<ProgressOptions, 'now'>, columns = 100): Shown {
  const notes: string[] = []
  let line = ''
  let at = 0
  let draw = (): void => {}
  t.intercept(globalThis, 'setInterval', {
    value: (run: () => void) => {
      draw = run
    }
  })
  const progress = createProgress(
    {
      isTerminal: true,
      columns,
      note: (text) => notes.push(String(text)),
      draw: ([shown = '']) => {
        line = shown
      }
    },
    { ...options, now: () => at }
  )
  draw()
  return {
    progress,
    notes,
    lineAt: (ms) => {
      at = ms
      draw()
      return line
    }
  }
}

t.test('one line shows all files, the rate and the time left', async (t) => {
  const { progress, notes, lineAt } = show(t, { action: 'Uploading', count: 2, bytes: 2_097_152 })
  const first = progress.begin('a', 1_048_576)
  first.advance(1_048_576)
  first.end('stored')

  t.equal(
    lineAt(4_000),
    'Uploading  ████████████░░░░░░░░░░░░  1 of 2 files  1.0 MB of 2.0 MB  256 KB/s  4 s left'
  )
  t.strictSame(notes, [])
})

t.test('an attempt that starts again does not count twice', async (t) => {
  const { progress, lineAt } = show(t, { action: 'Uploading', count: 1, bytes: 1_000_000 })
  const transfer = progress.begin('a', 1_000_000)
  transfer.advance(900_000)
  lineAt(1_000)
  transfer.advance(0)

  t.match(lineAt(1_500), /0 B of 977 KB$/)
})

t.test('the rate is that of the last seconds', async (t) => {
  const { progress, lineAt } = show(t, { action: 'Uploading', count: 1, bytes: 10_485_760 })
  const transfer = progress.begin('a', 10_485_760)
  transfer.advance(5_242_880)
  for (let ms = 1_000; ms <= 30_000; ms += 1_000) lineAt(ms)

  t.notMatch(lineAt(31_000), '/s', 'it stands still')
})

t.test('a narrow terminal gets no bar, and never a second line', async (t) => {
  const { progress, lineAt } = show(t, { action: 'Uploading', count: 2000, bytes: 2_000_000 }, 30)
  progress.begin('a', 1_000)

  t.notMatch(lineAt(1_000), '░')
  t.ok(lineAt(2_000).length < 30)
})

t.test('a file that succeeded has a line if it is alone or with --verbose; a failure always', async (t) => {
  for (const [count, isVerbose, expected] of [
    [2, false, ['b: refused\n']],
    [2, true, ['a: stored\n', 'b: refused\n']],
    [1, false, ['a: stored\n', 'b: refused\n']]
  ] as const) {
    const { progress, notes } = show(t, { action: 'Uploading', count, bytes: 2, isVerbose })
    progress.begin('a', 1).end('stored')
    progress.begin('b', 1).fail('refused')
    t.strictSame(notes, expected)
  }
})

t.test('the time left is rounded up', async (t) => {
  for (const [ms, text] of [
    [1, '1 s left'],
    [89_001, '2 min left'],
    [61_000, '61 s left'],
    [3_600_000, '60 min left'],
    [7_000_000, '2 h left']
  ] as const) {
    t.equal(timeLeft(ms), text)
  }
})
