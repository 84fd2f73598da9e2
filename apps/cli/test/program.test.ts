import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import t from 'tap'
import { VERSION } from '../src/version.js'
import { filewright } from './helpers.js'

const shell = { cwd: '/', env: { XDG_CONFIG_HOME: '/nowhere' } }

t.test('wrong usage prints one line that says where to look, and exits with code 3', async (t) => {
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
    'completion'
  ])
  for (const command of commands) {
    t.match((await filewright(shell, command, '--help')).out, `Usage: filewright ${command}`)
  }
})

t.test("the version is the product's version", async (t) => {
  const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  t.equal(VERSION, version)
  t.equal((await filewright(shell, '--version')).out.trim(), version)
})

t.test('completion knows every command, and shells can read it', async (t) => {
  for (const name of ['bash', 'zsh', 'fish']) {
    const { out } = await filewright(shell, 'completion', name)
    for (const command of ['upload', 'analyze', 'completion']) t.match(out, command)
    t.match(out, 'fail-on')
    if (name === 'bash') await t.resolves(promisify(execFile)('bash', ['-n', '-c', out]))
  }
})
