import t from 'tap'
import { crumbsOf, formatBytes, joinFolder } from '../src/format.js'

t.test('sizes are formatted briefly', async (t) => {
  const sizes: Array<[number, string]> = [
    [0, '0 B'],
    [1_023, '1023 B'],
    [1_024, '1.0 KB'],
    [12_345, '12 KB'],
    [10_188, '9.9 KB'],
    [10_189, '10 KB'],
    [52_428_800, '50 MB'],
    [1.5 * 1_024 ** 4, '1.5 TB']
  ]
  for (const [bytes, text] of sizes) t.equal(formatBytes(bytes), text)
})

t.test('a folder has breadcrumbs to each folder above it', async (t) => {
  t.strictSame(crumbsOf('a/b'), [
    { name: 'a', folder: 'a' },
    { name: 'b', folder: 'a/b' }
  ])
  t.strictSame(crumbsOf(''), [])
  t.equal(joinFolder('', 'a'), 'a')
  t.equal(joinFolder('a', 'b'), 'a/b')
})
