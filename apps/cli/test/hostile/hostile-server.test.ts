import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { filewright } from '../helpers.js'
import { asking, BIDI, COMMANDS, EVIL, fewPoisons, testFields, WRONG_KINDS } from './fields.js'
import { createSandbox, OBEYED, withoutRedraws } from './sandbox.js'
import { CONTENT, FILE_ID, honest } from './server.js'

t.setTimeout(180_000)

const sandbox = await createSandbox(t)
const { hostile, shell, target, assertHarmless } = sandbox

t.test('the responses of an honest server are understood', async (t) => {
  for (const [, commands] of asking) {
    for (const args of commands) {
      if (args.includes('p/nothing') || args.includes('fw:p/x')) continue
      hostile.say({})
      t.equal((await assertHarmless(t, args, 'an honest answer')).code, 0, args.join(' '))
    }
  }
})

testFields(t, sandbox, fewPoisons)

t.test('no error message, code or reason reaches the terminal as a control sequence', async (t) => {
  const latin = '\u009b31m; \u009b2J why \u0085'
  const headers = { 'x-rejection': latin, 'x-request-id': latin, 'retry-after': '9999999' }
  for (const [, commands] of asking) {
    for (const args of commands) {
      for (const status of [400, 401, 403, 404, 422, 429, 500]) {
        hostile.fail(status, { error: `${EVIL}\r\n::add-path::/evil` }, headers)
        const { code, note } = await assertHarmless(t, args, `an error ${status}`)
        t.not(code, 0)
        t.notMatch(note, /^::/m, 'nor does it begin a line of its own')
      }
      for (const body of [null, [], 'x', { error: {} }, { error: ['x'] }]) {
        hostile.fail(400, body, headers)
        t.not((await assertHarmless(t, args, 'an error of another kind')).code, 0)
      }
    }
  }
})

t.test('no download header redirects the file elsewhere', async (t) => {
  for (const headers of [
    { etag: '"/../../../pwned"' },
    { etag: '' },
    { 'content-disposition': "attachment; filename*=UTF-8''..%2F..%2Fpwned" },
    { 'content-disposition': "attachment; filename*=UTF-8''%E0%A4" },
    { 'content-disposition': "attachment; filename*=UTF-8''%1B%5B2J" },
    { 'content-disposition': 'attachment; filename="../../pwned"' },
    { 'content-range': 'bytes 0-4/99999999999999999999' },
    { 'content-type': 'text/\u009b31m' }
  ]) {
    for (const args of [
      ['get', FILE_ID, '-o', 'target'],
      ['sync', 'fw:p', 'target']
    ]) {
      hostile.say({})
      hostile.download(headers as Record<string, string>)
      await assertHarmless(t, args, JSON.stringify(headers))
    }
  }
})

t.test('login prints nothing from the server', async (t) => {
  for (const poison of [EVIL, ...WRONG_KINDS]) {
    hostile.say({ '/api/projects': { projects: [{ id: poison, files: 1, bytes: 1 }] } })
    const env = { XDG_CONFIG_HOME: join(target, 'config'), FILEWRIGHT_TOKEN: 't' }
    t.not((await assertHarmless(t, ['login', hostile.url], 'a project', { ...shell, env })).code, 0)
  }
})

t.test('code and bytes are written to a file or pipe unchanged', async (t) => {
  const piped = { ...shell, isTerminal: false, isOutTerminal: false }
  const content = `let a = "${COMMANDS}${BIDI}"\r\n`
  hostile.say({ '/api/ai/generate': { ...honest['/api/ai/generate'], content } })
  t.equal((await filewright(piped, 'generate', 'x')).out, content)
  t.equal((await filewright(piped, 'get', FILE_ID, '-o', '-')).out, CONTENT.toString())

  const optimized = { ...honest['/api/ai/optimize'], optimized_code: content }
  hostile.say({ '/api/ai/optimize': optimized })
  t.match((await filewright(piped, 'optimize', 'a.js')).out, `+${content}`, 'patch takes the diff')

  await mkdir(target, { recursive: true })
  hostile.say({ '/api/ai/generate': { ...honest['/api/ai/generate'], content } })
  await filewright(shell, 'generate', 'x', '-o', 'target/x.js')
  t.equal(await readFile(join(target, 'x.js'), 'utf8'), content)
})

t.test('a rewrite with too many lines is reported instead of shown, and written on request', async (t) => {
  const linesOf = (word: string): string => Array.from({ length: 20_000 }, (_, i) => `${word}${i}\n`).join('')
  const rewritten = linesOf('new')
  await writeFile(join(shell.cwd, 'long.js'), linesOf('old'))
  t.teardown(async () => {
    await rm(join(shell.cwd, 'long.js'))
  })
  hostile.say({
    '/api/ai/optimize': { ...honest['/api/ai/optimize'], optimized_code: rewritten, changes: [] }
  })

  const shown = await filewright(shell, 'optimize', 'long.js')
  // The server in this process was blocked too, so a note about its closed connection may come first.
  const written = await filewright(shell, 'optimize', 'long.js', '--write')

  t.match(shown, {
    code: 1,
    out: '',
    note: /^long\.js: the diff is too large to show: more than 3000 lines .*--write/
  })
  t.match(written, { code: 0, out: '', note: /long\.js: the diff is too large .*\nlong\.js: written\n$/ })
  t.equal(await readFile(join(shell.cwd, 'long.js'), 'utf8'), rewritten)
})

t.test('names of local files cannot send control sequences either', async (t) => {
  const name = `\u001b[2J\u009b31m${BIDI}.js`
  const folder = join(target, 'local')
  for (const args of [
    ['upload', '.', '--to', 'p'],
    ['analyze', '.'],
    ['analyze', name],
    ['optimize', name],
    ['sync', '.', 'fw:p', '--dry-run'],
    ['get', name],
    ['ls', name],
    [name]
  ]) {
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, name), 'eval(a)\n')
    hostile.say({})
    const { out, note } = await filewright({ ...shell, cwd: folder }, ...args)
    t.notMatch(out + withoutRedraws(note), OBEYED, JSON.stringify(args))
  }
})

t.test('the content of an untrusted folder cannot lead a download out of it', async (t) => {
  const { file } = honest['/api/files/:id']
  const victim = join(shell.cwd, 'up', 'b.txt')
  await mkdir(target, { recursive: true })
  await symlink(victim, join(target, `.${file.name}.${file.sha256.slice(0, 16)}.part`))
  hostile.say({})

  const { code } = await filewright(shell, 'get', FILE_ID, '-o', 'target')

  t.equal(code, 0)
  t.equal(await readFile(join(target, file.name), 'utf8'), CONTENT.toString())
  t.equal(await readFile(victim, 'utf8'), 'b')
})

t.test('programs configured in an untrusted repository are not run', async (t) => {
  const repository = t.testdir({ 'a.js': 'let a = 1\n' })
  const git = (...args: string[]) => execFileSync('git', args, { cwd: repository })
  git('init', '-q')
  git('config', 'core.fsmonitor', `touch ${join(repository, 'pwned')}; false`)
  hostile.say({})

  await filewright({ ...shell, cwd: repository }, 'analyze', '.')

  t.notOk(existsSync(join(repository, 'pwned')))
})
