import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StackError, messageOf } from '../errors.js'
import { firstPlace } from '../first-place.js'
import { ask, waitUntil } from '../wait.js'
import type { Service, ServiceContext } from './service.js'

const HOST = '127.0.0.1'
const ELSEWHERE_TIMEOUT_MS = 5_000

/** `REDIS_URL`, otherwise a private server that, as in production, writes nothing to disk. */
export async function planRedis(
  choice: { url: string } | { program: string },
  context: ServiceContext
): Promise<Service<string>> {
  return 'url' in choice ? redisElsewhere(choice.url) : await privateRedis(choice.program, context)
}

function redisElsewhere(url: string): Service<string> {
  // The first host of a cluster or of Sentinels.
  const { hostname, port, host } = new URL(firstPlace(url))
  const address = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port === '' ? 6379 : port) }
  return {
    address: url,
    note: `Redis at ${host} (REDIS_URL)`,
    check: async (signal) => {
      const missing = await waitUntil(
        async (soon) => await ask(address, '', () => true, soon).then(() => null, messageOf),
        { signal, timeoutMs: ELSEWHERE_TIMEOUT_MS }
      )
      if (missing !== null) {
        throw new StackError(`Redis at ${host} (REDIS_URL) cannot be reached: ${missing}.`)
      }
    }
  }
}

async function privateRedis(
  program: string,
  { paths, env, guard, socketDir, pickPort }: ServiceContext
): Promise<Service<string>> {
  const confFile = join(socketDir, 'redis.conf')
  const port = await pickPort()
  // Loopback is open to every user of the machine.
  const password = randomBytes(24).toString('hex')
  return {
    address: `redis://:${password}@${HOST}:${port}`,
    note: `Redis: private ${program}`,
    child: {
      name: 'redis',
      tier: 'base',
      ...guard(program, [confFile]),
      env,
      logFile: join(paths.logs, 'redis.log'),
      ipc: false,
      prepare: () => {
        // Earlier versions kept an append-only file here, with users' prompts in it.
        rmSync(join(paths.redis, 'appendonlydir'), { recursive: true, force: true })
        mkdirSync(paths.redis, { recursive: true, mode: 0o700 })
        writeFileSync(confFile, redisConf({ port, password, dir: paths.redis }), { mode: 0o600 })
      },
      ready: async (signal) => {
        const reply = await ask(
          { host: HOST, port },
          `AUTH ${password}\r\nPING\r\n`,
          (text) => text.split('\r\n').length > 2,
          signal
        )
        return reply === '+OK\r\n+PONG\r\n' ? null : `it answers ${reply.trim()}`
      },
      readyTimeoutMs: 60_000
    }
  }
}

function redisConf({ port, password, dir }: { port: number; password: string; dir: string }): string {
  return [
    `bind ${HOST}`,
    `port ${port}`,
    `requirepass ${password}`,
    `dir ${JSON.stringify(dir)}`,
    'daemonize no',
    'save ""',
    'appendonly no',
    'maxmemory-policy noeviction',
    'loglevel notice',
    ''
  ].join('\n')
}
