import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, rmSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

export interface ClamdPaths {
  socketPath: string
  databaseDir: string
  tempDir: string
}

export interface ClamdServer extends ClamdPaths {
  readonly pid: number
  /** Like a crash: no shutdown, the socket file stays. */
  kill: () => Promise<void>
  restart: () => Promise<void>
  stop: () => Promise<void>
}

export interface ClamdServerOptions {
  /** The text of clamd.conf. */
  renderConf: (paths: ClamdPaths) => Promise<string>
  /** Its signatures, and no others. */
  signaturesDir: string
}

const START_TIMEOUT_MS = 60_000

/** A private, real clamd on a socket in a temporary folder, whose name contains a space. */
export async function startClamdServer({
  renderConf,
  signaturesDir
}: ClamdServerOptions): Promise<ClamdServer> {
  const folder = await mkdtemp(join(tmpdir(), 'fw clamd-'))
  const paths = {
    socketPath: join(folder, 'clamd.sock'),
    databaseDir: join(folder, 'db'),
    tempDir: join(folder, 'tmp')
  }
  await cp(signaturesDir, paths.databaseDir, { recursive: true })
  await mkdir(paths.tempDir)
  const conf = join(folder, 'clamd.conf')
  await writeFile(conf, await renderConf(paths))

  async function launch(): Promise<ChildProcess> {
    const launched = spawn(findClamd(), ['--config-file', conf], { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    launched.stdout.on('data', (data: Buffer) => {
      output += data.toString()
    })
    launched.stderr.on('data', (data: Buffer) => {
      output += data.toString()
    })
    const deadline = Date.now() + START_TIMEOUT_MS
    while (!(await ping(paths.socketPath))) {
      if (launched.exitCode !== null) throw new Error(`clamd exited: ${output}`)
      if (Date.now() > deadline) throw new Error(`clamd did not answer in time: ${output}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    return launched
  }

  async function end(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }

  let child = await launch()
  const endWithParent = (): void => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', endWithParent)
  return {
    ...paths,
    get pid() {
      return child.pid ?? 0
    },
    kill: end,
    restart: async () => {
      child = await launch()
    },
    stop: async () => {
      process.off('exit', endWithParent)
      await end()
      await rm(folder, { recursive: true, force: true })
    }
  }
}

/** Debian keeps clamd in /usr/sbin, which is not on an ordinary user's PATH. */
function findClamd(): string {
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    '/usr/sbin',
    '/usr/local/sbin',
    '/opt/homebrew/sbin'
  ]
  for (const folder of folders) {
    const path = join(folder, 'clamd')
    try {
      accessSync(path, constants.X_OK)
      return path
    } catch {}
  }
  throw new Error('clamd is not installed: these tests need the clamav-daemon package')
}

function ping(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath)
    socket.setTimeout(2_000, () => socket.destroy())
    socket.on('error', () => {})
    socket.on('close', () => resolve(false))
    socket.on('data', (data) => {
      resolve(data.toString().startsWith('PONG'))
      socket.destroy()
    })
    socket.write('zPING\0')
  })
}
