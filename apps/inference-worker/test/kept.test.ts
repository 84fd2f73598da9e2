import t from 'tap'
import { cpuMsOf } from '@filewright/testing'
import { isWrittenOut, keepsLandmarks, keepsWhatItUses } from '../src/kept.js'

t.test('a declaration that is gone and still used is missed, in every language', (t) => {
  for (const [what, before, after] of [
    ['function', 'function a () {}\na()', 'a()'],
    ['arrow', 'const a = (x) => x\na(1)', 'a(1)'],
    ['typed arrow', 'const a = async (x: number): Promise<number> => x\nawait a(1)', 'await a(1)'],
    [
      'method',
      'class B {\n  #c () {}\n  d () {\n    return this.e()\n  }\n\n  e () {\n  }\n}',
      'class B {\n  d () {\n    return this.e()\n  }\n}'
    ],
    ['Python', 'def a():\n    pass\n\na()', 'a()'],
    [
      'Go',
      'func (s *Server) a(x int) int {\n\treturn 1\n}\nfunc b() int { return s.a(1) }',
      'func b() int { return s.a(1) }'
    ],
    ['Rust', 'fn a<T>(x: T) -> T {\n    x\n}\npub fn b() { a(1); }', 'pub fn b() { a(1); }'],
    [
      'Java',
      'class A {\n  private static int a(int x) {\n    return x;\n  }\n  int b() { return a(1); }\n}',
      'class A {\n  int b() { return a(1); }\n}'
    ],
    ['shell', 'say() {\n  echo 1\n}\nsay', 'say']
  ] as const) {
    t.equal(keepsWhatItUses(before, after), false, what)
    t.equal(keepsWhatItUses(before, before), true, `${what}, kept`)
    t.equal(keepsWhatItUses(before, ''), true, `${what}, no longer used`)
  }
  t.end()
})

t.test('a helper that was written into its caller is not missed, nor is one that became an arrow', (t) => {
  t.ok(keepsWhatItUses('function a (x) { return x }\nexport const b = a(1)', 'export const b = 1'))
  t.ok(keepsWhatItUses('function a (x) { return x }\na(1)', 'const a = (x) => x\na(1)'))
  t.end()
})

t.test('hints at code that is not there are seen, those of the submitted code are not', (t) => {
  for (const hint of [
    '// ... rest of the code',
    '# existing code',
    '/* implementation here */',
    '// … ',
    '<!-- unchanged -->',
    '-- remaining lines'
  ]) {
    t.notOk(isWrittenOut('a', `a\n${hint}\n`), hint)
    t.ok(isWrittenOut(`a\n${hint}\n`, `b\n${hint}\n`), hint)
  }
  t.ok(isWrittenOut('a', 'const [first, ...rest] = list // takes the others'))
  t.end()
})

t.test('what can be addressed from outside stays', (t) => {
  t.ok(keepsLandmarks('<a id="x" href="/y">z</a>', '<a href="/y" id="x">z</a>', 'html'))
  t.notOk(keepsLandmarks('<a id="x" href="/y">z</a>', '<a href="/y">z</a>', 'html'))
  t.notOk(keepsLandmarks('<!-- a --><input name="q">', '<!-- <input name="q"> -->', 'html'))
  t.notOk(keepsLandmarks('SELECT 1;', 'SELECT 1; DROP TABLE users;', 'sql'))
  t.ok(keepsLandmarks('select a  from b', 'SELECT a FROM b', 'sql'))
  t.ok(keepsLandmarks('anything', 'else', 'go'))
  t.end()
})

t.test('any long text is looked at in no time', async (t) => {
  for (const text of [
    'function',
    'func (',
    'const a',
    'a ',
    ' ',
    '<!--',
    '/*',
    'x',
    '--',
    '#',
    'a(',
    'id="',
    '{',
    'function a',
    '\n',
    'function ',
    'create table ',
    'a{b;'
  ]) {
    const long = text.repeat(200_000 / text.length)
    const cpuMs = await cpuMsOf(() => {
      keepsWhatItUses(long, long)
      isWrittenOut(long, long)
      for (const language of ['sql', 'shell', 'css', 'html'] as const) keepsLandmarks(long, long, language)
    })
    t.ok(cpuMs < 10_000, `${JSON.stringify(text)}: ${cpuMs} ms of work`)
  }
})
