import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ROOT } from '../helpers/root.js'

interface Lib {
  LONGEST: readonly string[]
  longestFirst: (files: readonly string[], longest?: readonly string[]) => string[]
}
const { LONGEST, longestFirst } = (await import(
  new URL('../../../bin/lib/longest-files.mjs', import.meta.url).href
)) as Lib

t.test('the longest files start first, then the long suite, then the short one', async (t) => {
  const files = ['a/dist/test/a.test.js', 'a/dist/test/b.long.test.js', 'a/dist/test/c.test.js']
  const slow = ['b/dist/test/slower.test.js', 'b/dist/test/slowest.long.test.js']

  const order = longestFirst(
    [...files, ...slow],
    ['b/test/slowest.long.test.ts', 'b/test/slower.test.ts', 'b/test/not-in-this-run.test.ts']
  )

  t.strictSame(order, [
    'b/dist/test/slowest.long.test.js',
    'b/dist/test/slower.test.js',
    'a/dist/test/b.long.test.js',
    'a/dist/test/a.test.js',
    'a/dist/test/c.test.js'
  ])
})

t.test('every file in the list exists', async (t) => {
  t.ok(LONGEST.length > 0)
  for (const file of LONGEST) t.ok(existsSync(join(ROOT, file)), file)
})
