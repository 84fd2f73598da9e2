import t from 'tap'
import type { Language } from '@filewright/contracts'
import { analyze, checkSyntax } from '../src/index.js'
import { readClean } from './corpus.js'

// Generous: slow machines and busy ones must pass too.
t.setTimeout(240_000)

t.test('code that parses is known to parse, in every language with a parser', async (t) => {
  for (const { language, title, code } of readClean()) {
    const isParsed = !/^(?:c|ruby|yaml)\.md|mysql|t-?sql|sqlite/i.test(title)
    const { ok } = await checkSyntax(code, language)
    if (isParsed) t.equal(ok, true, title)
    else t.not(ok, false, `${title} is not called broken`)
  }
})

t.test('code that does not parse names the line and what is wrong', async (t) => {
  const broken: [Language, string, number][] = [
    ['javascript', 'const a = 1\nconst b = = 2\n', 2],
    ['typescript', 'let a: number = 1\nlet b: = 2\n', 2],
    ['python', 'a = 1\nb = = 2\n', 2],
    ['go', 'package a\n\nfunc f( {\n}\n', 3],
    ['java', 'class A {\n  int f() { return 1 +; }\n}\n', 2],
    ['rust', 'fn f() {\n    let = 1;\n}\n', 2],
    ['java', 'class A {\n  int f() { return 1 }\n}\n', 2],
    ['java', 'class A {\n  void f() { g(1; }\n}\n', 2],
    ['rust', 'fn f() {\n    let a = 1\n    let b = 2;\n}\n', 2],
    ['rust', 'fn f() {\n    g(1;\n}\n', 2],
    ['sql', 'SELECT 1;\nSELEC 2;\n', 2],
    ['shell', 'echo a\nif true; then\n', 2],
    ['css', '.a { color: #333; }\n.b { color: #333;\n', 2],
    ['html', '<p>a</p>\n</div>\n', 2],
    ['html', '<div>\n<p>a\n', 1],
    ['html', '<p>a\n<div>', 2],
    ['javascript', 'export function f () {\n  g()\n', 2]
  ]
  for (const [language, code, line] of broken) {
    const result = await checkSyntax(code, language)
    t.match(result, { ok: false, line }, `${language}: ${JSON.stringify(result)}`)
  }
})

t.test('types are an error in JavaScript and fine in TypeScript', async (t) => {
  const code = 'export const size: number = 1\n'

  t.equal((await checkSyntax(code, 'javascript')).ok, false)
  t.equal((await checkSyntax(code, 'typescript')).ok, true)
})

t.test('markup is read in TypeScript too, and casts in angle brackets still are', async (t) => {
  t.equal((await checkSyntax('export const a = <p>text</p>\n', 'typescript')).ok, true)
  t.equal((await checkSyntax('export const a = <string>load()\n', 'typescript')).ok, true)
})

t.test('scripts that are no modules are read as well', async (t) => {
  t.equal((await checkSyntax('if (a) return\nmodule.exports = 1\n', 'javascript')).ok, true)
  t.equal((await checkSyntax('with (a) { b() }\n', 'javascript')).ok, true)
})

t.test('a language without a parser, and a dialect of SQL that is not ours, are unknown', async (t) => {
  t.strictSame(await checkSyntax('puts 1 +', 'ruby'), { ok: 'unknown' })
  t.strictSame(await checkSyntax('SELECT TOP 10 [name] FROM users', 'sql'), { ok: 'unknown' })
})

t.test('TypeScript that takes a parser twice the work for each level of nesting is skipped', async (t) => {
  const shapes: Array<[name: string, open: string, end: string, close: string]> = [
    ['calls of async with an assignment', 'async(a=', '1', ')'],
    ['calls of async', 'async(', 'a', ')'],
    ['async arrow functions as parameters', 'async(', 'a', ')=>1'],
    ['generic calls of async', 'async<T>(a=', '1', ')'],
    ['calls of async in conditions', 'x?async(', 'b', '):c'],
    ['inferred types with a bound', '(infer U extends ', 'c', '?1:2)'],
    ['mapped types', '{[K in ', 'c', ']:d}'],
    ['finally blocks', 'try{a()}finally{', 'b()', '}']
  ]
  // A parser that doubles its work for each of 60 levels does not come back.
  for (const [name, open, end, close] of shapes) {
    const head = /types/.test(name) ? 'type T = a extends ' : ''
    const code = head + open.repeat(60) + end + close.repeat(60) + (head === '' ? '' : ' ? 1 : 2')

    t.strictSame(await checkSyntax(code, 'typescript'), { ok: 'unknown' }, name)
    t.match(await analyze({ code, language: 'typescript' }), [{ ruleId: 'all/analyzer-failed' }], name)
  }
  t.strictSame(await checkSyntax('const a = async (b = 1) => b\n', 'typescript'), { ok: true })
})

t.test('a parse that was given up leaves nothing behind for the next one', async (t) => {
  const tower = 'async(a='.repeat(60) + '1' + ')'.repeat(60)
  const code = 'const f = (a: number) => (b: number) => x ? (c) : (d) => a + b\n'
  await checkSyntax(code, 'typescript')
  const alone = await analyze({ code: `${code}// alone`, language: 'typescript' })

  await checkSyntax(`const f = (a: number, ${tower}`, 'typescript')

  t.strictSame(await analyze({ code: `${code}// after`, language: 'typescript' }), alone)
})

t.test(
  'long comments, strings and lists of Java are read as code, and text that is not Java is not',
  async (t) => {
    const repeated = (piece: string, chars: number): string => piece.repeat(Math.ceil(chars / piece.length))
    const prose = repeated(
      'When the reader <em>fails</em>, it (the caller) reads on; see {@link A#b}.\n   * ',
      30_000
    )
    const sources = [
      ['a comment', `/** ${prose} */\nclass A {}\n`],
      [
        'comments in lines',
        `class A {\n${repeated('// It is, e.g. here, "quoted (and) so on\n', 30_000)}}\n`
      ],
      ['a text block', `class A {\n  String s = """\n${prose}\n  """;\n}\n`],
      ['strings', `class A {\n  String s = ${repeated('"; ) it (\\" is" +\n', 9_000)}"";\n}\n`],
      [
        'a list of numbers',
        `class A {\n  int[] t = {\n${repeated('    0x1f, 0x2e, -3,\n', 30_000)}  };\n}\n`
      ],
      [
        'a list of characters',
        `class A {\n  char[] t = {\n${repeated(`'"', '\\'', '+',\n`, 30_000)}  };\n}\n`
      ]
    ] as const
    for (const [name, code] of sources) {
      t.strictSame(await checkSyntax(code, 'java'), { ok: true }, name)
      t.notMatch(await analyze({ code, language: 'java' }), [{ ruleId: 'all/analyzer-failed' }], name)
    }

    // The parser's recovery takes minutes on some of these.
    for (const [name, code] of [
      ['prose', prose],
      ['a comment that does not end', `/** ${prose}`],
      ['Python', repeated('  try: a()\n  except: pass\n', 60_000)]
    ] as const) {
      t.strictSame(await checkSyntax(code, 'java'), { ok: 'unknown' }, name)
    }
  }
)

t.test('Python is read up to the syntax of 3.14', async (t) => {
  for (const code of [
    'class Heap[T: Comparable]:\n    items: list[T]\n',
    'def first[T](items: list[T]) -> T:\n    return items[0]\n',
    'type Pair = tuple[int, int]\n',
    'def show(a):\n    print(f"{a["b"]}")\n',
    'class Box[T = int]:\n    item: T\n',
    'import a\n\ntry:\n    a.run()\nexcept ValueError, KeyError:\n    a.stop()\n',
    'def greet(name):\n    return t"hello {name}"\n'
  ]) {
    t.strictSame(await checkSyntax(code, 'python'), { ok: true }, code)
    t.strictSame(await analyze({ code, language: 'python' }), [], code)
  }
  t.match(await checkSyntax('type X = \n', 'python'), { ok: false, line: 1 })
  t.match(await checkSyntax('class Heap[T: Comparable]:\n    a = (\n', 'python'), { ok: false, line: 2 })
})

t.test('code that a started process reads and a new one has no stack for is skipped by both', async (t) => {
  const shapes: Array<[name: string, code: (count: number) => string]> = [
    ['operators', (count) => `x = ${'a + '.repeat(count)}a\n`],
    ['calls', (count) => `x = a${'(b)'.repeat(count)}\n`],
    ['conditions', (count) => `x = ${'a ? b : '.repeat(count)}c\n`],
    ['branches', (count) => `if (a) b()\n${'else if (a) b()\n'.repeat(count)}`]
  ]
  const isRead = async (code: string, language: Language): Promise<boolean> =>
    !(await analyze({ code, language })).some(({ ruleId }) => ruleId === 'all/analyzer-failed')

  for (const [name, codeOf] of shapes) {
    t.equal(await isRead(codeOf(700), 'javascript'), true, `700 ${name} of JavaScript`)
    t.equal(await isRead(codeOf(350), 'typescript'), true, `350 ${name} of TypeScript`)
    for (const count of [1_000, 2_000, 4_500]) {
      t.equal(await isRead(codeOf(count), 'javascript'), false, `${count} ${name} of JavaScript`)
      t.equal(await isRead(codeOf(count), 'typescript'), false, `${count} ${name} of TypeScript`)
    }
  }
})
