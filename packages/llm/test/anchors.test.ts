import t from 'tap'
import { cpuMsOf } from '@filewright/testing'
import { anchorCode, anchorOf, splitLines } from '../src/index.js'

t.test('lines are counted as in editors, whatever their line endings', async (t) => {
  t.strictSame(splitLines('a\nb'), ['a', 'b'])
  t.strictSame(splitLines('a\nb\n'), ['a', 'b'])
  t.strictSame(splitLines('a\r\nb\r\n\r\n'), ['a', 'b', ''])
  t.strictSame(splitLines('a\rb'), ['a', 'b'])
  t.strictSame(splitLines(''), [''])
  t.strictSame(splitLines('\n'), [''])
})

t.test('an anchor names the line and changes with its content', async (t) => {
  t.match(anchorOf(12, 'const a = 1'), /^12#[0-9a-f]{3}$/)
  t.equal(anchorOf(1, 'a'), '1#90a', 'the same in every process')
  t.not(anchorOf(1, 'a'), anchorOf(1, 'b'))
})

t.test('hashes of similar lines hardly ever collide', async (t) => {
  const hashes = new Set(
    Array.from({ length: 1_000 }, (_, index) => anchorOf(1, `const value${index} = ${index}`))
  )
  t.ok(hashes.size > 800, `${hashes.size} different ones`)
})

t.test('code is numbered line by line with its anchors', async (t) => {
  const { lines, anchors, numbered } = anchorCode('a\n\tb|c\n')
  t.strictSame(lines, ['a', '\tb|c'])
  t.equal(numbered, `${anchors[0]}|a\n${anchors[1]}|\tb|c`)
})

t.test('256 KiB of line breaks are anchored in seconds, not minutes', async (t) => {
  t.ok(
    (await cpuMsOf(() => {
      t.equal(anchorCode('\n'.repeat(256 * 1024)).anchors.length, 256 * 1024)
    })) < 5_000
  )
})
