import t from 'tap'
import { hunksOf } from '../../src/editor/diff.js'

t.test('changed lines are hunks with the numbers of the old text', async (t) => {
  t.strictSame(hunksOf('a\nb\nc\nd\ne', 'a\nB\nc\nd\nE\nF'), [
    { oldStart: 2, oldLines: 1, lines: ['-b', '+B'] },
    { oldStart: 5, oldLines: 1, lines: ['-e', '+E', '+F'] }
  ])
})

t.test('added and removed lines, also at the end and empty ones', async (t) => {
  t.strictSame(hunksOf('a\nb\nc\n', 'a\nc\n'), [{ oldStart: 2, oldLines: 1, lines: ['-b'] }])
  t.match(hunksOf('a\nc\n', 'a\nb\nc\n'), [{ oldLines: 0, lines: ['+b'] }])
  t.strictSame(hunksOf('a\n\nc', 'a\nx\nc'), [{ oldStart: 2, oldLines: 1, lines: ['-', '+x'] }])
  t.strictSame(hunksOf('same', 'same'), [])
})
