import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { chmod, chown, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { filewright } from './helpers.js'

const OWN_TOKEN = 'own-token-of-the-stack'
const isRoot = process.getuid?.() === 0
const needsRoot = { skip: !isRoot && 'only root can act as another user' }
const isLinux = process.platform === 'linux'

/** Records the tokens that it received, with their requests. */
async function listen(t: Test): Promise<{ url: string; seen: string[] }> {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(String(request.headers.authorization))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"projects":[]}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}

function identityOf(pid: number): string {
  if (!isLinux) return ''
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const startTicks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${startTicks}`
}

interface Stack {
  cwd: string
  data: string
  env: Record<string, string>
}

/** A data folder as `npm start` leaves it while running. */
async function stackAt(t: Test, listenUrl: string, more: object = {}): Promise<Stack> {
  const cwd = t.testdir({})
  const data = join(cwd, '.data')
  await mkdir(join(data, 'run'), { recursive: true })
  await chmod(data, 0o700)
  await chmod(join(data, 'run'), 0o700)
  const facts = {
    pid: process.pid,
    identity: identityOf(process.pid),
    listenUrl,
    baseUrl: listenUrl,
    ...more
  }
  await writeFile(join(data, 'run', 'stack.json'), JSON.stringify(facts), { mode: 0o600 })
  await writeFile(join(data, 'access-token'), `${OWN_TOKEN}\n`, { mode: 0o600 })
  return { cwd, data, env: { XDG_CONFIG_HOME: join(cwd, 'config') } }
}

async function saveLogin({ cwd }: Pick<Stack, 'cwd'>, server: string, token: string): Promise<void> {
  await mkdir(join(cwd, 'config', 'filewright'), { recursive: true })
  await writeFile(join(cwd, 'config', 'filewright', 'config.json'), JSON.stringify({ server, token }))
}

t.test('a stack of the same user is used with its own token, and named on standard error', async (t) => {
  const { url, seen } = await listen(t)
  const { cwd, data, env } = await stackAt(t, url)
  await mkdir(join(cwd, 'deep', 'er'), { recursive: true })

  for (const folder of ['.', 'deep/er']) {
    const { code, out, note } = await filewright({ cwd: join(cwd, folder), env }, 'ls', '--json')

    t.equal(code, 0)
    t.equal(note, `Using the local stack at ${url} (${data})\n`)
    t.strictSame(JSON.parse(out), { projects: [] })
  }
  t.strictSame(new Set(seen), new Set([`Bearer ${OWN_TOKEN}`]))
})

t.test('DATA_DIR can name a stack, even through a link', async (t) => {
  const { url, seen } = await listen(t)
  const { cwd, data, env } = await stackAt(t, url)
  await symlink(data, join(cwd, 'link'))

  const { code } = await filewright({ cwd: '/', env: { ...env, DATA_DIR: join(cwd, 'link') } }, 'ls')

  t.equal(code, 0)
  t.strictSame(seen, [`Bearer ${OWN_TOKEN}`])
})

t.test('FILEWRIGHT_TOKEN is not sent to a stack that was merely found', async (t) => {
  const { url, seen } = await listen(t)
  const { cwd, env } = await stackAt(t, url)

  const { code, note } = await filewright({ cwd, env: { ...env, FILEWRIGHT_TOKEN: 'mine' } }, 'ls')

  t.equal(code, 4)
  t.equal(
    note,
    'FILEWRIGHT_TOKEN is set, but nothing says which server it is for; ' +
      `set FILEWRIGHT_URL too, or unset FILEWRIGHT_TOKEN to use the local stack at ${url}\n`
  )
  t.strictSame(seen, [])
})

t.test('FILEWRIGHT_TOKEN without a server prints what to set', async (t) => {
  const cwd = t.testdir({})
  const env = { XDG_CONFIG_HOME: cwd, FILEWRIGHT_TOKEN: 'mine' }
  const { code, note } = await filewright({ cwd, env }, 'ls')
  t.equal(code, 4)
  t.equal(note, 'FILEWRIGHT_TOKEN is set, but nothing says which server it is for; set FILEWRIGHT_URL too\n')
})

t.test('FILEWRIGHT_TOKEN is sent to the server of FILEWRIGHT_URL or of the login', async (t) => {
  const { url, seen } = await listen(t)
  const cwd = t.testdir({})
  const env = { XDG_CONFIG_HOME: join(cwd, 'config'), FILEWRIGHT_TOKEN: 'mine' }

  const named = await filewright({ cwd, env: { ...env, FILEWRIGHT_URL: url } }, 'ls', '--json')
  await saveLogin({ cwd }, url, 'saved')
  const saved = await filewright({ cwd, env }, 'ls', '--json')

  for (const { code, note } of [named, saved]) t.strictSame({ code, note }, { code: 0, note: '' })
  t.strictSame(seen, ['Bearer mine', 'Bearer mine'])
})

t.test('a saved token is sent only to the saved server', async (t) => {
  const { url, seen } = await listen(t)
  const { cwd, env } = await stackAt(t, url)
  await saveLogin({ cwd }, 'http://files.example.com', 'saved')

  const other = await filewright({ cwd, env: { ...env, FILEWRIGHT_URL: `${url}/other` } }, 'ls')
  t.equal(other.code, 4)
  t.equal(
    other.note,
    `There is no token for ${url}/other: the saved one is for http://files.example.com; ` +
      `run: filewright login ${url}/other, or set FILEWRIGHT_TOKEN\n`
  )
  t.strictSame(seen, [])

  await saveLogin({ cwd }, `${url}/`, 'saved')
  for (const same of [url, `${url}/api`]) {
    t.equal((await filewright({ cwd, env: { ...env, FILEWRIGHT_URL: same } }, 'ls')).code, 0)
  }
  t.strictSame(seen, ['Bearer saved', 'Bearer saved'], 'however the address is written')
})

t.test('a stack whose address is not on loopback is not used', async (t) => {
  for (const address of [
    'http://files.example.com',
    'http://localhost.example.com:3000',
    'http://127.0.0.1@files.example.com',
    'http://127.0.0.1:80@files.example.com/',
    'http://user:pw@127.0.0.1:1',
    'http://127.0.0.1.example.com',
    'http://0.0.0.0:3000',
    'http://[::ffff:10.0.0.1]:3000',
    'ftp://127.0.0.1',
    'file:///etc/passwd',
    'nonsense',
    42
  ]) {
    const { cwd, env } = await stackAt(t, address as string)
    const { code, note } = await filewright({ cwd, env }, 'ls')
    t.equal(code, 4, String(address))
    t.match(note, /The local stack in .*\.data was not used: its address is not on this machine/)
  }
})

t.test('a stack that others could have written is not used', async (t) => {
  const { url, seen } = await listen(t)
  const link = async (path: string): Promise<void> => {
    await rename(path, `${path}.real`)
    await symlink(`${path}.real`, path)
  }
  const token = 'access-token'
  const file = 'run/stack.json'
  for (const [what, spoil, reason] of [
    [
      'folder open to the group',
      (data: string) => chmod(data, 0o770),
      /\.data can be written by other users/
    ],
    ['folder open to all', (data: string) => chmod(data, 0o707), /\.data can be written by other users/],
    ['run open', (data: string) => chmod(join(data, 'run'), 0o730), /run can be written by other users/],
    [
      'file open',
      (data: string) => chmod(join(data, file), 0o620),
      /stack\.json can be written by other users/
    ],
    [
      'token open',
      (data: string) => chmod(join(data, token), 0o604),
      /access-token can be read by other users/
    ],
    ['token of a clone', (data: string) => chmod(join(data, token), 0o644), /can be read by other users/],
    ['folder is a link', link, /\.data is a symbolic link/],
    ['run is a link', (data: string) => link(join(data, 'run')), /run is a symbolic link/],
    ['file is a link', (data: string) => link(join(data, file)), /stack\.json is a symbolic link/],
    ['token is a link', (data: string) => link(join(data, token)), /access-token is a symbolic link/],
    ['no token', (data: string) => rm(join(data, token)), /access-token is missing/]
  ] as const) {
    const { cwd, data, env } = await stackAt(t, url)
    await spoil(data)
    const { code, note } = await filewright({ cwd, env }, 'ls')
    t.equal(code, 4, what)
    t.match(note, reason)
  }
  t.strictSame(seen, [])
})

t.test('a stack of another user is not used', needsRoot, async (t) => {
  const { url, seen } = await listen(t)
  for (const path of ['.', 'run', 'run/stack.json', 'access-token']) {
    const { cwd, data, env } = await stackAt(t, url)
    await chown(join(data, path), 12_345, 12_345)
    const { code, note } = await filewright({ cwd, env }, 'ls')
    t.equal(code, 4)
    t.match(note, 'belongs to another user')
  }
  t.strictSame(seen, [])
})

t.test('a stack whose process is dead, or whose pid was reused, is not used', async (t) => {
  const { url, seen } = await listen(t)
  for (const more of [
    { pid: 0 },
    { pid: -1 },
    { pid: 2 ** 22 + 1 },
    { pid: `${process.pid}` },
    ...(isLinux
      ? [{ identity: undefined }, { identity: identityOf(process.ppid) }, { pid: process.ppid }]
      : [])
  ]) {
    const { cwd, env } = await stackAt(t, url, more)
    t.equal((await filewright({ cwd, env }, 'ls')).code, 4, JSON.stringify(more))
  }
  t.strictSame(seen, [])
})

t.test("another user's process is not this user's stack", needsRoot, async (t) => {
  const { url, seen } = await listen(t)
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
    uid: 12_345,
    stdio: 'ignore'
  })
  t.teardown(() => other.kill('SIGKILL'))
  await once(other, 'spawn')
  const pid = other.pid ?? 0
  const { cwd, env } = await stackAt(t, url, { pid, identity: identityOf(pid) })

  t.equal((await filewright({ cwd, env }, 'ls')).code, 4)
  t.strictSame(seen, [])
})

t.test('a stack that is not used does not hide one above it', async (t) => {
  const { url, seen } = await listen(t)
  const { cwd, env } = await stackAt(t, url)
  await mkdir(join(cwd, 'clone', '.data', 'run'), { recursive: true })
  const facts = JSON.stringify({ pid: process.pid, listenUrl: 'http://files.example.com' })
  await writeFile(join(cwd, 'clone', '.data', 'run', 'stack.json'), facts)
  await writeFile(join(cwd, 'clone', '.data', 'access-token'), 'theirs')

  t.equal((await filewright({ cwd: join(cwd, 'clone'), env }, 'ls')).code, 0)
  t.strictSame(seen, [`Bearer ${OWN_TOKEN}`])
})

t.test('a redirect is not followed: neither the token nor the data goes elsewhere', async (t) => {
  const elsewhere = await listen(t)
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(307, { location: `${elsewhere.url}${request.url ?? ''}` }).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const cwd = t.testdir({ 'a.js': 'secret()\n' })
  const env = { XDG_CONFIG_HOME: join(cwd, 'config'), FILEWRIGHT_URL: url, FILEWRIGHT_TOKEN: 'mine' }

  for (const args of [
    ['ls'],
    ['upload', 'a.js', '--to', 'p'],
    ['analyze', 'a.js'],
    ['optimize', 'a.js'],
    ['generate', 'x'],
    ['get', 'A'.repeat(22)],
    ['rm', 'A'.repeat(22)]
  ]) {
    const { code, note } = await filewright({ cwd, env }, ...args)
    t.equal(code, 1, args.join(' '))
    t.match(note, `The service redirects to ${elsewhere.url}, and redirects are not followed`)
  }
  t.strictSame(elsewhere.seen, [])
})
