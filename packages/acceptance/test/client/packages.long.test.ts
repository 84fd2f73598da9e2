import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import t from 'tap'
import { startStack } from '@filewright/testing'
import { sha256, uniqueText } from '../../src/index.js'
import { eicar } from '../../src/samples.js'

t.setTimeout(300_000)

const ROOT = resolve(fileURLToPath(new URL('.', import.meta.url)), '../../../../..')
const stack = await startStack(t)
// Outside this repository, so that its packages are not found.
const home = await mkdtemp(join(tmpdir(), 'fw-user-'))
t.teardown(async () => await rm(home, { recursive: true, force: true }))
const env = { PATH: process.env.PATH ?? '', HOME: home, XDG_CONFIG_HOME: join(home, 'config') }

interface Ended {
  code: number
  out: string
  note: string
}

const runIn = async (
  cwd: string,
  command: string,
  args: string[],
  { input = '', more = {} } = {}
): Promise<Ended> =>
  await new Promise((resolve) => {
    const child = execFile(
      command,
      args,
      { cwd, env: { ...env, ...more }, maxBuffer: 64 * 1024 * 1024 },
      (error, out, note) => resolve({ code: error === null ? 0 : Number(error.code), out, note })
    )
    child.stdin?.end(input)
  })

// What users do: an empty folder, two tarballs, nothing from this repository.
const tarballs = join(home, 'tarballs')
const packed = await runIn(ROOT, process.execPath, ['infra/tooling/scripts/packages.mjs', '--out', tarballs])
if (packed.code !== 0) throw new Error(packed.note)
const folder = join(home, 'user')
await mkdir(folder)
await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
const paths = (await readdir(tarballs)).map((name) => join(tarballs, name))
const installed = await runIn(folder, 'npm', ['install', '--offline', '--no-audit', '--no-fund', ...paths])
if (installed.code !== 0) throw new Error(installed.note)
const bin = join(folder, 'node_modules', '.bin', 'filewright')
const filewright = async (args: string[], options = {}): Promise<Ended> =>
  await runIn(folder, bin, args, options)

async function hashesIn(root: string): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Object.fromEntries(
    await Promise.all(
      files.sort().map(async (path) => [path.slice(root.length + 1), sha256(await readFile(path))] as const)
    )
  )
}

t.test('the packages have no dependencies, and the client is small', async (t) => {
  t.strictSame(await readdir(join(folder, 'node_modules', '@filewright')), ['cli', 'client'])
  t.strictSame(
    (await readdir(join(folder, 'node_modules'))).filter((name) => !name.startsWith('.')),
    ['@filewright']
  )
  const limits = [
    // With the verification of receipts, which needs Node.js.
    ['index.js', 16_500],
    ['browser.js', 13_000]
  ] as const
  for (const [entry, maxBytes] of limits) {
    const bundle = await readFile(join(folder, 'node_modules/@filewright/client', entry))
    // The response checks take 2,000 of these bytes.
    t.ok(gzipSync(bundle).byteLength <= maxBytes, `${entry}: ${gzipSync(bundle).byteLength} bytes gzipped`)
  }
})

t.test('the client package works and its types need nothing else', async (t) => {
  await writeFile(
    join(folder, 'use.mts'),
    `
    import { Filewright, type DetailedFileSummary } from '@filewright/client'
    const client = new Filewright({ baseUrl: process.argv[2]!, token: process.argv[3]! })
    const { pagination } = await client.files.list({ projectId: 'x', sort: 'name' })
    const names = (files: DetailedFileSummary[]): string[] => files.map(({ sha256 }) => sha256)
    console.log(pagination.total + names([]).length)
    // @ts-expect-error there is no such order
    void (() => client.files.list({ projectId: 'x', sort: 'type' }))`
  )
  const flags = [
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--strict',
    '--types',
    'node',
    '--typeRoots',
    join(ROOT, 'node_modules/@types')
  ]
  const compiled = await runIn(folder, join(ROOT, 'node_modules/.bin/tsc'), [...flags, 'use.mts'])
  t.equal(compiled.code, 0, compiled.out)
  const ran = await runIn(folder, process.execPath, ['use.mjs', stack.baseUrl, stack.token])
  t.equal(ran.out.trim(), '0', ran.note)
})

t.test('without a login every command says how to get one', async (t) => {
  const { code, note } = await filewright(['ls'])
  t.equal(code, 4)
  t.match(note, /^You are not logged in; run: filewright login <server>, or set FILEWRIGHT_URL /)
})

t.test('login tests the token before it saves it for this user only', async (t) => {
  const refused = await filewright(['login', stack.baseUrl, '--token-stdin'], {
    input: 'wrong-token-wrong-token\n'
  })
  t.equal(refused.code, 4)
  t.match(refused.note, /does not accept this token; nothing was saved/)
  await t.rejects(stat(join(home, 'config/filewright/config.json')))

  const { code, out } = await filewright(['login', stack.baseUrl, '--token-stdin'], {
    input: `${stack.token}\n`
  })
  t.equal(code, 0)
  t.match(out, /^Logged in to/)
  t.equal((await stat(join(home, 'config/filewright/config.json'))).mode & 0o777, 0o600)
})

t.test(
  'a folder is uploaded and downloaded unchanged, except for malware, which is refused by name',
  async (t) => {
    const up = join(folder, 'up')
    for (let i = 0; i < 39; i++) {
      const path = join(up, `d${i % 4}`, i % 2 === 0 ? 'deep' : '', `file ${i} "ü".txt`)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, uniqueText(100 + i * 50))
    }
    await writeFile(join(up, 'd1', 'bad.txt'), eicar)

    const sent = await filewright(['upload', 'up', '--to', 'packed'])
    t.equal(sent.code, 1)
    t.match(sent.note, /d1\/bad\.txt: refused: Malware was found in the file/)
    t.match(sent.out, /39 of 40 files stored in packed/)
    t.match((await filewright(['ls', 'packed/up'])).out, /d0\/\t.*\t10 files/)
    t.match(JSON.parse((await filewright(['ls', '--json'])).out), { projects: [{ id: 'packed', files: 39 }] })

    t.match((await filewright(['sync', 'fw:packed/up', 'down'])).out, '0 sent, 39 fetched, 0 deleted')
    const expected = await hashesIn(up)
    delete expected['d1/bad.txt']
    t.strictSame(await hashesIn(join(folder, 'down')), expected)
    t.match((await filewright(['sync', 'fw:packed/up', 'down'])).out, 'Nothing to do')
    t.match(
      (await filewright(['sync', 'down', 'fw:packed/up'])).out,
      'Nothing to do',
      'nothing is sent either'
    )
  }
)

t.test('a real Model Context Protocol client uses the tools, and writes only where allowed', async (t) => {
  const connect = async (...flags: string[]): Promise<Client> => {
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(
      new StdioClientTransport({ command: bin, args: ['mcp', ...flags], env, cwd: folder })
    )
    t.teardown(async () => await client.close())
    return client
  }
  const textOf = async (client: Client, name: string, args: object): Promise<string> => {
    const { content } = await client.callTool({ name, arguments: { ...args } })
    return (content as Array<{ text: string }>)[0]?.text ?? ''
  }
  const reader = await connect()
  const readTools = ['analyze_code', 'list_files', 'optimize_code', 'read_file']
  t.strictSame((await reader.listTools()).tools.map(({ name }) => name).sort(), readTools)
  t.match(await textOf(reader, 'analyze_code', { code: 'eval(x)', language: 'js' }), /"type": "warning"/)

  const writer = await connect('--allow-write')
  t.strictSame(
    (await writer.listTools()).tools.map(({ name }) => name).sort(),
    [...readTools, 'delete_file', 'move_file', 'restore_file', 'upload_file'].sort()
  )
  const { id } = JSON.parse(
    await textOf(writer, 'upload_file', { project: 'agents', name: 'a.txt', text: 'from an agent' })
  )
  t.match(JSON.parse(await textOf(reader, 'list_files', { project: 'agents' })), { files: [{ id }] })
  t.equal(await textOf(reader, 'read_file', { id }), 'from an agent')
  t.equal(await textOf(writer, 'delete_file', { id }), 'File deleted')
  t.match(await textOf(reader, 'read_file', { id }), /^File not found/)
})
