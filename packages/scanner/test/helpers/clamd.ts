import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { baselineSignaturesDir, renderClamdConf } from '../../src/index.js'

export interface RunningClamd {
  socketPath: string
  tempDir: string
  pid: number
  /** As a crash would: no goodbye, the socket file stays. */
  kill: () => Promise<void>
  restart: () => Promise<void>
  stop: () => Promise<void>
}

const START_TIMEOUT_MS = 60_000

/** Debian keeps clamd in /usr/sbin, which is not on an ordinary user's PATH. */
function findClamd (): string {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin', '/opt/homebrew/sbin']
  for (const folder of folders) {
    const path = join(folder, 'clamd')
    try {
      accessSync(path, constants.X_OK)
      return path
    } catch {}
  }
  throw new Error('clamd is not installed: these tests need the clamav-daemon package')
}

function ping (socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath)
    socket.setTimeout(2_000, () => { socket.destroy() })
    socket.on('error', () => {})
    socket.on('close', () => { resolve(false) })
    socket.on('data', (data) => {
      resolve(data.toString().startsWith('PONG'))
      socket.destroy()
    })
    socket.write('zPING\0')
  })
}

/** A real clamd with our configuration and nothing but our signatures, in a folder whose name has a space. */
export async function startClamd (): Promise<RunningClamd> {
  const folder = await mkdtemp(join(tmpdir(), 'fw clamd-'))
  const paths = { socketPath: join(folder, 'clamd.sock'), databaseDir: join(folder, 'db'), tempDir: join(folder, 'tmp') }
  await cp(baselineSignaturesDir(), paths.databaseDir, { recursive: true })
  await mkdir(paths.tempDir)
  const conf = join(folder, 'clamd.conf')
  await writeFile(conf, await renderClamdConf(paths))

  async function launch (): Promise<ChildProcess> {
    const child = spawn(findClamd(), ['--config-file', conf], { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.on('data', (data: Buffer) => { output += data.toString() })
    child.stderr.on('data', (data: Buffer) => { output += data.toString() })
    const deadline = Date.now() + START_TIMEOUT_MS
    while (!await ping(paths.socketPath)) {
      if (child.exitCode !== null) throw new Error(`clamd exited: ${output}`)
      if (Date.now() > deadline) throw new Error(`clamd did not answer in time: ${output}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    return child
  }

  async function end (child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }

  let child = await launch()
  return {
    ...paths,
    get pid () { return child.pid ?? 0 },
    kill: async () => { await end(child, 'SIGKILL') },
    restart: async () => { child = await launch() },
    stop: async () => {
      await end(child, 'SIGKILL')
      await rm(folder, { recursive: true, force: true })
    }
  }
}
