import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from './free-port.js'
import { poll } from './poll.js'

const exec = promisify(execFile)

export interface PostgresServer {
  readonly port: number
  /** Of the database `postgres`, as the superuser. */
  readonly url: string
  /** Contains its tables and its write-ahead log. */
  readonly folder: string
  /** The URL of another database on this server. */
  urlOf: (database: string) => string
  /** Creates an empty database, or a copy of one without connections. */
  createDatabase: (name: string, template?: string) => Promise<void>
  /** Of the postmaster; undefined while it is down. */
  pid: () => number | undefined
  /**
   * Like a power cut that spared the disk: no shutdown, no checkpoint; it stays down until `start`, which
   * recovers.
   */
  crash: () => Promise<void>
  start: () => Promise<void>
  /** Ends the server and removes its folder. */
  stop: () => Promise<void>
}

export interface PostgresOptions {
  /**
   * False if no test simulates a crash; commits then do not wait for the disk. Default true, as in
   * production.
   */
  durable?: boolean
}

const FAST = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']

/** A private, real PostgreSQL on a free port of loopback and in a temporary folder. */
export async function startPostgresServer({ durable = true }: PostgresOptions = {}): Promise<PostgresServer> {
  const [binaries, port, root] = await Promise.all([
    findBinaries(),
    freePort(),
    mkdtemp(join(tmpdir(), 'filewright-postgres-'))
  ])
  const owner = serverUser()
  if (owner !== undefined) await chown(root, owner.uid, owner.gid)
  const data = join(root, 'data')
  await exec(
    join(binaries, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { cwd: root, ...owner }
  )
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=300',
    'shared_buffers=128MB',
    'logging_collector=off',
    ...(durable ? [] : FAST)
  ]
  let child: ChildProcess | undefined
  const killWithParent = (): void => {
    child?.kill('SIGQUIT')
    rmSync(root, { recursive: true, force: true })
  }
  process.once('exit', killWithParent)

  const urlOf = (database: string): string => `postgresql://postgres@127.0.0.1:${port}/${database}`

  async function start(): Promise<void> {
    if (child !== undefined) return
    const spawned = spawn(
      join(binaries, 'postgres'),
      ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
      { cwd: root, stdio: 'ignore', ...owner }
    )
    await once(spawned, 'spawn')
    child = spawned
    spawned.once('exit', () => {
      if (child === spawned) child = undefined
    })
    await poll(
      async () => {
        if (child !== spawned) throw new Error('postgres exited')
        return await answers(urlOf('postgres'))
      },
      { what: 'PostgreSQL answering', timeoutMs: 60_000 }
    )
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child === undefined) return
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }

  await start()
  return {
    port,
    url: urlOf('postgres'),
    folder: root,
    urlOf,
    createDatabase: async (name, template) =>
      await runCommand(
        urlOf('postgres'),
        `CREATE DATABASE "${name}"${template === undefined ? '' : ` TEMPLATE "${template}"`}`
      ),
    pid: () => child?.pid,
    crash: async () => await end('SIGQUIT'),
    start,
    stop: async () => {
      process.off('exit', killWithParent)
      await end(durable ? 'SIGINT' : 'SIGQUIT')
      await rm(root, { recursive: true, force: true })
    }
  }
}

export async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 })
  client.on('error', () => {})
  return await client.connect().then(
    async () => {
      await client.end()
      return true
    },
    () => false
  )
}

/** One command over a short connection. */
export async function runCommand(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** Debian keeps them outside PATH, by version. */
async function findBinaries(): Promise<string> {
  const debian = '/usr/lib/postgresql'
  const versions = await readdir(debian).catch(() => [])
  const folders = [
    ...versions.sort((a, b) => Number(b) - Number(a)).map((version) => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter)
  ]
  for (const folder of folders) {
    const files = await readdir(folder).catch(() => [] as string[])
    if (files.includes('initdb') && files.includes('postgres')) return folder
  }
  throw new Error('Install PostgreSQL to run these tests')
}

/** PostgreSQL refuses to run as root: then as its package's user. */
function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const users = new Map(
    readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .map(([name, , uid, gid]) => [name, { uid: Number(uid), gid: Number(gid) }])
  )
  return users.get('postgres') ?? users.get('nobody')
}
