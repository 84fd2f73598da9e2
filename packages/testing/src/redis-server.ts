import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.js'
import { poll } from './poll.js'

const BINARIES = ['redis-server', 'valkey-server']

export interface RedisServer {
  readonly port: number
  readonly url: string
  /** Its working folder. */
  readonly folder: string
  /** Of the running server; undefined while it is down. */
  pid: () => number | undefined
  /** Kill -9; it stays down until `start`. */
  kill: () => Promise<void>
  start: () => Promise<void>
  /** Kill -9 and start on the same port. Its data is lost unless it writes an append-only file. */
  restart: () => Promise<void>
  /** SIGSTOP: connections stay open and nothing answers. */
  freeze: () => void
  thaw: () => void
  /** FLUSHALL. */
  flush: () => Promise<void>
  /** One inline command, raw reply. */
  command: (line: string) => Promise<string>
  /** Ends the server and removes its folder. */
  stop: () => Promise<void>
}

export interface RedisServerOptions {
  /** Keeps its data through a restart, as some operators' Redis does. Default: it writes nothing to disk. */
  appendOnly?: boolean
  /** More settings, as on its command line. */
  args?: readonly string[]
}

/** A private, real redis-server (or valkey-server) on a free port and in a temporary folder. */
export async function startRedisServer({
  appendOnly = false,
  args: more = []
}: RedisServerOptions = {}): Promise<RedisServer> {
  const port = await freePort()
  const root = await mkdtemp(join(tmpdir(), 'filewright-redis-'))
  let child: ChildProcess | undefined
  const killWithParent = (): void => {
    child?.kill('SIGKILL')
    rmSync(root, { recursive: true, force: true })
  }
  process.once('exit', killWithParent)

  async function start(): Promise<void> {
    if (child !== undefined) return
    const args = [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--dir',
      root,
      '--save',
      '',
      '--appendonly',
      appendOnly ? 'yes' : 'no',
      '--maxmemory-policy',
      'noeviction',
      '--loglevel',
      'warning',
      ...more
    ]
    const spawned = await spawnFirst(BINARIES, args)
    child = spawned
    spawned.once('exit', () => {
      if (child === spawned) child = undefined
    })
    await poll(
      async () => {
        if (child !== spawned) throw new Error('redis-server exited')
        return (await send(port, 'PING')).startsWith('+PONG')
      },
      { what: 'redis-server answering PING' }
    )
  }

  async function kill(): Promise<void> {
    if (child === undefined) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }

  await start()
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    folder: root,
    pid: () => child?.pid,
    kill,
    start,
    restart: async () => {
      await kill()
      await start()
    },
    freeze: () => {
      child?.kill('SIGSTOP')
    },
    thaw: () => {
      child?.kill('SIGCONT')
    },
    flush: async () => {
      const reply = await send(port, 'FLUSHALL')
      if (!reply.startsWith('+OK')) throw new Error(`FLUSHALL answered ${reply}`)
    },
    command: async (line) => await send(port, line),
    stop: async () => {
      process.off('exit', killWithParent)
      await kill()
      await rm(root, { recursive: true, force: true })
    }
  }
}

async function spawnFirst(binaries: string[], args: string[]): Promise<ChildProcess> {
  for (const binary of binaries) {
    const child = spawn(binary, args, { stdio: 'ignore' })
    try {
      await once(child, 'spawn')
      return child
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  throw new Error(`Install one of ${binaries.join(', ')} to run these tests`)
}

/**
 * An inline command over its own short connection: without a client library, so that nothing is retried
 * unnoticed.
 */
async function send(port: number, line: string): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1' })
  try {
    socket.setTimeout(2_000, () => socket.destroy(new Error('Redis did not answer in 2 s')))
    socket.write(`${line}\r\n`)
    // Whichever comes first: a Redis that changes its role silently closes its clients' connections.
    const reply = await Promise.race([
      once(socket, 'data').then(([data]: Buffer[]) => data),
      once(socket, 'close').then(() => undefined)
    ])
    if (reply === undefined) throw new Error('Redis closed the connection')
    return reply.toString()
  } finally {
    socket.destroy()
  }
}
