import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.js'
import { poll } from './poll.js'
import { answers } from './postgres-server.js'

export interface PgBouncer {
  /** Of the database behind it. */
  readonly url: string
  stop: () => Promise<void>
}

export interface PgBouncerOptions {
  /** The URL of the database behind it, as the superuser without a password. */
  target: string
  /** Connections to the server, however many clients there are. Default 3. */
  poolSize?: number
}

/** A private, real PgBouncer in transaction mode, configured to ignore what version 1.18 does not know. */
export async function startPgBouncer({ target, poolSize = 3 }: PgBouncerOptions): Promise<PgBouncer> {
  const { hostname, port: serverPort, pathname } = new URL(target)
  const database = pathname.slice(1)
  const [port, folder] = await Promise.all([freePort(), mkdtemp(join(tmpdir(), 'filewright-pgbouncer-'))])
  const settings = join(folder, 'pgbouncer.ini')
  const users = join(folder, 'users.txt')
  await writeFile(users, '"postgres" ""\n')
  await writeFile(
    settings,
    `[databases]
${database} = host=${hostname} port=${serverPort} dbname=${database}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${poolSize}
ignore_startup_parameters = options
`
  )
  // It refuses to run as root, and reads these files as the user that it switches to.
  await chmod(folder, 0o755)
  const asUser = process.getuid?.() === 0 ? ['-u', 'postgres'] : []
  const child = spawn('pgbouncer', [...asUser, settings], { stdio: 'ignore' })
  await once(child, 'spawn')
  const exited = once(child, 'exit')
  const url = `postgresql://postgres@127.0.0.1:${port}/${database}`
  const stop = async (): Promise<void> => {
    child.kill('SIGINT')
    await exited
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await poll(async () => await answers(url), { what: 'PgBouncer answering', timeoutMs: 30_000 })
  } catch (error) {
    await stop()
    throw error
  }
  return { url, stop }
}
