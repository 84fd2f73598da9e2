import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { shareStack } from '@filewright/testing'
import { parseConfig } from '../src/config/parse-config.js'
import { filewright, type Ended } from './helpers.js'
import { repositoryIn, type Repository } from './repository.js'

t.setTimeout(300_000)

const stack = await shareStack(t)
const env = { FILEWRIGHT_URL: stack.baseUrl, FILEWRIGHT_TOKEN: stack.token, XDG_CONFIG_HOME: t.testdir() }

async function projectOf(
  t: Test,
  config: string
): Promise<Repository & { fw: (...args: string[]) => Promise<Ended> }> {
  const repository = await repositoryIn(t.testdir())
  await repository.commit({
    '.filewright.yml': config,
    'src/a.js': 'eval(a)\n',
    'src/deep/b.js': 'eval(b)\n',
    'generated/c.js': 'eval(c)\n',
    'src/d.py': 'eval(d)\n'
  })
  return { ...repository, fw: async (...args) => await filewright({ cwd: repository.path, env }, ...args) }
}
const found = ({ out }: Ended): string[] =>
  JSON.parse(out).files.flatMap(
    ({ path, findings }: { path: string; findings: Array<{ rule: string; level: string }> }) =>
      findings.filter(({ rule }) => rule.endsWith('eval')).map(({ level }) => `${path} ${level}`)
  )
const paths = ({ out }: Ended): string[] => JSON.parse(out).files.map(({ path }: { path: string }) => path)

t.test('paths and languages restrict the files of a folder, but not those that the user names', async (t) => {
  const project = await projectOf(
    t,
    'paths:\n  include: [src, "*.js"]\n  exclude:\n    - "**/deep/**"\nlanguages: [js]\n'
  )
  t.strictSame(paths(await project.fw('analyze', '--json')), ['src/a.js'])
  t.strictSame(paths(await project.fw('analyze', 'generated/c.js', '--no-model', '--json')), [
    'generated/c.js'
  ])
  t.match(await project.fw('analyze', 'generated'), {
    code: 1,
    note: 'The given paths contain no files that .filewright.yml includes\n'
  })
  t.strictSame(paths(await filewright({ cwd: join(project.path, 'src'), env }, 'analyze', '--json')), [
    'a.js'
  ])
})

t.test(
  'rules change the level of a finding or turn it off, and the summary counts those that are off',
  async (t) => {
    const project = await projectOf(t, 'rules:\n  js/no-eval: suggestion\n')
    const ended = await project.fw('analyze', 'src/a.js', '--no-model', '--json', '--fail-on', 'warning')
    t.strictSame(found(ended), ['src/a.js note'])
    t.equal(ended.code, 0)
    await project.write({ '.filewright.yml': 'rules: { js/no-eval: off }\n' })
    const off = await project.fw('analyze', 'src/a.js', '--no-model', '--fail-on', 'warning')
    t.equal(off.code, 0)
    t.match(off.out, '; 1 of rules that .filewright.yml switches off\n')
  }
)

t.test('the score covers only the findings that are shown', async (t) => {
  const project = await projectOf(t, '')
  const scoreWith = async (config: string): Promise<number> => {
    await project.write({ '.filewright.yml': config })
    return JSON.parse((await project.fw('analyze', 'src/a.js', '--no-model', '--json')).out).files[0].score
  }
  const all = JSON.parse((await project.fw('analyze', 'src/a.js', '--no-model', '--json')).out).files[0]
    .findings as Array<{ rule: string }>
  t.equal(await scoreWith(`rules:\n${all.map(({ rule }) => `  ${rule}: off\n`).join('')}`), 100)
  t.ok((await scoreWith('rules: { js/no-eval: suggestion }\n')) > (await scoreWith('')))
})

t.test("a repository's configuration applies to its own files, wherever the command runs", async (t) => {
  const folder = t.testdir({ own: {}, other: {}, loose: { 'c.js': 'eval(c)\n' } })
  const own = await repositoryIn(join(folder, 'own'))
  await own.commit({ '.filewright.yml': 'rules: { js/no-eval: off }\npaths: { include: [src] }\n' })
  const other = await repositoryIn(join(folder, 'other'))
  await other.commit({
    '.filewright.yml': 'paths: { exclude: [old] }\n',
    'a.js': 'eval(a)\n',
    'old/b.js': 'eval(b)\n'
  })
  const loose = join(folder, 'loose')
  const fw = async (...args: string[]): Promise<Ended> => await filewright({ cwd: own.path, env }, ...args)

  t.strictSame(found(await fw('analyze', other.path, '--json')), [`${join(other.path, 'a.js')} error`])
  t.strictSame(found(await fw('analyze', loose, '--json')), [`${join(loose, 'c.js')} error`])
  await other.write({ '.filewright.yml': 'rule: {}\n' })
  const wrong = await fw('analyze', other.path)
  t.equal(wrong.code, 3)
  t.ok(wrong.note.startsWith(`${join(other.path, '.filewright.yml')}:1: "rule" is not a key`), wrong.note)
})

t.test('the configuration is found through a link, and from a hook of git', async (t) => {
  const folder = t.testdir({ real: {} })
  const project = await repositoryIn(join(folder, 'real'))
  await project.commit({
    '.filewright.yml': 'rules: { js/no-eval: off }\npaths: { exclude: [old] }\n',
    'sub/a.js': 'eval(a)\n',
    'old/b.js': 'eval(b)\n'
  })
  await symlink(project.path, join(folder, 'link'))
  const analyzed = async (cwd: string, path: string, variables = {}): Promise<Ended> =>
    await filewright({ cwd, env: { ...env, ...variables } }, 'analyze', path, '--json')
  const linked = await analyzed(folder, 'link')
  t.strictSame(paths(linked), ['link/sub/a.js'])
  t.strictSame(found(linked), [])

  process.env['GIT_DIR'] = join(project.path, '.git')
  try {
    t.strictSame(found(await analyzed(join(project.path, 'sub'), '.')), [])
  } finally {
    delete process.env['GIT_DIR']
  }
})

t.test('optimize skips the files that the configuration excludes', async (t) => {
  const project = await projectOf(t, 'paths:\n  exclude: [generated]\n')
  const ended = await project.fw('optimize', '.')
  t.match(ended.note, /^src\/a\.js/m)
  t.notMatch(ended.note, /generated/)
})

t.test('a finding of a rule that is turned off later does not count as absent', async (t) => {
  const project = await projectOf(t, '')
  await project.write({ 'base.sarif': (await project.fw('analyze', '.', '--format', 'sarif')).out })
  const now = async (): Promise<object> =>
    JSON.parse((await project.fw('analyze', '.', '--baseline', 'base.sarif', '--json')).out).baseline
  t.match(await now(), { new: 0, absent: 0 })
  await project.write({ '.filewright.yml': 'rules: { js/no-eval: off }\n' })
  t.match(await now(), { new: 0, absent: 0 })
})

t.test('--since uses the configuration of the base', async (t) => {
  const project = await projectOf(t, 'rules: {}\n')
  await project.write({ '.filewright.yml': 'rules: { js/no-eval: off }\n', 'src/a.js': 'eval(a)\neval(z)\n' })
  t.strictSame(found(await project.fw('analyze', '--since', 'HEAD', '--json')), ['src/a.js error'])
  await project.commit()
  await project.write({ 'src/a.js': 'eval(a)\neval(z)\neval(y)\n' })
  t.strictSame(found(await project.fw('analyze', '--since', 'HEAD', '--json')), [])
})

t.test(
  'the error for an unknown key or invalid value names the file, the line and the allowed values',
  async (t) => {
    const refused: Array<[string, string]> = [
      ['\npath: []\n', ':2: "path" is not a key of the file; allowed are paths, rules, languages'],
      ['paths:\n  ignore: []\n', ':2: "ignore" is not a key of paths; allowed are include, exclude'],
      ['paths: [a]\n', ':1: paths must be a mapping'],
      ['paths:\n  include: a\n', ':2: paths.include must be a list of words'],
      ['paths:\n  include:\n    - a\n    - 1\n', ':4: paths.include must be a list of words'],
      ['rules:\n  js/no-eval: never\n', ':2: a rule is one of off, error, warning, suggestion'],
      ['rules:\n  js/no-eval: false\n', ':2: a rule is one of'],
      ['rules:\n  no eval: off\n', ':2: "no eval" is not the name of a rule'],
      ['languages:\n  - js\n  - klingon\n', ':3: "klingon" is not a language'],
      ['- a\n', ':1: the file must be a mapping'],
      ['rules: {}\nrules: {}\n', ':2: '],
      ['rules: {}\n---\nnonsense: 1\n', ': there must be one document'],
      ['a: [\n', ': '],
      ['paths: !evil {}\n', ':1: '],
      ['paths:\n  include: &a [x]\n  exclude: *a\n', ':3: paths.exclude must be a list'],
      ...['../x', '/etc/**', 'a/../../b', '~/x', 'C:/x', 'a\\\\b', 'a\\nb'].map(
        (pattern): [string, string] => [`paths:\n  include:\n    - "${pattern}"\n`, ':3: ']
      ),
      [`paths:\n  include: ["${'**/'.repeat(30)}x"]\n`, ':2: a pattern may have']
    ]
    const messageOf = (text: string): string => {
      try {
        parseConfig(text, '.filewright.yml')
        return 'it was accepted'
      } catch (error) {
        return (error as Error).message
      }
    }
    for (const [text, reason] of refused) {
      const message = messageOf(text)
      t.ok(message.startsWith('.filewright.yml:') && message.includes(reason), `${message} has ${reason}`)
    }
    t.strictSame(parseConfig('', 'x').include, [])
    t.strictSame(parseConfig('# a comment\npaths:\n', 'x').exclude, [])
    const project = await projectOf(t, 'rules:\n  js/no-eval: nope\n')
    t.match(await project.fw('analyze'), { code: 3, note: /^\.filewright\.yml:2: a rule is one of off/ })
  }
)

t.test('a configuration that is a link, a folder, too large or nested too deeply is refused', async (t) => {
  const project = await projectOf(t, '')
  const path = join(project.path, '.filewright.yml')
  const refused = async (reason: RegExp): Promise<void> => {
    t.match(await project.fw('analyze'), { code: /1|3/, note: reason })
  }
  await rm(path)
  await symlink('/etc/passwd', path)
  await refused(/^\.filewright\.yml is not a regular file\n$/)
  await rm(path)
  await mkdir(path)
  await refused(/is not a regular file/)
  await rm(path, { recursive: true })
  await writeFile(path, '#'.repeat(70_000))
  await refused(/it is larger than/)
  for (const deep of [
    '['.repeat(30_000),
    '{a: '.repeat(10_000),
    `\n${'- '.repeat(30_000)}`,
    `\n${'? '.repeat(30_000)}`
  ]) {
    await writeFile(path, `rules: ${deep}`)
    await refused(/^\.filewright\.yml:[12]: values nest more than 20 levels deep/)
  }
  await writeFile(path, Buffer.from([0xff, 0xfe]))
  await refused(/it is not UTF-8/)
})
