import type { Language } from '@filewright/contracts'

/** Code of about so many characters, in a shape that is cheap to send and may be dear to analyze. */
export interface Shape {
  name: string
  code: (chars: number) => string
}

/** A piece over and over; `#` in it is the number of the round. */
const rows =
  (piece: string) =>
  (chars: number): string => {
    let text = ''
    for (let index = 0; text.length < chars; index++) text += piece.replaceAll('#', String(index))
    return text
  }

const around =
  (before: string, middle: (chars: number) => string, after: string) =>
  (chars: number): string =>
    before + middle(chars) + after

/** Brackets within each other, below the depth where parsers give up; beyond it side by side. */
const nested =
  (open: string, close: string, end: string, depth: number) =>
  (chars: number): string => {
    const levels = Math.min(depth, Math.floor(chars / (open.length + close.length)))
    const tower = open.repeat(levels) + end + close.repeat(levels)
    return Array.from({ length: Math.max(1, Math.round(chars / tower.length)) }, () => tower).join('\n')
  }

/** Texts that mean nothing in any language, or the same in all. */
const everywhere: Shape[] = [
  ...[
    'a',
    'λ',
    '(',
    '[',
    '{',
    '}',
    '"',
    '`',
    '\\',
    '-',
    '<',
    '$',
    '#',
    ' ',
    '\n',
    '[]',
    '<a',
    '/*',
    '//',
    '--',
    '<!--',
    '${',
    '<<',
    '"""',
    '\\"',
    '[a',
    'a b ',
    "a='",
    '\n ',
    '\n# a',
    'aA0_',
    'a@b.',
    '://a:b',
    'secret=',
    'token: "',
    'SELECT a FROM ',
    '<script>'
  ]
].map((piece) => ({ name: JSON.stringify(piece), code: rows(piece) }))

interface Frame {
  before: string
  after: string
  statements: readonly string[]
  expressions: readonly string[]
  /** How an expression is made a statement. */
  use: (expression: string) => string
  blocks: readonly (readonly [string, string])[]
}

const script: Frame = {
  before: 'function f (a, b) {\n',
  after: '\n}\n',
  use: (expression) => `b = ${expression};\n`,
  expressions: [
    '.b()',
    '.b',
    '[0]',
    ' + "x"',
    ' + b',
    '`${a}`',
    ' ? a : b',
    '?.b',
    ' && b',
    '.replace(/a/, "b")',
    '.then(() => a)'
  ],
  statements: [
    'a();\n',
    'const x# = 1;\n',
    'let x# = a + "select 1";\n',
    'var v = 1;\n',
    'if (a) b();\n',
    'a = b = #;\n',
    'x#();\n',
    'a.b.c = "x" + a;\n',
    'try { a() } catch {}\n',
    'switch (a) { case #: b() }\n',
    'function x# (y) { return y }\n',
    'for (;;) a();\n',
    'return; if (a) b();\n',
    'await a;\n',
    'a: for (;;) {}\n',
    '// a\n',
    '/* a */',
    'return a;\n',
    'throw a;\n',
    'class C# { @d m () {} }\n',
    'x.push(/a+#/);\n',
    'const { x# } = a;\n'
  ],
  blocks: [
    ['if (a) {', '}'],
    ['for (const x of a) {', '}'],
    ['() => {', '}'],
    ['(', ')'],
    ['[', ']'],
    ['a(', ')'],
    ['{ a: ', '}'],
    ['`${', '}`'],
    ['a ? ', ' : b']
  ]
}

const frames: Partial<Record<Language, Frame>> = {
  python: {
    before: 'def f(a, b):\n  b = 1\n',
    after: '\n',
    use: (expression) => `  b = ${expression}\n`,
    expressions: [
      '.b()',
      '.b',
      '[0]',
      ' + "x"',
      ' + b',
      ' if a else b',
      ' and b',
      ' "a"',
      '.format(a)',
      ' % a',
      ' < b'
    ],
    statements: [
      '  a()\n',
      '  x# = 1\n',
      '  x# = a + "select 1"\n',
      '  a += "x"\n',
      '  if a: b()\n',
      '  import x#\n',
      '  for x in a: b += "x"\n',
      '  with a: b()\n',
      '  x#: list = []\n',
      '  return a\n',
      '  # a\n',
      '  """a"""\n',
      '  x = f"{a}"\n',
      '  try: a()\n  except: pass\n',
      '  def g#(): pass\n',
      '  @d\n  def g(): pass\n',
      '  open(x#)\n',
      '  x = open(request.args)\n',
      '  global x#\n',
      '  lambda x: #\n',
      '  cur.execute(a)\n',
      '  a.append(#)\n'
    ],
    blocks: [
      ['(', ')'],
      ['[', ']'],
      ['a(', ')'],
      ['{"a": ', '}'],
      ['lambda: (', ')'],
      ['f"{', '}"'],
      ['[b for b in ', ']']
    ]
  },
  go: {
    before: 'package a\n\nfunc f(a, b T) {\n',
    after: '\n}\n',
    use: (expression) => `\tb = ${expression}\n`,
    expressions: ['.b()', '.b', '[0]', ' + "x"', ' + b', ' && b', '.Where("a")', '(1)', '.(T)'],
    statements: [
      '\ta()\n',
      '\tx# := 1\n',
      '\tx#, err := os.Open(a)\n',
      '\tx# := a + "select 1"\n',
      '\ta += "x"\n',
      '\tif a {\n\t\tb()\n\t}\n',
      '\tmu.Lock()\n',
      '\tvar x# map[string]int\n',
      '\tfor x := range a {\n\t\tb += "x"\n\t}\n',
      '\tdefer a()\n',
      '\treturn\n',
      '\t// a\n',
      '\tx# := func() { a() }\n',
      '\texec.Command("sh", "-c", x#)\n',
      '\tswitch a {\n\tcase #:\n\t\tb()\n\t}\n',
      '\tgo a()\n',
      '\tfmt.Printf("%s", a)\n',
      '\tos.Open(x)\n'
    ],
    blocks: [
      ['if a {', '}'],
      ['for {', '}'],
      ['func() {', '}()'],
      ['b = (', ')'],
      ['a(', ')'],
      ['b = []T{', '}']
    ]
  },
  java: {
    before: 'class A {\n  void f(String a, String b) {\n',
    after: '\n  }\n}\n',
    use: (expression) => `    b = ${expression};\n`,
    expressions: [
      '.b()',
      '.b',
      '[0]',
      ' + "x"',
      ' + b',
      ' && b',
      ' ? a : b',
      '.map(x -> x)',
      '.findFirst().get()',
      '.size() == 0'
    ],
    statements: [
      'a();\n',
      'int x# = 1;\n',
      'String x# = a + "select 1";\n',
      'var x# = new FileReader(a);\n',
      'a += "x";\n',
      'if (a) b();\n',
      'if (a == b) { b(); }\n',
      'for (;;) a += "x";\n',
      'for (;;) ',
      'if (a) ',
      'try { a(); } catch (E e) {}\n',
      'switch (a) { case #: b(); }\n',
      'return;\n',
      '// a\n',
      '/* a */',
      'new Thread(a).run();\n',
      'x#.run();\n',
      'out.print(x#);\n',
      'new File(x#);\n',
      'x#.get();\n',
      'Runnable r# = () -> a();\n',
      'l#.contains(a);\n'
    ],
    blocks: [
      ['if (a) {', '}'],
      ['for (;;) {', '}'],
      ['b = (', ');'],
      ['a(', ');'],
      ['a(() -> {', '});'],
      ['new T() { void g() {', '} };']
    ]
  },
  rust: {
    before: 'fn f(a: T, b: T) {\n',
    after: '\n}\n',
    use: (expression) => `    b = ${expression};\n`,
    expressions: [
      '.b()',
      '.b',
      '[0]',
      ' + "x"',
      ' + b',
      ' && b',
      '?',
      '.await',
      '.parse().unwrap()',
      '::<T>()',
      ' as T',
      '.map(|x| x)'
    ],
    statements: [
      'a();\n',
      'let x# = 1;\n',
      'let x# = format!("select {}", a);\n',
      'a.unwrap();\n',
      'x = x + "x";\n',
      'if a { b(); }\n',
      'for x in a { b(); }\n',
      'unsafe { a() };\n',
      'match a { # => b(), _ => () };\n',
      'return a;\n',
      '// a\n',
      '/* a */',
      'let _ = a.send(#);\n',
      'fn g#() {}\n',
      'use a::b#;\n',
      'println!("{}", a);\n',
      '#[d]\nfn g() {}\n',
      'File::open(x#);\n'
    ],
    blocks: [
      ['if a {', '}'],
      ['loop {', '}'],
      ['(', ')'],
      ['a(', ')'],
      ['[', ']'],
      ['|x| {', '}'],
      ['m!(', ')']
    ]
  },
  shell: {
    before: 'f() {\n',
    after: '\n}\n',
    use: (expression) => `  b=${expression}\n`,
    expressions: ['$a', '"$a"', '${a}', '$(a)', '`a`', '\\ a', "'a'", '$((a + 1))'],
    statements: [
      'a\n',
      'a | b\n',
      'x#=1\n',
      'x#=$(cat a | grep b)\n',
      'rm -rf $x#\n',
      'if a; then b; fi\n',
      'for x in a; do b $x; done\n',
      'while read x; do b; done < a\n',
      '[ $a = b ]\n',
      'cd a\n',
      'exit 1\n',
      '# a\n',
      'cat <<E\na\nE\n',
      'case a in b) c;; esac\n',
      'a && b || c\n',
      'export x#=1\n',
      'g#() { a; }\n',
      'eval "$a"\n',
      'a |',
      'a &&',
      'a "b" '
    ],
    blocks: [
      ['if a; then ', '; fi'],
      ['for x in a; do ', '; done'],
      ['$(', ')'],
      ['(', ')'],
      ['{ ', '; }'],
      ['"$(', ')"'],
      ['${a:-', '}']
    ]
  },
  sql: {
    before: 'SELECT a FROM t WHERE a = 1',
    after: ';\n',
    use: (expression) => ` AND b = ${expression}`,
    expressions: [' + 1', " || 'x'", '::text', '[1]', ' OR b', ', b', '.b'],
    statements: [
      ';\nSELECT * FROM t#',
      '; UPDATE t SET a = #',
      ' AND a IN (1)',
      " OR a LIKE '%x'",
      ' UNION SELECT #',
      '; DELETE FROM t',
      "; INSERT INTO t VALUES ('a', #)",
      ' AND [a] = 1',
      ' AND `a` = 1',
      '; SELECT TOP 1 [a] FROM t',
      '; GRANT ALL ON t TO u',
      '\n-- a',
      ' /* a */ ',
      '\nGO\n',
      ' JOIN u# ON 1=1',
      '; SELECT $$ a $$',
      '; CREATE TABLE t# (a int(1)) ENGINE=x',
      ' AND @a = 1',
      ' AND :a = 1',
      ' LIMIT 1, 1'
    ],
    blocks: [
      ['(', ')'],
      ['(SELECT ', ')'],
      ['f(', ')'],
      ['CASE WHEN a THEN ', ' END'],
      ['ARRAY[', ']']
    ]
  },
  css: {
    before: '.a { color: red }\n',
    after: '\n',
    use: (expression) => `a${expression} { color: red }\n`,
    expressions: [' a', ' > a', '.a', '#a', '[a]', ':not(a)', ', a', '::before', ':focus', ' *'],
    statements: [
      '.x# { color: red; }\n',
      '@media print { a { color: red } }\n',
      '@import "x#";\n',
      '/* a */',
      'a { }\n',
      '.a { p#: 1; p: 1; p: 2 }\n',
      ':root { --x#: 1 }\n',
      '@keyframes x# { from { top: 0 } }\n',
      'a { background: url(data:a) }\n',
      '.x#, ',
      'a { color: #fff',
      'a { width: calc(1px + 1px) }\n'
    ],
    blocks: [
      ['@media print {', '}'],
      ['a {', '}'],
      ['a:not(', ')'],
      ['a { width: calc(', ') }'],
      ['& {', '}']
    ]
  },
  html: {
    before: '<!doctype html><html lang="en"><head><title>a</title></head><body>\n',
    after: '\n</body></html>\n',
    use: (expression) => `<p ${expression}>a</p>\n`,
    expressions: [
      ' a',
      ' a#="b"',
      ' class="a"',
      ' id="a"',
      ' style="color: red"',
      " onclick='a()'",
      ' data-x=1',
      ' a b '
    ],
    statements: [
      '<p>a</p>\n',
      '<p id="x#">a</p>\n',
      '<img src="a">',
      '<a href="javascript:a">a</a>',
      '<br/>',
      '<!-- a -->',
      '<script>a(#)</script>\n',
      '<style>a { color: red }</style>\n',
      '<p>',
      '</p>',
      '<input id=x#><label for=x#>',
      '<li>',
      '&amp;',
      '<td><tr>',
      '<h#>',
      '<iframe src="http://a">',
      '<form><input></form>',
      '<p a="'
    ],
    blocks: [
      ['<div>', '</div>'],
      ['<p>', '</p>'],
      ['<a b="', '">'],
      ['<ul><li>', '</li></ul>']
    ]
  }
}

export function shapesOf(language: Language): Shape[] {
  const { before, after, statements, expressions, use, blocks } = frames[language] ?? script
  const own: Shape[] = [
    ...statements.map((piece) => ({
      name: `rows of ${JSON.stringify(piece)}`,
      code: around(before, rows(piece), after)
    })),
    ...expressions.map((piece) => ({
      name: `a chain of ${JSON.stringify(piece)}`,
      code: around(before, (chars) => use('a' + rows(piece)(chars)), after)
    })),
    ...blocks.map(([open, close]) => ({
      name: `nested ${JSON.stringify(open)}`,
      code: around(before, nested(open, close, 'a', 90), after)
    })),
    ...blocks.map(([open]) => ({
      name: `open ${JSON.stringify(open)}`,
      code: around(before, rows(open), '')
    }))
  ]
  return [...own, ...everywhere]
}
