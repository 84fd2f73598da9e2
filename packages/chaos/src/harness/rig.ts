import { createHash } from 'node:crypto'
import pg from 'pg'
import { defaultModels } from '@filewright/acceptance'
import { baselineSignaturesDir, renderClamdConf } from '@filewright/scanner'
import {
  poll,
  startChaosProxy,
  startClamdServer,
  startOllamaServer,
  startPostgresServer,
  startRedisServer,
  startStack,
  type ChaosProxy,
  type ClamdServer,
  type Fault,
  type OllamaRequest,
  type OllamaServer,
  type PostgresServer,
  type RedisServer,
  type RunningStack
} from '@filewright/testing'
import { bundleWithFailpoints } from './apps.js'
import { createFailpoints, type Failpoints } from './failpoints.js'
import { socketCounts } from './sockets.js'
import { createSubject, type Subject, type SubjectOptions } from './subject.js'

export type Dependency = 'postgres' | 'redis' | 'clamd' | 'ollama'

/**
 * The whole service as separate processes, each dependency real, or a fake server, behind one of our proxies.
 */
export interface Rig {
  readonly stack: RunningStack
  readonly postgres: PostgresServer
  readonly redis: RedisServer
  readonly clamd: ClamdServer
  readonly ollama: OllamaServer
  readonly proxies: Record<Dependency, ChaosProxy>
  readonly failpoints: Failpoints
  /** The number of sockets of each process under load. More, long after a fault, is a leak. */
  readonly sockets: Record<string, number>
  /** The addresses of the apps' dependencies, for rows that start more apps. */
  readonly addresses: {
    DATABASE_URL: string
    REDIS_URL: string
    CLAMD_HOST: string
    CLAMD_PORT: string
    OLLAMA_HOST: string
  }
  subject: (options?: Partial<SubjectOptions>) => Subject
  /** Bypasses the proxy. */
  sql: <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<Row[]>
  /** New connections to clamd go to this port instead; null: to the real one. */
  pointClamdAt: (port: number | null) => void
  /** The fault of each model response; null: none. */
  scriptModel: (script: ((request: OllamaRequest) => Fault | undefined) | null) => void
  /** Starts the servers again, removes scripts, and waits until the gateway calls itself ready. */
  restore: () => Promise<void>
  /** Resolves with the milliseconds until the gateway calls itself ready. */
  ready: (timeoutMs?: number) => Promise<number>
  stop: () => Promise<void>
}

/** Short, so that an hour has room for thousands of faults; the results do not depend on them. */
export const SETTINGS = {
  SCAN_DEADLINE_MS: '20000',
  AI_DEADLINE_MS: '15000',
  IDLE_TIMEOUT_MS: '5000',
  SWEEP_INTERVAL_MS: '1000',
  IDEMPOTENCY_LEASE_MS: '1000',
  RESCAN_BATCH: '0',
  SCAN_CONCURRENCY: '32',
  INFERENCE_CONCURRENCY: '32',
  MAX_UPLOADS_PER_TOKEN: '0',
  MAX_AI_REQUESTS_PER_TOKEN: '0',
  OLLAMA_CONNECT_TIMEOUT_MS: '1000',
  OLLAMA_FIRST_TOKEN_TIMEOUT_MS: '700',
  OLLAMA_IDLE_TIMEOUT_MS: '700',
  OLLAMA_TOTAL_TIMEOUT_MS: '3000',
  OLLAMA_NUM_PREDICT: '256',
  OLLAMA_MAX_OUTPUT_BYTES: '262144',
  LOG_LEVEL: 'warn',
  FILEWRIGHT_BUILD: 'failpoints'
}

const DATABASE = 'filewright'

export interface RigOptions {
  env?: NodeJS.ProcessEnv
  /** Default: two scan workers. */
  args?: readonly string[]
}

export async function startRig({ env = {}, args = ['--scan-workers', '2'] }: RigOptions = {}): Promise<Rig> {
  const undo: Array<() => Promise<unknown> | unknown> = []
  const stop = async (): Promise<void> => {
    while (undo.length > 0) await undo.pop()?.()
  }
  try {
    return await build()
  } catch (error) {
    await stop()
    throw error
  }

  async function build(): Promise<Rig> {
    const keep = <T extends { stop: () => Promise<unknown> }>(part: T): T => {
      undo.push(part.stop)
      return part
    }
    let script: ((request: OllamaRequest) => Fault | undefined) | null = null
    const [postgres, redis, clamd, ollama, failpoints] = await Promise.all([
      startPostgresServer({ durable: true }).then(keep),
      startRedisServer().then(keep),
      startClamdServer({ renderConf: renderClamdConf, signaturesDir: baselineSignaturesDir() }).then(keep),
      startOllamaServer({
        models: defaultModels,
        respond: respondPlainly,
        script: (request) => script?.(request),
        logLimit: 2_000
      }),
      createFailpoints(),
      bundleWithFailpoints()
    ])
    undo.push(ollama.close, failpoints.remove)
    await postgres.createDatabase(DATABASE)
    const clamdTarget: { path?: string; host?: string; port?: number } = { path: clamd.socketPath }
    const proxies = {
      postgres: await startChaosProxy({ target: { host: '127.0.0.1', port: postgres.port } }),
      redis: await startChaosProxy({ target: { host: '127.0.0.1', port: redis.port } }),
      clamd: await startChaosProxy({ target: clamdTarget as { path: string } }),
      ollama: await startChaosProxy({ target: { host: '127.0.0.1', port: ollama.port } })
    }
    for (const proxy of Object.values(proxies)) undo.push(proxy.close)
    const addresses = {
      DATABASE_URL: `postgresql://postgres@127.0.0.1:${proxies.postgres.port}/${DATABASE}`,
      REDIS_URL: `redis://127.0.0.1:${proxies.redis.port}`,
      CLAMD_HOST: '127.0.0.1',
      CLAMD_PORT: String(proxies.clamd.port),
      OLLAMA_HOST: `http://127.0.0.1:${proxies.ollama.port}`
    }
    const pool = new pg.Pool({ connectionString: postgres.urlOf(DATABASE), max: 2, idleTimeoutMillis: 1_000 })
    // The server is killed repeatedly.
    pool.on('error', () => {})
    undo.push(async () => await pool.end())
    const stack = keep(
      await startStack(undefined, {
        env: { ...SETTINGS, ...addresses, FAILPOINTS: failpoints.folder, ...env },
        args
      })
    )

    const rig: Rig = {
      stack,
      postgres,
      redis,
      clamd,
      ollama,
      proxies,
      failpoints,
      sockets: await socketsWhenBusy(stack),
      addresses,
      subject: (options = {}) => createSubject({ baseUrl: stack.baseUrl, token: stack.token, ...options }),
      sql: async (text, values) => (await pool.query(text, values)).rows,
      pointClamdAt: (port) => {
        for (const key of ['path', 'host', 'port'] as const) Reflect.deleteProperty(clamdTarget, key)
        Object.assign(clamdTarget, port === null ? { path: clamd.socketPath } : { host: '127.0.0.1', port })
      },
      scriptModel: (next) => {
        script = next
      },
      restore: async () => {
        rig.scriptModel(null)
        rig.pointClamdAt(null)
        await Promise.all([redis.start(), postgres.start()])
        await rig.ready()
      },
      ready: async (timeoutMs = 60_000) => {
        const startedAt = performance.now()
        await poll(
          async () =>
            (await fetch(`${stack.adminUrl}/health/ready`, { signal: AbortSignal.timeout(2_000) })).status ===
            200,
          {
            what: 'a gateway that calls itself ready',
            timeoutMs,
            intervalMs: 50
          }
        )
        return performance.now() - startedAt
      },
      stop
    }
    return rig
  }
}

async function socketsWhenBusy(stack: RunningStack): Promise<Record<string, number>> {
  const { upload, ai } = createSubject(stack)
  const warmUp = async (): Promise<Record<string, number>> => {
    const [{ status }] = await Promise.all([
      upload({ project: 'warm-up' }),
      ai('analyze', { code: 'let a = 1\n', language: 'js' })
    ])
    if (status !== 201) throw new Error(`The first uploads answered ${status}`)
    return await socketCounts(stack)
  }
  const counted = await Promise.all(Array.from({ length: 12 }, warmUp))
  return Object.fromEntries(
    Object.keys(counted[0] ?? {}).map((name) => [
      name,
      Math.max(...counted.map((counts) => counts[name] ?? 0))
    ])
  )
}

/** A fixed model response in the requested format. */
function respondPlainly({ messages }: OllamaRequest): string {
  const asked = messages.at(-1)?.content ?? ''
  if (asked.startsWith('Task: analyze')) return '{"findings":[]}'
  return `\`\`\`js\nexport const v${createHash('sha256').update(asked).digest('hex').slice(0, 8)} = (list) => list.includes(1)\n\`\`\``
}
