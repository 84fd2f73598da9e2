import { execFile } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import t from 'tap'
import { shareStack } from '@filewright/testing'
import { filewright, type Shell } from './helpers.js'

t.setTimeout(180_000)

const stack = await shareStack(t)
const old =
  'export function sum (list) {\n  var total = 0\n  for (var i = 0; i < list.length; i++) { total += list[i] }\n  return total\n}\n'
const cwd = t.testdir({
  src: {
    'bad.js': 'function f (x) {\n  return eval(x)\n}\n',
    'same.js': 'eval(a)\neval(a)\n',
    'empty.py': '',
    'notes.md': '# x\n',
    dist: { 'skipped.js': 'eval(x)' }
  },
  'old.js': old,
  'warned.js': 'export const token = String(Math.random())\n',
  'good.js': 'export const one = 1\n',
  'flow.js': "app.get('/', (req, res) => {\n  const file = req.query.file\n  res.sendFile(root + file)\n})\n",
  mixed: { 'a.js': 'export const a = 1\n', 'b.c': 'int b;\n', 'c.c': 'int c;\n', Dockerfile: 'FROM x\n' },
  'only.php': '<?php echo 1;\n',
  'proven.js': "exports.list = (folder) => require('child_process').execSync('ls ' + folder)\n"
})
const shell: Shell = {
  cwd,
  env: { FILEWRIGHT_URL: stack.baseUrl, FILEWRIGHT_TOKEN: stack.token, XDG_CONFIG_HOME: join(cwd, 'config') }
}
const fw = async (...args: string[]) => await filewright(shell, ...args)

t.test('findings are shown with their line and carets, and decide the exit code', async (t) => {
  const { code, out } = await fw('analyze', 'src/bad.js')
  t.equal(code, 0)
  t.match(out, /^src\/bad\.js:2 error .* \[js\/no-eval\]\n {4}2 \| {3}return eval\(x\)\n {6}\| {3}\^{14}\n/)
  t.match(out, `\n      = ${stack.baseUrl}/#/rules/js/no-eval\n`)
  t.match(out, /\n {6}= fix: \S/)
  const order = ['error', 'warning', 'suggestion']
  const shown = [...out.matchAll(/^src\/bad\.js:\d+ (\w+)/gm)].map(([, level = '']) => order.indexOf(level))
  t.strictSame(shown, shown.toSorted(), 'the worst first')
  const failed = await fw('analyze', 'src/bad.js', '--fail-on', 'warning')
  t.equal(failed.code, 2)
  t.match(failed.note, /^--fail-on warning: \d+ finding/m)
  t.equal((await fw('analyze', 'src/bad.js', '--fail-on', 'error')).code, 2)
  t.equal((await fw('analyze', 'warned.js', '--fail-on', 'error')).code, 0)
  t.equal((await fw('analyze', 'warned.js', '--fail-on', 'warning')).code, 2)
  t.equal((await fw('analyze', 'src/bad.js', '--min-score', '100')).code, 2)
  t.equal((await fw('analyze', 'src/bad.js', '--min-score', '1')).code, 0)
  t.match((await filewright({ ...shell, hasColor: true }, 'analyze', 'src/bad.js')).out, '\u001b[31merror')
})

t.test('a finding shows the lines that its value goes through', async (t) => {
  const { out } = await fw('analyze', 'flow.js')
  t.match(out, /\^\n {6}= data flow: line 2 → 3\n/)
})

t.test('a proven finding shows its input and effect under the carets', async (t) => {
  const { out } = await fw('analyze', 'proven.js')
  t.match(out, /\^\n {6}= proven: list\("; injected #"\)\n {8}the shell gets a second command: /)
  const [file] = JSON.parse((await fw('analyze', 'proven.js', '--format', 'sarif')).out).runs[0].results
  t.match(file, { properties: { proof: { reproducer: /^\/\/ Run with Node\.js/ } } })
})

t.test('a folder is searched for code, and files that cannot be analyzed are named', async (t) => {
  const { out, note } = await fw('analyze', 'src', '--json')
  const { files } = JSON.parse(out)
  t.ok(files.some(({ path }: { path: string }) => path === 'src/bad.js'))
  t.notOk(files.some(({ path }: { path: string }) => path.endsWith('.md')))
  t.match(note, 'src/empty.py: left out, it is empty')
  t.match(
    (await fw('analyze', 'src/notes.md', '--language', 'klingon')).note,
    'klingon is not a language the service knows'
  )
})

t.test('files without an analyzer are counted by kind, and a named one is reported', async (t) => {
  const mixed = await fw('analyze', 'mixed')
  t.match(mixed.note, /^Left out: 3 files of kinds without an analyzer: 2 c, 1 dockerfile$/m)
  t.match(mixed.out, 'in 1 file;')
  const named = await fw('analyze', 'only.php')
  t.equal(named.code, 0)
  t.match(named.note, /^only\.php: there is no analyzer for php; only the rules for every language/m)
  t.match(JSON.parse((await fw('analyze', 'only.php', '--json')).out).files[0], {
    analyzers: false,
    suggestions: [/^There is no analyzer for php/]
  })
  await writeFile(join(cwd, 'mixed/a.js'), '')
  const { code, note } = await fw('analyze', 'mixed/b.c', 'mixed/Dockerfile')
  t.equal(code, 0)
  t.match(
    note,
    /^mixed\/Dockerfile: there is no analyzer for dockerfile;.*\nmixed\/b\.c: there is no analyzer for c;/
  )
})

t.test('the command reports a server without a language model', async (t) => {
  t.match((await fw('analyze', 'good.js')).note, 'This server has no language model: findings marked')
})

t.test('a folder is analyzed by the static analyzers only, unless --model is given', async (t) => {
  const folder = await fw('analyze', 'src', '--json')
  t.match(folder.note, /^Folders are analyzed without the language model; use --model/m)
  const engines = (out: string) => JSON.parse(out).files.map(({ engine }: { engine: string }) => engine)
  t.strictSame(new Set(engines(folder.out)), new Set(['static']))
  const asked = await fw('analyze', 'src', '--model', '--json')
  t.strictSame(new Set(engines(asked.out)), new Set(['sandbox']))
  t.notMatch(asked.note, 'Folders are analyzed')
  t.strictSame(engines((await fw('analyze', 'good.js', '--no-model', '--json')).out), ['static'])
})

t.test('a large folder needs few requests, and an invalid file name does not block them', async (t) => {
  const files = Object.fromEntries(
    Array.from({ length: 120 }, (_, i) => [`f${i}.js`, i % 2 === 0 ? 'eval(x)\n' : 'export const a = 1\n'])
  )
  const large = t.testdir({
    ...files,
    'big1.js': `${'// a long comment of this line\n'.repeat(5_000)}eval(x)\n`,
    'big2.js': `${'// a long comment of this line\n'.repeat(5_000)}eval(x)\n`,
    'two\nlines.js': 'eval(x)\n'
  })
  const { code, out, note } = await filewright({ ...shell, cwd: large }, 'analyze', '.', '--json')
  t.equal(code, 0)
  t.match(note, 'lines.js: left out, its name has a control character')
  const found = JSON.parse(out).files.map(({ path, findings }: { path: string; findings: object[] }) => [
    path,
    findings.length > 0
  ])
  t.strictSame(
    new Map(found),
    new Map([
      ...Object.keys(files).map((path, i) => [path, i % 2 === 0] as const),
      ['big1.js', true],
      ['big2.js', true]
    ])
  )
})

t.test('links in a folder are not followed, and files that are not text are named', async (t) => {
  const folder = t.testdir({ 'ok.js': 'eval(x)\n', 'escape.js': 'eval("\u001b[31m")\n' })
  await writeFile(join(folder, 'latin.js'), Buffer.from([0x2f, 0x2f, 0xe9, 0x0a]))
  await writeFile(join(folder, 'large.js'), '//'.repeat(200_000))
  await symlink('/dev/zero', join(folder, 'zero.js'))
  await promisify(execFile)('git', ['init', '-q'], { cwd: folder })

  const { code, out, note } = await filewright({ ...shell, cwd: folder }, 'analyze', '.')

  t.equal(code, 0)
  t.match(note, 'zero.js: left out, it is a link')
  t.match(note, 'latin.js: left out, it is not UTF-8')
  t.match(note, 'large.js: left out, it is larger than 256 KB')
  t.match(out, /^ok\.js:1 error/m)
  t.notMatch(out, '\u001b', 'what a file holds does not reach the terminal as a command')
  await mkdir(join(folder, 'ignored'))
  await writeFile(join(folder, '.gitignore'), 'ignored/\n')
  await writeFile(join(folder, 'ignored', 'here.js'), 'eval(x)\n')
  t.match(
    (await filewright({ ...shell, cwd: folder }, 'analyze', 'ignored')).out,
    /^ignored\/here\.js:1 error/m
  )
  const nothing = await filewright({ ...shell, cwd: folder }, 'analyze', 'large.js', '--fail-on', 'warning')
  t.equal(nothing.code, 1)
  t.match(nothing.note, 'None of the files could be analyzed')
})

t.test('GitHub annotations escape their delimiters', async (t) => {
  await writeFile(join(cwd, 'a,b.js'), 'eval(x)\n')
  t.match(
    (await fw('analyze', 'a,b.js', '--format', 'github')).out,
    /^::error file=a%2Cb\.js,line=1,title=Filewright js\/no-eval::/
  )
})

t.test(
  'SARIF is valid against its schema, with relative paths, known rules and distinct fingerprints',
  async (t) => {
    const path = createRequire(import.meta.url).resolve('@microsoft/jest-sarif/package.json')
    const schema = JSON.parse(await readFile(join(path, '../lib/schemas/sarif-2.1.0-rtm.5.json'), 'utf8'))
    // The schema uses an older draft than this validator's default.
    const ajv = new Ajv({ strict: false, validateSchema: false, unicodeRegExp: false })
    addFormats.default(ajv)
    const { id: _id, $schema: _draft, ...rules } = schema
    const isValid = ajv.compile(rules)

    const log = JSON.parse((await fw('analyze', 'src', '--format', 'sarif')).out)

    t.ok(isValid(log), JSON.stringify(isValid.errors))
    t.notOk(isValid({ ...log, version: '1' }), 'the schema can refuse')
    const [{ results, tool, artifacts }] = log.runs
    t.match(
      results.find(({ level }: { level: string }) => level === 'error'),
      {
        ruleId: 'js/no-eval',
        locations: [{ physicalLocation: { artifactLocation: { uri: /^src\// } } }]
      }
    )
    t.equal(log.runs.length, 1)
    const ids = tool.driver.rules.map(({ id }: { id: string }) => id)
    t.equal(new Set(ids).size, ids.length, 'a rule that two files break is listed once')
    t.match(artifacts, [
      { location: { uri: 'src/bad.js' }, properties: { score: Number, language: 'javascript' } }
    ])
    t.match(JSON.parse((await fw('analyze', 'src/bad.js', '--json')).out).files[0].findings[0], {
      rule: 'js/no-eval',
      level: 'error',
      category: 'security',
      help: /./
    })
    for (const { ruleId, ruleIndex } of results) t.equal(tool.driver.rules[ruleIndex].id, ruleId)
    const prints = results.map(({ partialFingerprints }: { partialFingerprints: object }) =>
      JSON.stringify(partialFingerprints)
    )
    t.equal(new Set(prints).size, prints.length, 'the same line twice has two')
  }
)

t.test('optimize shows a diff, and changes files only with --write', async (t) => {
  const shown = await fw('optimize', 'old.js')
  t.match(shown.out, /^--- a\/old\.js\n\+\+\+ b\/old\.js\n@@ -1,/)
  t.match(shown.out, /^-.*var total/m)
  t.equal(await readFile(join(cwd, 'old.js'), 'utf8'), old)
  t.match(JSON.parse((await fw('optimize', 'old.js', '--json')).out), {
    files: [{ path: 'old.js', written: false }]
  })
  t.equal((await fw('optimize', '--write', 'old.js')).code, 0)
  t.not(await readFile(join(cwd, 'old.js'), 'utf8'), old)
  t.match((await fw('optimize', 'src/empty.py')).note, 'it is empty')
  await writeFile(join(cwd, 'broken.js'), 'function (\n')
  const broken = await fw('optimize', 'broken.js')
  t.equal(broken.code, 1)
  t.equal(
    broken.note,
    'broken.js: Syntax error: line 1 does not parse\nNo file was optimized; the lines above say why\n'
  )
  t.match(await fw('optimize', 'good.js'), {
    code: 0,
    note: /^good\.js: No safe improvement: the tools have no safe fix/
  })
  t.match(await fw('optimize', 'only.php'), {
    code: 1,
    note: /^only\.php: No parser for this language: no parser here reads/
  })
})

t.test('generate prints the result, streams it on a terminal, or writes it', async (t) => {
  t.ok((await fw('generate', 'a', 'queue', '--language', 'python')).out.length > 0)
  t.ok((await filewright({ ...shell, isTerminal: true }, 'generate', 'a queue')).note.length > 0)
  const written = await fw('generate', 'a queue', '-o', 'queue.js')
  t.equal(written.out, '')
  t.match(written.note, /^queue\.js: .* by the sandbox, not a language model\n$/)
  t.match(JSON.parse((await filewright({ ...shell, input: 'from a pipe' }, 'generate', '-', '--json')).out), {
    type: 'code'
  })
  t.equal(
    (await fw('generate', 'x', '--model', 'none')).note,
    'The request is not valid: model must be one of alpha-4o-mini, alpha-4o, beta-3, gamma\n'
  )
  t.match(await fw('models'), {
    out: /^alpha-4o-mini\t/,
    note: 'A sandbox answers with fixed samples. It is not a language model.\n'
  })
})
