import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { VERSION } from '../src/version.js'
import { filewright } from './helpers.js'

const exec = promisify(execFile)
const shell = { cwd: '/', env: { XDG_CONFIG_HOME: '/nowhere' } }

t.test('wrong usage prints one line that refers to the help, and exits with code 3', async (t) => {
  for (const args of [
    ['nonsense'],
    ['upload', 'x'],
    ['analyze', '--format', 'pdf'],
    ['completion', 'tcsh'],
    ['get'],
    ['ls', '--nope']
  ]) {
    const { code, note } = await filewright(shell, ...args)
    t.equal(code, 3, args.join(' '))
    t.match(note, /^[A-Z][^\n.]+; see: filewright(?: [a-z]+)? --help\n$/)
  }
})

t.test('wrong usage names the mistake and the correct form', async (t) => {
  for (const [args, sentence] of [
    [['uplaod'], "Unknown command 'uplaod'; did you mean upload; see: filewright --help"],
    [['nonsense'], "Unknown command 'nonsense'; see: filewright --help"],
    [
      ['analyze', '--min-score', '400'],
      "Option '--min-score <n>' argument '400' is invalid: it must be a whole number from 0 to 100; see: filewright analyze --help"
    ],
    [
      ['upload', 'x', '--to', 'y', '--parallel', '0'],
      "Option '-p, --parallel <n>' argument '0' is invalid: it must be a whole number from 1 to 64; see: filewright upload --help"
    ],
    [
      ['analyze', '--format', 'pdf'],
      "Option '-f, --format <format>' argument 'pdf' is invalid: allowed choices are text, json, sarif, github; see: filewright analyze --help"
    ],
    [['get'], "Missing required argument 'file'; see: filewright get --help"]
  ] as const) {
    t.equal((await filewright(shell, ...args)).note, `${sentence}\n`)
  }
})

t.test('help is shown with and without --help, and for each command', async (t) => {
  const { code, out } = await filewright(shell, '--help')
  t.equal(code, 0)
  t.equal((await filewright(shell)).out.trim(), out.trim())
  const commands = [...out.matchAll(/^ {2}([a-z]+) /gm)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'filewright')
  t.strictSame(commands, [
    'login',
    'status',
    'open',
    'history',
    'upload',
    'ls',
    'get',
    'rm',
    'mv',
    'sync',
    'recalls',
    'receipt',
    'verify',
    'trash',
    'webhooks',
    'listen',
    'analyze',
    'review',
    'optimize',
    'generate',
    'models',
    'mcp',
    'completion',
    'man',
    'help'
  ])
  for (const command of commands) {
    t.match((await filewright(shell, command, '--help')).out, `Usage: filewright ${command}`)
  }
})

t.test('help <command> is the same as <command> --help', async (t) => {
  for (const command of [[], ['analyze'], ['trash', 'restore']]) {
    const { code, out } = await filewright(shell, 'help', ...command)
    t.equal(code, 0)
    t.equal(out, (await filewright(shell, ...command, '--help')).out, command.join(' '))
  }
  for (const [names, note] of [
    [['nonsense'], "Unknown command 'nonsense'; see: filewright --help\n"],
    [['trash', 'nonsense'], "Unknown command 'nonsense'; see: filewright trash --help\n"]
  ] as const) {
    t.match(await filewright(shell, 'help', ...names), { code: 3, out: '', note })
  }
})

t.test("the version is the product's version", async (t) => {
  const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  t.equal(VERSION, version)
  t.equal((await filewright(shell, '--version')).out.trim(), version)
})

t.test('completion knows every command, also below others, and shells can read it', async (t) => {
  for (const name of ['bash', 'zsh', 'fish']) {
    const { out } = await filewright(shell, 'completion', name)
    for (const word of ['upload', 'analyze', 'completion', 'restore', 'fail-on', 'sarif']) {
      t.match(out, word, name)
    }
    if (name !== 'fish') await t.resolves(exec('bash', ['-n', '-c', out]))
  }
})

t.test('bash completes commands, commands below them, options and their choices', async (t) => {
  const { out: script } = await filewright(shell, 'completion', 'bash')
  const complete = async (...words: string[]): Promise<string[]> => {
    const line = words.map((word) => `'${word}'`).join(' ')
    const { stdout } = await exec('bash', [
      '-c',
      `${script}\nCOMP_WORDS=(filewright ${line}); COMP_CWORD=${words.length}; _filewright; printf '%s\\n' "\${COMPREPLY[@]}"`
    ])
    return stdout.split('\n').filter((word) => word !== '')
  }

  t.strictSame(await complete('upl'), ['upload'])
  t.strictSame(await complete('trash', 're'), ['restore'])
  t.strictSame(await complete('upload', '--verb'), ['--verbose'])
  t.strictSame(await complete('analyze', '--format', 's'), ['sarif'])
  t.strictSame(await complete('ls', '--sort', '-si'), ['-size'])
  t.strictSame(await complete('trash', 'restore', '--js'), ['--json'])
})

t.test('there is a manual page for each command, and its reader has no complaints', async (t) => {
  const cwd = t.testdir()
  t.match(await filewright({ ...shell, cwd }, 'man', 'pages'), { code: 0, note: /pages written to pages/ })

  const names = await readdir(join(cwd, 'pages'))
  for (const name of ['filewright.1', 'filewright-upload.1', 'filewright-trash-restore.1']) {
    t.ok(names.includes(name))
  }
  const page = await readFile(join(cwd, 'pages/filewright-upload.1'), 'utf8')
  t.match(page, '.B \\-t, \\-\\-to <place>')
  t.equal(
    (await filewright({ ...shell, cwd }, 'man')).out,
    await readFile(join(cwd, 'pages/filewright.1'), 'utf8')
  )
  const hasReader = await exec('groff', ['--version']).then(
    () => true,
    () => false
  )
  for (const name of hasReader ? names : []) {
    const { stderr } = await exec('groff', ['-man', '-Tutf8', '-ww', '-z', join(cwd, 'pages', name)])
    t.equal(stderr, '', name)
  }
})
