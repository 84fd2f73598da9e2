import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { shareStack } from '@filewright/testing'
import { filewright, type Shell } from './helpers.js'

t.setTimeout(300_000)

const { baseUrl, token } = await shareStack(t)
const shell: Shell = {
  cwd: t.testdir(),
  env: {
    FILEWRIGHT_URL: `${baseUrl}/api/`,
    FILEWRIGHT_TOKEN: token,
    XDG_CONFIG_HOME: join(t.testdirName, 'c')
  }
}

t.test('status names the server, the token, the quota and the version', async (t) => {
  const { code, out } = await filewright(shell, 'status')

  t.equal(code, 0)
  t.match(out, `${baseUrl}, from the environment`)
  for (const name of ['Token', 'Files', 'Storage', 'Limits', 'Version']) {
    t.match(out, new RegExp(`^${name} `, 'm'))
  }
  t.match(out, /^Expires +never expires$/m)
  t.match(out, /^Files +\d+, no quota$/m)
  t.match(out, /^Storage +[\d.]+ [KMG]?B, no quota$/m)
  t.notMatch(out, token)
  t.match(JSON.parse((await filewright(shell, 'status', '--json')).out), {
    server: baseUrl,
    token: { name: String },
    usage: { files: Number }
  })
})

t.test('a token that is not accepted is reported as such', async (t) => {
  const { code, note } = await filewright(
    { ...shell, env: { ...shell.env, FILEWRIGHT_TOKEN: 'x'.repeat(40) } },
    'status'
  )

  t.equal(code, 4)
  t.match(note, 'does not accept the token')
})

t.test('open prints the address of a place, without the token', async (t) => {
  t.equal((await filewright(shell, 'open')).out, `${baseUrl}/#/files\n`)
  t.equal(
    (await filewright(shell, 'open', 'demo/a folder/50%')).out,
    `${baseUrl}/#/files/demo/a%20folder/50%25\n`
  )
})

t.test('history lists requests of the token and their usage', async (t) => {
  await writeFile(join(shell.cwd, 'a.js'), 'var a = 1\n')
  t.equal((await filewright(shell, 'analyze', 'a.js')).code, 0)

  const { code, out } = await filewright(shell, 'history', '-n', '1')

  t.equal(code, 0)
  t.match(out, /^\w+\t20[^\t]+\t(analyze|generate|optimize)\b/)
  const today = new Date().toISOString().slice(0, 10)
  t.match((await filewright(shell, 'history', '--usage')).out, new RegExp(`^${today}\\t`, 'm'))
  t.match(
    (await filewright({ ...shell, isOutTerminal: true }, 'history')).out,
    /^ID +STARTED \(UTC\) +TASK +ANSWERED BY +STATUS/
  )
  t.match(JSON.parse((await filewright(shell, 'history', '--json')).out), { generations: [{ id: String }] })
  t.equal((await filewright(shell, 'history', '-n', '0')).code, 3)

  const shown = await filewright(shell, 'history', out.split('\t')[0] ?? '')
  t.equal(shown.code, 0)
  t.match(
    shown.note,
    /UTC, analyze, succeeded, answered by sandbox.*\n.*turns that on with STORE_PROMPTS=true/
  )
  t.equal(shown.out, '')
  const missing = await filewright(shell, 'history', 'nothing')
  t.match(missing, { code: 1, note: /Generation not found/ })
})
