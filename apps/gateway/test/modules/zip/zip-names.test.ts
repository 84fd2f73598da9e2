import t from 'tap'
import { nameEntries, safeSegment } from '../../../src/modules/zip/zip-names.js'

const named = (base: string, ...paths: string[]): string[] => {
  const files = paths.map((path, i) => {
    const slash = path.lastIndexOf('/')
    return { id: String(i), folder: path.slice(0, Math.max(0, slash)), name: path.slice(slash + 1) }
  })
  return nameEntries(files, base).map(({ id, name }) => `${paths[Number(id)] ?? ''} > ${name}`)
}

t.test('a name cannot escape the target folder and is valid on every system', async (t) => {
  const cases: Array<[string, string]> = [
    ['a.txt', 'a.txt'],
    ['Größe 日本.txt', 'Größe 日本.txt'],
    ['..', '__'],
    ['.', '_'],
    ['', '_'],
    ['.env', '.env'],
    ['a\\..\\b', 'a_.._b'],
    ['C:evil', 'C_evil'],
    ['a\u0000b\u001f', 'a_b_'],
    ['what?*"<>|', 'what______'],
    ['end. .', 'end___'],
    ['nul', '_nul'],
    ['COM1.txt', '_COM1.txt'],
    ['console.txt', 'console.txt'],
    ['aux .c', '_aux .c'],
    ['nul.', '_nul_'],
    ['LPT².log', '_LPT².log'],
    ['CONIN$', '_CONIN$'],
    ['conout$.txt', '_conout$.txt']
  ]
  for (const [given, expected] of cases) t.equal(safeSegment(given), expected, JSON.stringify(given))
})

t.test('names are relative to the folder, and sorted', async (t) => {
  t.strictSame(named('a/b', 'a/b/z.txt', 'a/b/c/y.txt', 'a/b.txt', 'a/bc/x.txt'), [
    'a/b.txt > a/b.txt',
    'a/bc/x.txt > a/bc/x.txt',
    'a/b/c/y.txt > c/y.txt',
    'a/b/z.txt > z.txt'
  ])
})

t.test('names that are the same on some system are numbered', async (t) => {
  t.strictSame(named('', 'a.txt', 'a.txt', 'A.TXT', 'a (2).txt', 'x/a:b', 'x/a?b', 'x/a_b'), [
    'A.TXT > A.TXT',
    'a (2).txt > a (2).txt',
    'a.txt > a (3).txt',
    'a.txt > a (4).txt',
    'x/a:b > x/a_b',
    'x/a?b > x/a_b (2)',
    'x/a_b > x/a_b (3)'
  ])
})

t.test('names that differ only in two lower-case forms of one letter are numbered', async (t) => {
  t.strictSame(named('', 'σ.txt', 'ς.txt', 'ſ.txt', 's.txt', 'ß.txt', 'SS.txt'), [
    'SS.txt > SS.txt',
    's.txt > s.txt',
    'ß.txt > ß (2).txt',
    'ſ.txt > ſ (2).txt',
    'ς.txt > ς.txt',
    'σ.txt > σ (2).txt'
  ])
})

t.test('long names are shortened, and keep their extension', async (t) => {
  const long = ['x'.repeat(251), 'é'.repeat(125), '😀'.repeat(62)].map((name) => `${name}.txt`)
  const reserved = `con.${'y'.repeat(251)}`
  const noExtension = 'z'.repeat(255)
  const names = named('', ...[...long, reserved, noExtension].flatMap((name) => [name, name, name])).map(
    (pair) => pair.slice(pair.indexOf(' > ') + 3)
  )

  t.equal(new Set(names).size, 15)
  for (const name of names) t.ok(Buffer.byteLength(name) <= 255, name)
  t.notOk(names.some((name) => name.includes('\uFFFD') || /[\ud800-\udfff]/u.test(name)))
  t.equal(names.filter((name) => name.endsWith('.txt')).length, 9)
  t.ok(names.includes(`${'x'.repeat(247)} (2).txt`))
  t.equal(safeSegment(`${'a'.repeat(254)} b`), `${'a'.repeat(254)}_`)
})

t.test('a file never gets the name of a folder', async (t) => {
  t.strictSame(named('', 'a', 'A/b.txt', 'c.d/e', 'c.d'), [
    'A/b.txt > A/b.txt',
    'a > a (2)',
    'c.d > c (2).d',
    'c.d/e > c.d/e'
  ])
})

t.test('ten thousand equal names are numbered without looking each number up again', async (t) => {
  const files = Array.from({ length: 10_000 }, (_, i) => ({ id: String(i), folder: '', name: 'a.txt' }))

  const names = nameEntries(files, '').map(({ name }) => name)

  t.equal(new Set(names).size, 10_000)
  t.ok(names.includes('a (10000).txt'))
})
