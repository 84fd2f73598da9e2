import t from 'tap'

interface Import {
  from: string
  to: string
}
interface FolderCycle {
  folders: string
  imports: Import[]
}
interface Lib {
  folderCycles: (imports: readonly Import[]) => FolderCycle[]
  complaintsAbout: (cycles: readonly FolderCycle[], known: readonly string[]) => string[]
}
const { folderCycles, complaintsAbout } = (await import(
  new URL('../../../scripts/folder-cycles.mjs', import.meta.url).href
)) as Lib

/** `a/b.ts > c/d.ts`, below one src. */
const cyclesOf = (...lines: string[]): string[] =>
  folderCycles(
    lines.map((line) => {
      const [from = '', to = ''] = line.split(' > ').map((path) => `packages/p/src/${path}`)
      return { from, to }
    })
  ).map(({ folders }) => folders)

t.test('two folders that import each other are found although no file is in a cycle', async (t) => {
  t.strictSame(cyclesOf('http/a.ts > modules/b.ts', 'modules/c.ts > http/d.ts'), [
    'packages/p/src: http, modules'
  ])
})

t.test('a folder includes everything below it', async (t) => {
  t.strictSame(cyclesOf('http/a.ts > modules/x/b.ts', 'modules/y/z/c.ts > http/deep/d.ts'), [
    'packages/p/src: http, modules'
  ])
  t.strictSame(cyclesOf('m/x/a.ts > m/y/b.ts', 'm/y/c.ts > m/x/d.ts'), ['packages/p/src/m: x, y'])
})

t.test('a cycle through several folders is one, and a separate one is reported separately', async (t) => {
  t.strictSame(
    cyclesOf(
      'a/1.ts > b/1.ts',
      'b/2.ts > c/1.ts',
      'c/2.ts > a/2.ts',
      'd/1.ts > e/1.ts',
      'e/2.ts > d/2.ts',
      'a/1.ts > d/1.ts'
    ),
    ['packages/p/src: a, b, c', 'packages/p/src: d, e']
  )
})

t.test(
  'imports in one direction, inside a folder and of files beside the folders are not a cycle',
  async (t) => {
    t.strictSame(
      cyclesOf(
        'a/1.ts > b/1.ts',
        'b/1.ts > c/1.ts',
        'a/1.ts > c/1.ts',
        'a/1.ts > a/2.ts',
        'a/2.ts > a/x/1.ts',
        'a/x/1.ts > a/3.ts',
        'index.ts > a/1.ts',
        'b/1.ts > errors.ts'
      ),
      []
    )
  }
)

t.test('only the imports that form a cycle are reported', async (t) => {
  const [a, b, c] = ['packages/p/src/a/1.ts', 'packages/p/src/b/1.ts', 'packages/p/src/c/1.ts']
  const [cycle] = folderCycles([
    { from: a, to: b },
    { from: b, to: a },
    { from: a, to: c }
  ])

  t.strictSame(cycle?.imports, [
    { from: a, to: b },
    { from: b, to: a }
  ])
})

t.test('a known cycle is accepted, and an entry without its cycle is refused', async (t) => {
  const imports = [{ from: 'p/src/a/1.ts', to: 'p/src/b/1.ts' }]

  t.strictSame(complaintsAbout([{ folders: 'p/src: a, b', imports }], ['p/src: a, b']), [])
  t.strictSame(complaintsAbout([{ folders: 'p/src: a, b', imports }], []), [
    'Folders that import each other in p/src: a, b\n  p/src/a/1.ts → p/src/b/1.ts'
  ])
  t.strictSame(complaintsAbout([], ['p/src: a, b']), [
    'No cycle any more: p/src: a, b. Remove it from KNOWN_CYCLES.'
  ])
})
