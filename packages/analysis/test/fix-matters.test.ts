import t from 'tap'
import type { Language } from '@filewright/contracts'
import { fix } from '../src/index.js'

// Generous: slow machines and busy ones must pass too.
t.setTimeout(240_000)

const types = ['security', 'performance', 'bugs'] as const
const go = (body: string, result = 'error'): string =>
  `package a\n\nimport (\n\t"bufio"\n\t"io"\n\t"net/http"\n\t"os"\n)\n\nfunc F(path string) ${result} {\n${body}}\n\nvar _ = bufio.NewReader\nvar _ = io.ReadAll\nvar _ = http.Get\nvar _ = os.Open\n`
const opened = '\tf, err := os.Open(path)\n\tif err != nil {\n\t\treturn err\n\t}\n'
const got = '\tresp, err := http.Get(path)\n\tif err != nil {\n\t\treturn err\n\t}\n'

/** The rule, the line of what changes, and the code before and after. */
const rewritten: [Language, string, number, string, string][] = [
  [
    'javascript',
    'js/shell-injection',
    4,
    'import { exec } from \'node:child_process\'\n\nexport const f = (name, done) =>\n  exec(`git log --max-count=5 "${name}"`, (error) => done(error))\n',
    "import { execFile } from 'node:child_process'\n\nexport const f = (name, done) =>\n  execFile('git', ['log', '--max-count=5', String(name)], (error) => done(error))\n"
  ],
  [
    'javascript',
    'js/shell-injection',
    4,
    "const { exec, spawn } = require('child_process')\n\nexports.f = (name, done) => {\n  exec('convert \"' + name + '\" \"' + name + '.png\"', { cwd: '/tmp' }, () => done())\n  return spawn('ls')\n}\n",
    "const { execFile, spawn } = require('child_process')\n\nexports.f = (name, done) => {\n  execFile('convert', [String(name), `${name}.png`], { cwd: '/tmp' }, () => done())\n  return spawn('ls')\n}\n"
  ],
  [
    'typescript',
    'js/shell-injection',
    2,
    "import * as cp from 'child_process'\nexport const f = (pid: number) => cp.execSync(`kill -9 ${pid}`)\n",
    "import * as cp from 'child_process'\nexport const f = (pid: number) => cp.execFileSync('kill', ['-9', String(pid)])\n"
  ],
  [
    'javascript',
    'js/unescaped-markup',
    2,
    "export function f (el, nameInput) {\n  el.innerHTML = 'Hello ' + nameInput.value\n}\n",
    "export function f (el, nameInput) {\n  el.textContent = 'Hello ' + nameInput.value\n}\n"
  ],
  [
    'javascript',
    'js/regex-in-loop',
    4,
    "export function f (lines) {\n  const out = []\n  for (const line of lines) {\n    const date = new RegExp('^[0-9]+', 'i')\n    if (date.test(line)) out.push(line)\n  }\n  return out\n}\n",
    "export function f (lines) {\n  const out = []\n  const date = new RegExp('^[0-9]+', 'i')\n  for (const line of lines) {\n    if (date.test(line)) out.push(line)\n  }\n  return out\n}\n"
  ],
  [
    'javascript',
    'js/regex-in-loop',
    4,
    "export function f (lines) {\n  const out = [];\n  for (const line of lines) {\n    if (new RegExp('^a').test(line)) out.push(line);\n  }\n  return out;\n};\n",
    "export function f (lines) {\n  const out = [];\n  const pattern = new RegExp('^a');\n  for (const line of lines) {\n    if (pattern.test(line)) out.push(line);\n  }\n  return out;\n};\n"
  ],
  [
    'typescript',
    'js/lookup-in-loop',
    5,
    'export function f (users: User[], rows: Row[]) {\n  const ids = users.map((user) => user.id)\n  const out: Row[] = []\n  for (const row of rows) {\n    if (ids.includes(row.id)) out.push(row)\n  }\n  return out\n}\n',
    'export function f (users: User[], rows: Row[]) {\n  const ids = users.map((user) => user.id)\n  const out: Row[] = []\n  const idsSet = new Set(ids)\n  for (const row of rows) {\n    if (idsSet.has(row.id)) out.push(row)\n  }\n  return out\n}\n'
  ],
  [
    'javascript',
    'js/lookup-in-loop',
    3,
    'export function f (byName, rows) {\n  const names = Object.keys(byName)\n  return rows.filter((row) => !names.includes(row.name))\n}\n',
    'export function f (byName, rows) {\n  const names = Object.keys(byName)\n  const namesSet = new Set(names)\n  return rows.filter((row) => !namesSet.has(row.name))\n}\n'
  ],
  [
    'python',
    'py/open-file-with-context-handler',
    5,
    'import json\n\n\ndef load(path):\n    f = open(path)  # why\n    data = json.load(f)\n\n    for line in data:\n        print(line)\n    f.close()\n    return data\n',
    'import json\n\n\ndef load(path):\n    with open(path) as f:  # why\n        data = json.load(f)\n\n        for line in data:\n            print(line)\n    return data\n'
  ],
  [
    'python',
    'py/open-file-with-context-handler',
    2,
    'def lines(path):\n    return open(path).read().split()\n',
    'def lines(path):\n    with open(path) as file:\n        return file.read().split()\n'
  ],
  [
    'python',
    'py/string-building-in-loop',
    4,
    'def render(rows):\n    out = ""\n    for row in rows:\n        out += f"<li>{row}</li>"\n        if row:\n            out += str(row) + "."\n    return out\n',
    'def render(rows):\n    out_parts = []\n    for row in rows:\n        out_parts.append(f"<li>{row}</li>")\n        if row:\n            out_parts.append(str(row) + ".")\n    out = "".join(out_parts)\n    return out\n'
  ],
  [
    'python',
    'py/string-building-in-loop',
    4,
    'def render(rows):\n    out = ""\n    for name, row in rows:\n        out += f"{name}: {row}"\n    return out\n',
    'def render(rows):\n    out = "".join(f"{name}: {row}" for name, row in rows)\n    return out\n'
  ],
  [
    'python',
    'py/string-building-in-loop',
    5,
    'def render(rows):\n    out = ""\n    for row in rows:\n        if row:\n            out += str(row)\n    print(out)\n',
    'def render(rows):\n    out = "".join(str(row) for row in rows if row)\n    print(out)\n'
  ],
  [
    'go',
    'go/resource-leak',
    14,
    go(`${opened}\tscanner := bufio.NewScanner(f)\n\tfor scanner.Scan() {\n\t}\n\treturn scanner.Err()\n`),
    go(
      `${opened}\tdefer f.Close()\n\tscanner := bufio.NewScanner(f)\n\tfor scanner.Scan() {\n\t}\n\treturn scanner.Err()\n`
    )
  ],
  [
    'go',
    'go/resource-leak',
    14,
    go(`${got}\t_, err = io.ReadAll(resp.Body)\n\treturn err\n`),
    go(`${got}\tdefer resp.Body.Close()\n\t_, err = io.ReadAll(resp.Body)\n\treturn err\n`)
  ],
  [
    'shell',
    'sh/unquoted-variable',
    3,
    '#!/bin/bash\nfor f in *.txt; do\n  mv $f old/${f}.bak\ndone\n',
    '#!/bin/bash\nfor f in *.txt; do\n  mv "$f" old/"${f}".bak\ndone\n'
  ],
  [
    'shell',
    'sh/unquoted-variable',
    3,
    '#!/bin/sh\ntmp=$(mktemp -d)\nrm -rf $tmp\n',
    '#!/bin/sh\ntmp=$(mktemp -d)\nrm -rf "$tmp"\n'
  ]
]

for (const [language, ruleId, line, before, after] of rewritten) {
  t.test(`${ruleId}: ${before.split('\n')[line - 1]!.trim()}`, async (t) => {
    const result = await fix({ code: before, language, types })

    t.equal(result.code, after)
    const own = result.fixes.filter((each) => each.ruleId === ruleId)
    // Further entries are of lines that the fix changes elsewhere, such as an import.
    const elsewhere = /^(?:Added|Removed|Replaced|Changed) .*[`\d]/
    t.strictSame(
      [...new Set(own.flatMap((each) => (elsewhere.test(each.description) ? [] : [each.line])))],
      [line]
    )
    t.equal((await fix({ code: after, language, types })).code, after, 'a second time changes nothing')
  })
}

t.test('a fix that changes the code below the line it is about is named once', async (t) => {
  const code =
    'package a\n\nimport (\n\t"io"\n\t"os"\n)\n\nfunc read(name string) ([]byte, error) {\n\tf, err := os.Open(name)\n\tif err != nil {\n\t\treturn nil, err\n\t}\n\treturn io.ReadAll(f)\n}\n'
  const { fixes } = await fix({ code, language: 'go' })
  t.strictSame(
    fixes.map(({ ruleId, line }) => [ruleId, line]),
    [['go/resource-leak', 12]],
    'where the code changes'
  )
})

const exec = "import { exec } from 'node:child_process'\n\nexport const f = (name, done) =>\n  "

/** Looks the same, and would do something else. */
const left: [Language, string, string][] = [
  [
    'javascript',
    'a value that may be several words',
    `${exec}exec(\`convert \${name} a.png\`, () => done())\n`
  ],
  ['javascript', 'a pipe', `${exec}exec(\`grep "\${name}" a.txt | wc -l\`, () => done())\n`],
  ['javascript', 'a command of the shell', `${exec}exec(\`echo "\${name}"\`, () => done())\n`],
  ['javascript', 'a script on Windows', `${exec}exec(\`npm install "\${name}"\`, () => done())\n`],
  ['javascript', 'a wildcard', `${exec}exec(\`rm "\${name}"/*.txt\`, () => done())\n`],
  ['javascript', 'a program from outside', `${exec}exec(\`"\${name}" --version\`, () => done())\n`],
  [
    'javascript',
    'options that ask for a shell',
    `${exec}exec(\`ls "\${name}"\`, { shell: '/bin/bash' }, () => done())\n`
  ],
  ['javascript', 'options from elsewhere', `${exec}exec(\`ls "\${name}"\`, done.options, () => done())\n`],
  [
    'javascript',
    'an exec of another module',
    'import { exec } from \'./tools.js\'\nexport const f = (name) => exec(`ls "${name}"`)\n'
  ],
  [
    'javascript',
    'markup in the fixed part',
    "export function f (el, input) {\n  el.innerHTML = '<b>' + input.value\n}\n"
  ],
  [
    'javascript',
    'an entity in the fixed part',
    "export function f (el, input) {\n  el.innerHTML = 'a&nbsp;' + input.value\n}\n"
  ],
  [
    'javascript',
    'a value that may be markup',
    "export function f (el, part) {\n  el.innerHTML = 'Total: ' + part\n}\n"
  ],
  ['javascript', 'a value alone', 'export function f (el, input) {\n  el.innerHTML = input.value\n}\n'],
  [
    'javascript',
    'a call that may give markup',
    "export function f (el, a) {\n  el.innerHTML = 'Total: ' + a.render()\n}\n"
  ],
  [
    'javascript',
    'a pattern that remembers its place',
    "export function f (lines) {\n  for (const line of lines) {\n    const word = new RegExp('a', 'g')\n    if (word.test(line)) return line\n  }\n  return null\n}\n"
  ],
  [
    'javascript',
    'a pattern that is kept',
    "export function f (lines) {\n  const out = []\n  for (const line of lines) out.push([line, new RegExp('a')])\n  return out\n}\n"
  ],
  [
    'javascript',
    'a pattern that fails when it is made',
    "export function f (lines) {\n  for (const line of lines) {\n    if (new RegExp('(').test(line)) return line\n  }\n  return null\n}\n"
  ],
  [
    'javascript',
    'a pattern whose name means something else outside',
    "export function f (lines, date) {\n  for (const line of lines) {\n    const date = new RegExp('a')\n    if (date.test(line)) return line\n  }\n  return date\n}\n"
  ],
  [
    'javascript',
    'a pattern of a class of the author',
    "import { RegExp } from './re.js'\nexport function f (lines) {\n  for (const line of lines) {\n    if (new RegExp('a').test(line)) return line\n  }\n  return null\n}\n"
  ],
  [
    'javascript',
    'a list that may be a text',
    'export function f (users, rows) {\n  const ids = users.slice(1)\n  return rows.filter((row) => ids.includes(row.id))\n}\n'
  ],
  [
    'javascript',
    'a list that grows in the loop',
    'export function f (byName, rows) {\n  const names = Object.keys(byName)\n  for (const row of rows) {\n    if (!names.includes(row.name)) names.push(row.name)\n  }\n  return names\n}\n'
  ],
  [
    'javascript',
    'a list that others get',
    'export function f (byName, rows, change) {\n  const names = Object.keys(byName)\n  for (const row of rows) {\n    change(names)\n    if (names.includes(row.name)) return row\n  }\n  return null\n}\n'
  ],
  [
    'javascript',
    'a search from an index on',
    'export function f (byName, rows) {\n  const names = Object.keys(byName)\n  return rows.filter((row) => names.includes(row.name, 1))\n}\n'
  ],
  [
    'javascript',
    'a search that runs once',
    'export function f (byName, name) {\n  const names = Object.keys(byName)\n  return names.includes(name)\n}\n'
  ],
  [
    'javascript',
    'a list of few',
    "export function f (rows) {\n  const kinds = ['a', 'b']\n  return rows.filter((row) => kinds.includes(row.kind))\n}\n"
  ],
  [
    'python',
    'a file that is used after it is closed',
    'def load(path):\n    f = open(path)\n    data = f.read()\n    f.close()\n    return data, f.name\n'
  ],
  [
    'python',
    'a file that is handed on',
    'def load(path):\n    f = open(path)\n    data = wrap = f\n    f.close()\n    return data\n'
  ],
  [
    'python',
    'a name that is given to a second file',
    'def load(path):\n    f = open(path)\n    a = f.read()\n    f = open(a)\n    f.close()\n    return a\n'
  ],
  [
    'python',
    'a text over several lines, which would be indented',
    'def load(path):\n    f = open(path, "w")\n    f.write("""a\nb\n""")\n    f.close()\n    return 1\n'
  ],
  [
    'python',
    'a file that is read later',
    'import csv\n\n\ndef load(path):\n    return csv.reader(open(path))\n'
  ],
  [
    'python',
    'an open of the author',
    'def open(path):\n    return path\n\n\ndef load(path):\n    return open(path).read()\n'
  ],
  [
    'python',
    'pieces that may be no texts',
    'def render(rows):\n    out = ""\n    for row in rows:\n        out += row\n    return out\n'
  ],
  [
    'python',
    'a text that the loop reads',
    'def render(rows):\n    out = ""\n    for row in rows:\n        out += str(row)\n        print(out)\n    return out\n'
  ],
  [
    'python',
    'a text that is needed when something fails',
    'def render(rows):\n    out = ""\n    try:\n        for row in rows:\n            out += str(row)\n    except OSError:\n        pass\n    return out\n'
  ],
  [
    'python',
    'a text that does not begin empty',
    'def render(rows, out):\n    for row in rows:\n        out += str(row)\n    return out\n'
  ],
  [
    'python',
    'a loop that ends the function',
    'def render(rows):\n    out = ""\n    for row in rows:\n        out += str(row)\n        if row is None:\n            return "none"\n    return out\n'
  ],
  [
    'python',
    'a loop whose variable is read after it',
    'def render(rows):\n    out = ""\n    for row in rows:\n        out += str(row)\n    return out, row\n'
  ],
  [
    'python',
    'a loop with a comment',
    'def render(rows):\n    out = ""\n    for row in rows:\n        # why\n        out += str(row)\n    return out\n'
  ],
  [
    'python',
    'a loop that waits',
    'async def render(rows):\n    out = ""\n    async for row in rows:\n        out += str(row)\n    return out\n'
  ],
  [
    'python',
    'a loop with an else',
    'def render(rows):\n    out = ""\n    for row in rows:\n        out += str(row)\n    else:\n        print(1)\n    return out\n'
  ],
  [
    'python',
    'a file that a function hands out before it closes it',
    'import csv\n\n\ndef rows(path, lazy):\n    f = open(path)\n    if lazy:\n        return csv.reader(f)\n    data = list(csv.reader(f))\n    f.close()\n    return data\n'
  ],
  [
    'python',
    'a file that a loop leaves open',
    'def load(paths, kept):\n    for path in paths:\n        f = open(path)\n        kept.append(f)\n        if path:\n            continue\n        print(f.read())\n        f.close()\n'
  ],
  [
    'python',
    'a loop that calls super, which a generator cannot',
    'class A(B):\n    def render(self, rows):\n        out = ""\n        for row in rows:\n            out += str(super().cell(row))\n        return out\n'
  ],
  [
    'python',
    'a loop that ends with the iterator it reads',
    'def render(rows, it):\n    out = ""\n    for _ in rows:\n        out += str(next(it))\n    return out\n'
  ],
  [
    'python',
    'a loop in a with statement that may swallow an error',
    'from contextlib import suppress\n\n\ndef render(rows):\n    with suppress(ValueError):\n        out = ""\n        for row in rows:\n            out += str(int(row))\n    return out\n'
  ],
  [
    'python',
    'pieces that may be markup, which a join would make a plain text',
    'def render(rows):\n    out = ""\n    for row in rows:\n        out += escape(row) + "\\n"\n    return out\n'
  ],
  [
    'javascript',
    'a list that a named callback may change',
    "function grow (each, i, all) {\n  all.push('zz' + i)\n}\nexport function f (byName, rows) {\n  const names = Object.keys(byName)\n  return rows.filter((row) => {\n    names.forEach(grow)\n    return names.includes(row.name)\n  })\n}\n"
  ],
  [
    'shell',
    'several words, or none',
    '#!/bin/bash\nfiles=$(cd /tmp && ls a b)\ncat $files\nips=$(hostname -I)\necho $ips\nlink=$(readlink "$1")\nls $link\nboth=$(realpath a b)\nls $both\nhead=$(git rev-parse HEAD~1 HEAD)\ngit diff $head\n'
  ],
  [
    'go',
    'a reader that is returned',
    go(`${opened.replace('return err', 'return nil')}\treturn bufio.NewReader(f)\n`, '*bufio.Reader')
  ],
  [
    'go',
    'a file that is returned',
    go(`${opened.replace('err\n\t}', 'nil, err\n\t}')}\treturn f, nil\n`, '(*os.File, error)')
  ],
  ['go', 'a file that is stored', go(`${opened}\tkept.file = f\n\treturn nil\n`)],
  ['go', 'a file under a second name', go(`${opened}\tg := f\n\treturn keep(g)\n`)],
  ['go', 'a file that another function keeps', go(`${opened}\treturn keep(f)\n`)],
  [
    'go',
    'a file of a loop',
    go(
      `\tfor {\n${opened.replaceAll('\n\t', '\n\t\t').replace('\t', '\t\t').trimEnd()}\n\t\t_, _ = io.ReadAll(f)\n\t}\n`
    )
  ],
  [
    'go',
    'an error that does not end the function',
    go(
      '\tf, err := os.Open(path)\n\tif err != nil {\n\t\tprintln(path)\n\t}\n\t_, err = io.ReadAll(f)\n\treturn err\n'
    )
  ],
  [
    'go',
    'a file that a goroutine reads',
    go(`${opened}\tgo func() {\n\t\t_, _ = io.ReadAll(f)\n\t}()\n\treturn nil\n`)
  ],
  ['shell', 'words that fall apart on purpose', '#!/bin/bash\nfor o in "-a b" -c; do\n  ls $o\ndone\n'],
  ['shell', 'options in a variable', '#!/bin/bash\nopts="-l -a"\nls $opts\n'],
  [
    'shell',
    'a name that changes in the loop',
    '#!/bin/bash\nfor f in *.txt; do\n  f="-n $f"\n  cat $f\ndone\n'
  ],
  ['shell', 'a name with two values', '#!/bin/bash\ndir=$(mktemp -d)\ndir="a b"\nls $dir\n'],
  ['shell', 'another separator', '#!/bin/bash\nIFS=,\nfor f in *.txt; do\n  cat $f\ndone\n']
]

for (const [language, title, code] of left) {
  t.test(`${language}: ${title} stays`, async (t) => {
    t.equal((await fix({ code, language, types })).code, code)
  })
}

t.test('what is said about joined pieces is what became of the loop', async (t) => {
  const described = async (code: string) =>
    (await fix({ code, language: 'python', types: ['performance'] })).fixes.map((each) => each.description)

  const joined = await described(
    'def render(rows):\n    out = ""\n    for row in rows:\n        out += str(row)\n    return out\n'
  )
  const collected = await described(
    'def render(rows):\n    out = ""\n    for row in rows:\n        print(row)\n        out += str(row)\n    return out\n'
  )

  t.strictSame(joined, ['Joined the pieces once.'])
  t.strictSame(collected, [
    'Replaced `out = ""` with `out_parts = []`.',
    'Collected the pieces in a list and joined them once.'
  ])
})

t.test('a `var` beside others becomes a `let`, though one of them could be a `const`', async (t) => {
  const code = `export function without (a, b) {
  var i, result = a.slice()
  for (i = 0; i < result.length; i++) {
    if (result[i] === b) result.splice(i--, 1)
  }
  return { result: result }
}
`

  const once = await fix({ code, language: 'javascript' })
  const twice = await fix({ code: once.code, language: 'javascript' })

  t.match(once.code, 'let i, result = a.slice()')
  t.match(once.code, 'return { result }')
  t.strictSame(twice, { code: once.code, fixes: [] })
})
