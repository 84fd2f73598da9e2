import { execFile } from 'node:child_process'
import { access, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { shareStack } from '@filewright/testing'
import { filewright, type Ended } from './helpers.js'
import { repositoryIn, type Repository } from './repository.js'

t.setTimeout(300_000)

const stack = await shareStack(t)
const env = { FILEWRIGHT_URL: stack.baseUrl, FILEWRIGHT_TOKEN: stack.token, XDG_CONFIG_HOME: t.testdir() }

interface Project extends Repository {
  fw: (...args: string[]) => Promise<Ended>
}

async function projectOf(
  t: Test,
  files: Record<string, string | Buffer>,
  path = t.testdir()
): Promise<Project> {
  const repository = await repositoryIn(path)
  await repository.commit(files)
  return { ...repository, fw: async (...args) => await filewright({ cwd: repository.path, env }, ...args) }
}

interface Result {
  ruleId: string
  baselineState?: string
  locations: Array<{ physicalLocation: { artifactLocation: { uri: string }; region: { startLine: number } } }>
}

const resultsOf = ({ out }: Ended): Result[] => JSON.parse(out).runs[0].results
const placesOf = (ended: Ended, state: string): string[] =>
  resultsOf(ended)
    .filter(({ baselineState, ruleId }) => baselineState === state && ruleId === 'js/no-eval')
    .map(({ locations: [location] }) => {
      const { artifactLocation, region } = location!.physicalLocation
      return `${decodeURIComponent(artifactLocation.uri)}:${region.startLine}`
    })

async function baselineOf({ fw, write }: Project): Promise<void> {
  await write({ 'base.sarif': (await fw('analyze', '.', '--format', 'sarif')).out })
}
const against = async ({ fw }: Project, ...args: string[]): Promise<Ended> =>
  await fw('analyze', '.', '--baseline', 'base.sarif', ...args)

/** Lines with one old finding each. */
const manyOf = (count: number, from = 0): string =>
  Array.from({ length: count }, (_, i) => `eval(x + ${i + from})\n`).join('')

t.test('only the new one of 501 findings is reported, with --baseline and with --since', async (t) => {
  const old = Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`src/f${i}.js`, manyOf(50, i * 50)]))
  const project = await projectOf(t, old)
  await baselineOf(project)
  const before = resultsOf({
    code: 0,
    note: '',
    out: await readFile(join(project.path, 'base.sarif'), 'utf8')
  })
  t.equal(before.filter(({ ruleId }) => ruleId === 'js/no-eval').length, 500)
  t.match(await against(project, '--fail-on', 'suggestion'), {
    code: 0,
    out: /^0 new findings in 10 files; /
  })

  // All lines move, and the indentation of the old ones changes.
  const moved = manyOf(49, 150).replaceAll('eval', '\t\teval')
  await project.write({ 'src/f3.js': `// A note.\n\n${moved}export const bug = (y) => eval(y)\n` })

  for (const how of [
    ['--baseline', 'base.sarif'],
    ['--since', 'HEAD']
  ]) {
    const ended = await project.fw('analyze', ...how, '--format', 'sarif', '--fail-on', 'error')
    t.equal(ended.code, 2)
    t.match(ended.note, '--fail-on error: 1 new finding\n')
    t.strictSame(placesOf(ended, 'new'), ['src/f3.js:52'])
    t.strictSame(placesOf(ended, 'absent'), ['src/f3.js:50'])
  }
  const text = await project.fw('analyze', '--since', 'HEAD')
  t.strictSame(text.out.match(/^src\/\S+ error/gm), ['src/f3.js:52 error'])
  const json = JSON.parse((await project.fw('analyze', '--since', 'HEAD', '--json')).out)
  t.equal(json.files.flatMap(({ findings }: { findings: object[] }) => findings).length, json.baseline.new)
  await project.git('checkout', '-q', '--', '.')
  t.equal((await against(project, '--fail-on', 'suggestion')).code, 0, 'fixed')
})

t.test('equal lines are distinguished by their context, and a fixed finding is absent', async (t) => {
  const project = await projectOf(t, { 'a.js': 'one()\neval(x)\ntwo()\n\nthree()\neval(x)\nfour()\n' })
  await baselineOf(project)

  await project.write({ 'a.js': 'zero()\neval(x)\none()\neval(x)\ntwo()\n\nthree()\neval(x)\nfour()\n' })
  t.strictSame(placesOf(await against(project, '--format', 'sarif'), 'new'), ['a.js:2'])
  await project.write({ 'a.js': 'one()\ntwo()\n\nthree()\neval(x)\nfour()\n' })
  const fixed = await against(project, '--format', 'sarif')
  t.strictSame(placesOf(fixed, 'new'), [])
  t.strictSame(placesOf(fixed, 'unchanged'), ['a.js:5'])
  t.strictSame(placesOf(fixed, 'absent'), ['a.js:2'])
  // The baseline may itself contain states.
  await project.write({ 'base.sarif': fixed.out })
  t.strictSame(placesOf(await against(project, '--format', 'sarif'), 'absent'), [])
  await project.write({ 'a.js': 'other()\neval(x)\nlines()\n' })
  t.strictSame(placesOf(await against(project, '--format', 'sarif'), 'new'), [], 'new neighbours alone')
})

t.test(
  'a file that is renamed keeps its findings, and files that are not analyzed are not absent',
  async (t) => {
    const project = await projectOf(t, { 'a.js': manyOf(3), 'b.js': manyOf(3, 50) })
    await baselineOf(project)
    await rename(join(project.path, 'a.js'), join(project.path, 'c.js'))
    const moved = await against(project, '--format', 'sarif')
    t.strictSame(placesOf(moved, 'new'), [])
    t.strictSame(placesOf(moved, 'absent'), [])
    const part = await project.fw(
      'analyze',
      'c.js',
      '--no-model',
      '--baseline',
      'base.sarif',
      '--format',
      'sarif'
    )
    t.strictSame(placesOf(part, 'absent'), [])
    t.equal(placesOf(part, 'unchanged').length, 3)
  }
)

t.test('summarized findings, and those of rules beyond their limit, are not new', async (t) => {
  const vars = (count: number): string =>
    Array.from({ length: count }, (_, i) => `var a${i} = 1\nuse(a${i})\n`).join('')
  const project = await projectOf(t, { 'a.js': vars(10), 'b.js': manyOf(60) })
  await baselineOf(project)
  await project.write({ 'a.js': `${vars(10)}var z = 2\nuse(z)\n` })
  t.notMatch((await against(project)).out, 'such places')
  await project.write({ 'b.js': manyOf(60).replace('eval(x + 0)', 'x()') })
  t.strictSame(placesOf(await project.fw('analyze', '--since', 'HEAD', '--format', 'sarif'), 'new'), [])
})

t.test('a summary has findings per 1,000 lines and the trend of each folder', async (t) => {
  const ok = Array.from({ length: 8 }, (_, i) => `export const a${i} = ${i}\n`).join('')
  const project = await projectOf(t, {
    'a/x.js': `eval(a)\neval(b)\n${ok}`,
    'b/y.js': 'eval(a)\n',
    'z.js': ok
  })
  const rows = async (...args: string[]): Promise<Array<Record<string, unknown>>> =>
    JSON.parse((await project.fw('analyze', '.', '--summary', '--json', ...args)).out).folders
  t.match(await rows(), [
    { folder: '.', lines: 8, trend: null },
    { folder: 'a', lines: 10, findings: { error: 2 }, per1000: { error: 200 }, proven: 0, trend: null },
    { folder: 'b', lines: 1, per1000: { error: 1000 } },
    { folder: 'all', lines: 19, findings: { error: 3 }, per1000: { error: 157.9 } }
  ])
  await baselineOf(project)
  await project.write({ 'a/x.js': `eval(a)\neval(b)\neval(c)\n${ok}` })
  await rm(join(project.path, 'b'), { recursive: true })
  const trends = new Map((await rows('--baseline', 'base.sarif')).map(({ folder, trend }) => [folder, trend]))
  t.ok(Number(trends.get('a')) >= 1)
  t.ok(Number(trends.get('b')) <= -1)
  t.equal(trends.get('.'), 0)
  const text = await against(project, '--summary', '--fail-on', 'error')
  t.equal(text.code, 2)
  t.match(text.out, /^folder +lines +errors\/1000 /)
  t.match(text.out, /^a +11 +272\.7 .* \+\d+$/m)
  t.match(text.out, /\n\nCounts include known findings; the trend is .*\n$/)
  t.equal((await project.fw('analyze', '--summary', '--format', 'sarif')).code, 3)
})

t.test('a baseline that is malformed or of another tool is refused with its reason', async (t) => {
  const project = await projectOf(t, { 'a.js': 'eval(x)\n' })
  await baselineOf(project)
  const log = JSON.parse(await readFile(join(project.path, 'base.sarif'), 'utf8'))
  const [run] = log.runs
  const [result] = run.results
  const refused: Array<[unknown, string]> = [
    ['{', 'it is not JSON'],
    ['[]', 'it is not SARIF 2.1.0'],
    [{ ...log, version: '2.0.0' }, 'it is not SARIF 2.1.0'],
    [{ ...log, runs: [] }, 'it must have one run, and has 0'],
    [{ ...log, runs: [{ ...run, tool: { driver: { name: 'CodeQL' } } }] }, 'another tool wrote it'],
    [{ ...log, runs: [null] }, 'another tool wrote it'],
    [{ ...log, runs: [{ ...run, results: {} }] }, 'runs[0].results must be an array'],
    [{ ...log, runs: [{ ...run, results: [1] }] }, 'runs[0].results[0] must be an object'],
    [
      { ...log, runs: [{ ...run, results: [{ ...result, partialFingerprints: { a: 'b' } }] }] },
      'runs[0].results[0] has no fingerprint "filewright/v2"; write the baseline again'
    ],
    [
      {
        ...log,
        runs: [
          {
            ...run,
            results: [
              {
                ...result,
                locations: [{ physicalLocation: { artifactLocation: { uri: '%zz' } } }]
              }
            ]
          }
        ]
      },
      'must be a path'
    ]
  ]
  for (const [content, reason] of refused) {
    await project.write({ 'base.sarif': typeof content === 'string' ? content : JSON.stringify(content) })
    const { code, note, out } = await against(project)
    t.equal(code, 1)
    t.ok(note.startsWith('--baseline base.sarif: '), note)
    t.ok(note.includes(reason), `${note} has: ${reason}`)
    t.equal(out, '')
  }
  t.match(await project.fw('analyze', '--baseline', 'none.sarif'), {
    code: 1,
    note: /none\.sarif: there is no such/
  })
  t.match(await project.fw('analyze', '--baseline', 'a', '--since', 'HEAD'), { code: 3 })
  t.match(await project.fw('analyze', '--since', 'HEAD', '--min-score', '50'), {
    code: 3,
    note: /use --fail-on/
  })
})

t.test('--since handles renamed, deleted, added, binary and oddly named files', async (t) => {
  const project = await projectOf(t, {
    'old name.js': manyOf(4),
    'gone.js': 'eval(gone)\n',
    'ünïcode 文.js': 'eval(a)\n',
    '-rf.js': 'eval(a)\n',
    'binary.js': Buffer.from([0, 1, 2, 255]),
    'same.js': 'eval(same)\n',
    'link.js': 'eval(was)\n'
  })
  await project.git('mv', 'old name.js', 'new name.js')
  await rm(join(project.path, 'gone.js'))
  await rm(join(project.path, 'link.js'))
  await symlink('/etc/passwd', join(project.path, 'link.js'))
  await project.write({
    'new name.js': `${manyOf(4)}eval(brandnew)\n`,
    'added.js': 'eval(added)\n',
    'ünïcode 文.js': 'eval(a)\neval(b)\n',
    '-rf.js': '\neval(a)\neval(b)\n',
    'binary.js': 'eval(text)\n',
    'two\nlines.js': 'eval(x)\n',
    'notes.md': '# eval\n'
  })

  const ended = await project.fw('analyze', '--since', 'main', '--format', 'sarif')

  t.equal(ended.code, 0, ended.note)
  t.strictSame(placesOf(ended, 'new').toSorted(), [
    '-rf.js:3',
    'added.js:1',
    'binary.js:1',
    'new name.js:5',
    'ünïcode 文.js:2'
  ])
  t.strictSame(placesOf(ended, 'absent').toSorted(), ['gone.js:1', 'link.js:1'])
  t.equal(placesOf(ended, 'unchanged').length, 6)
  t.notMatch(ended.out, 'same.js')
  t.match(ended.note, 'two�lines.js: left out, its name has a control character')
  t.match(ended.note, 'binary.js: left out, it was not UTF-8')

  await project.commit()
  t.match((await project.fw('analyze', '--since', 'HEAD')).out, /^0 new findings in 0 files/)
  t.match((await project.fw('analyze', '--since', 'HEAD~1', 'added.js')).out, 'in 1 file;')
})

t.test('a later commit of the base branch is not part of the change', async (t) => {
  const project = await projectOf(t, { 'a.js': 'one()\n' })
  await project.git('checkout', '-q', '-b', 'mine')
  await project.commit({ 'mine.js': 'eval(mine)\n' })
  await project.git('checkout', '-q', 'main')
  await project.commit({ 'theirs.js': 'eval(theirs)\n' })
  await project.git('checkout', '-q', 'mine')
  const ended = await project.fw('analyze', '--since', 'main', '--format', 'sarif')
  t.strictSame(placesOf(ended, 'new'), ['mine.js:1'])
  t.strictSame(placesOf(ended, 'absent'), [])
})

t.test('--since follows a link to a folder, and a missing path is an error', async (t) => {
  const project = await projectOf(t, { 'sub/a.js': 'one()\n', 'gone/b.js': 'two()\n' })
  await project.write({ 'sub/a.js': 'eval(a)\n' })
  await symlink('sub', join(project.path, 'link'))
  await rm(join(project.path, 'gone'), { recursive: true })
  const since = async (path: string): Promise<Ended> =>
    await project.fw('analyze', '--since', 'HEAD', path, '--fail-on', 'error')
  t.match(await since('link'), { code: 2, out: /^sub\/a\.js:1/ })
  t.match(await since('gone'), { code: 0 }, 'it was there')
  t.match(await since('go'), { code: 1, note: /^go: there is no such file/ }, 'a part of a name')
  t.match(await since('typo'), { code: 1, note: 'typo: there is no such file or folder; check the path\n' })
})

t.test('--since refuses a path of another repository, of which it would say nothing', async (t) => {
  const root = t.testdir({ mine: {}, other: {} })
  const project = await projectOf(t, { 'a.js': 'one()\n' }, join(root, 'mine'))
  const other = await projectOf(t, { 'b.js': 'one()\n' }, join(root, 'other'))
  await other.write({ 'b.js': 'eval(b)\n' })

  for (const path of [other.path, join(other.path, 'b.js')]) {
    t.match(await project.fw('analyze', path, '--since', 'HEAD'), {
      code: 1,
      note: /is not in this folder's repository/
    })
  }
})

t.test('--since skips submodules and names them', async (t) => {
  const root = t.testdir({ inner: {}, outer: {} })
  const inner = await projectOf(t, { 'x.js': 'eval(x)\n' }, join(root, 'inner'))
  const project = await repositoryIn(join(root, 'outer'))
  await project.commit({ 'a.js': 'one()\n' })
  await project.git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', inner.path, 'vendor')
  const { code, note, out } = await filewright({ cwd: project.path, env }, 'analyze', '--since', 'main')
  t.equal(code, 0)
  t.match(note, 'vendor: left out, it is a submodule')
  t.match(out, '0 new findings')
})

t.test('a ref that is missing, hostile or not in a shallow clone causes a clear error', async (t) => {
  const root = t.testdir({ full: {}, shallow: {} })
  const project = await projectOf(t, { 'a.js': 'one()\n' }, join(root, 'full'))
  await project.commit({ 'a.js': 'eval(x)\n' })
  const mark = join(project.path, 'mark')
  for (const ref of [`--upload-pack=touch ${mark}`, `--output=${mark}`, '-x', '', 'a\nb']) {
    t.match(await project.fw('analyze', `--since=${ref}`), { code: 3, note: /is not a git ref/ }, ref)
  }
  await t.rejects(access(mark))
  t.match(await project.fw('analyze', '--since', 'nothing'), { code: 1, note: 'There is no commit nothing' })
  t.match(await project.fw('analyze', '--since', 'HEAD:a.js'), { code: 1, note: 'There is no commit' })

  const shallow = join(root, 'shallow')
  await promisify(execFile)('git', ['clone', '-q', '--depth', '1', `file://${project.path}`, shallow])
  const ended = await filewright({ cwd: shallow, env }, 'analyze', '--since', 'HEAD~1')
  t.match(ended, {
    code: 1,
    note: /^This clone is shallow and does not have HEAD~1; get the history with: git fetch/
  })
})

t.test('--since needs a work tree with a commit', async (t) => {
  const empty = await repositoryIn(t.testdir())
  const run = async (cwd: string) => await filewright({ cwd, env }, 'analyze', '--since', 'HEAD')
  t.match(await run(empty.path), { code: 1, note: 'This repository has no commits yet' })
  t.match(await run('/'), { code: 1, note: /^This folder is not in a git work tree: / })
})

t.test("programs named in a repository's settings are not run", async (t) => {
  const project = await projectOf(t, { 'a.js': 'one()\n', '.gitattributes': '*.js filter=evil diff=evil\n' })
  const mark = join(project.path, '.git', 'mark')
  const script = join(project.path, '.git', 'evil.sh')
  await writeFile(script, `#!/bin/sh\ntouch ${mark}\ncat\n`, { mode: 0o755 })
  for (const key of [
    'filter.evil.clean',
    'filter.evil.process',
    'core.fsmonitor',
    'diff.evil.textconv',
    'diff.external'
  ]) {
    await project.git('config', key, script)
  }
  await writeFile(join(project.path, 'a.js'), 'eval(x)\n')
  const ended = await project.fw('analyze', '--since', 'HEAD', '--format', 'sarif')
  t.equal(ended.code, 0, ended.note)
  t.strictSame(placesOf(ended, 'new'), ['a.js:1'])
  await t.rejects(access(mark), 'nothing was run')
})
