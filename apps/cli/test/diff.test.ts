import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { unifiedDiff } from '../src/diff.js'
import { plainText } from '../src/io.js'

const shown = (path: string, before: string, after: string): string =>
  plainText(unifiedDiff(path, before, after) ?? 'too large')

t.test('a diff shows the changes with three lines of context', async (t) => {
  const before = Array.from({ length: 20 }, (_, i) => `line ${i + 1}`)
  const after = before.toSpliced(9, 1, 'changed', 'added').toSpliced(0, 1)

  t.equal(
    shown('f.txt', `${before.join('\n')}\n`, `${after.join('\n')}\n`),
    [
      '--- a/f.txt',
      '+++ b/f.txt',
      '@@ -1,4 +1,3 @@',
      '-line 1',
      ' line 2',
      ' line 3',
      ' line 4',
      '@@ -7,7 +6,8 @@',
      ' line 7',
      ' line 8',
      ' line 9',
      '-line 10',
      '+changed',
      '+added',
      ' line 11',
      ' line 12',
      ' line 13',
      ''
    ].join('\n')
  )
})

t.test('git applies the diff, also without a newline at the end', async (t) => {
  const folder = t.testdir({ 'f.txt': 'a\nb\nc' })
  const diff = shown('/f.txt', 'a\nb\nc', 'a\nB\nc\n')
  await writeFile(join(folder, 'p.diff'), diff)

  await promisify(execFile)('git', ['apply', 'p.diff'], { cwd: folder })

  t.equal(await readFile(join(folder, 'f.txt'), 'utf8'), 'a\nB\nc\n')
})

t.test('git applies the diff of a file that was empty, and of one that becomes empty', async (t) => {
  for (const [before, after] of [
    ['', 'a\n'],
    ['a\n', ''],
    ['a\nb\n', 'a\n'],
    ['a\r\nb\r\n', 'a\r\nc\r\n'],
    ['-- a\n++ b\n', '++ b\n']
  ] as const) {
    const folder = t.testdir({ 'f.txt': before })
    await writeFile(join(folder, 'p.diff'), shown('f.txt', before, after))

    await promisify(execFile)('git', ['apply', 'p.diff'], { cwd: folder })

    t.equal(await readFile(join(folder, 'f.txt'), 'utf8'), after)
  }
})

/** Runs in a separate process, to measure the diff's peak memory. */
const PEAK = `
  const { unifiedDiff } = await import(process.argv[1])
  const lines = (/** @type {string} */ word) => Array.from({ length: 20_000 }, (_, i) => word + i + '\\n').join('')
  const isShown = unifiedDiff('f.txt', lines('old '), lines('new ')) !== null
  console.log(JSON.stringify({ isShown, peakMb: process.resourceUsage().maxRSS / 1024 }))
`

t.test('20,000 changed lines are not shown, and take no more memory than a few', async (t) => {
  const module = new URL('../src/diff.js', import.meta.url).href
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', PEAK, module])
  const { isShown, peakMb } = JSON.parse(stdout) as { isShown: boolean; peakMb: number }

  t.equal(isShown, false)
  t.ok(peakMb < 400, `the peak is ${Math.round(peakMb)} MB`)
})

t.test('a long file with few changes is shown', async (t) => {
  const before = Array.from({ length: 50_000 }, (_, i) => `line ${i}\n`)
  const after = before.with(0, 'first\n').with(-1, 'last\n')

  t.match(shown('f.txt', before.join(''), after.join('')), /^-line 0\n\+first\n[^]*-line 49999\n\+last\n$/m)
})
