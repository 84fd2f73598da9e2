import { join } from 'node:path'
import { freePort, poll, startChaosProxy, type ChaosProxy } from '@filewright/testing'
import { startApp, type App, type AppName } from './apps.js'
import { createFailpoints, type Failpoints } from './failpoints.js'
import { SETTINGS, type Dependency, type Rig } from './rig.js'
import { createSubject, type Subject, type SubjectOptions } from './subject.js'

/**
 * A second service on the rig's servers, with its own queues, apps without a supervisor, and proxies, so that
 * its faults affect nothing else.
 */
export interface Cell {
  readonly proxies: Record<Dependency, ChaosProxy>
  readonly failpoints: Failpoints
  readonly baseUrl: string
  /** The prefix of its queues' keys in Redis. */
  readonly queuePrefix: string
  /** Restarts it after it has ended, on the same port. */
  start: (app: AppName) => App
  app: (app: AppName) => App | undefined
  /** A second gateway on the same queues. */
  startGateway: () => Promise<Gateway>
  /** One more scan worker with its own environment, such as another clamd. */
  startScanWorker: (env: NodeJS.ProcessEnv) => Promise<ScanWorker>
  subject: (options?: Partial<SubjectOptions>) => Subject
  /** The gateway's readiness: 200, 503, or 0 when nothing answers. */
  probe: (path?: 'ready' | 'startup') => Promise<number>
  ready: (timeoutMs?: number) => Promise<number>
  stop: () => Promise<void>
}

export interface Gateway {
  readonly app: App
  readonly baseUrl: string
  probe: () => Promise<number>
}

export interface ScanWorker {
  readonly app: App
  /** The worker's readiness: 200, 503, or 0 when nothing answers. */
  probe: () => Promise<number>
}

export interface CellOptions {
  env?: NodeJS.ProcessEnv
  /** Default: the gateway and both workers. */
  apps?: readonly AppName[]
  /** Dependencies that are down at first. Default: none. */
  missing?: readonly Dependency[]
  /** Bypasses the proxies, which run in this process: for rows that keep it busy and need no fault. */
  direct?: boolean
}

let cells = 0

export async function startCell(
  rig: Rig,
  {
    env = {},
    apps = ['gateway', 'scan-worker', 'inference-worker'],
    missing = [],
    direct = false
  }: CellOptions = {}
): Promise<Cell> {
  const started: App[] = []
  const byName = new Map<AppName, App>()
  const failpoints = await createFailpoints()
  const via = async (dependency: Dependency): Promise<ChaosProxy> => {
    const proxy = await startChaosProxy({ target: { host: '127.0.0.1', port: rig.proxies[dependency].port } })
    proxy.refuse(missing.includes(dependency))
    return proxy
  }
  const proxies = {
    postgres: await via('postgres'),
    redis: await via('redis'),
    clamd: await via('clamd'),
    ollama: await via('ollama')
  }
  const portOf = (dependency: 'postgres' | 'redis'): number =>
    direct ? rig[dependency].port : proxies[dependency].port
  const database = Object.assign(new URL(rig.addresses.DATABASE_URL), {
    port: String(portOf('postgres'))
  }).href
  const workerPorts = { 'scan-worker': await freePort(), 'inference-worker': await freePort() }
  const queuePrefix = `cell${++cells}`
  const shared: NodeJS.ProcessEnv = {
    ...SETTINGS,
    QUEUE_PREFIX: queuePrefix,
    REDIS_URL: `redis://127.0.0.1:${portOf('redis')}`,
    BLOB_DIR: join(rig.stack.dataDir, 'blobs'),
    FAILPOINTS: failpoints.folder,
    SIGNATURES_MAX_AGE_HOURS: '0',
    ALLOW_BASELINE_SIGNATURES: 'true',
    RATE_LIMIT_PER_MINUTE: '0',
    AI_RATE_LIMIT_PER_MINUTE: '0',
    AUTH_FAILURES_PER_MINUTE: '0',
    ...(direct
      ? { CLAMD_SOCKET: rig.clamd.socketPath }
      : { CLAMD_HOST: '127.0.0.1', CLAMD_PORT: String(proxies.clamd.port) }),
    OLLAMA_HOST: `http://127.0.0.1:${proxies.ollama.port}`,
    ...env
  }
  const gatewayEnv = (own: number, ownAdmin: number): NodeJS.ProcessEnv => ({
    ...shared,
    DATABASE_URL: database,
    PORT: String(own),
    ADMIN_PORT: String(ownAdmin)
  })
  const [port, adminPort] = [await freePort(), await freePort()]
  const baseUrl = `http://127.0.0.1:${port}`

  function launch(name: AppName, appEnv: NodeJS.ProcessEnv): App {
    const app = startApp(name, appEnv)
    started.push(app)
    return app
  }

  const cell: Cell = {
    proxies,
    failpoints,
    baseUrl,
    queuePrefix,
    start: (name) => {
      const app = launch(
        name,
        name === 'gateway'
          ? gatewayEnv(port, adminPort)
          : { ...shared, PROBE_PORT: String(workerPorts[name]) }
      )
      byName.set(name, app)
      return app
    },
    app: (name) => byName.get(name),
    startGateway: async () => {
      const [own, ownAdmin] = [await freePort(), await freePort()]
      return {
        app: launch('gateway', gatewayEnv(own, ownAdmin)),
        baseUrl: `http://127.0.0.1:${own}`,
        probe: async () => await probeOf(ownAdmin, 'startup')
      }
    },
    startScanWorker: async (own) => {
      const probePort = await freePort()
      return {
        app: launch('scan-worker', { ...shared, PROBE_PORT: String(probePort), ...own }),
        probe: async () => await probeOf(probePort, 'ready')
      }
    },
    subject: (options = {}) => createSubject({ baseUrl, token: rig.stack.token, ...options }),
    probe: async (path = 'ready') => await probeOf(adminPort, path),
    ready: async (timeoutMs = 60_000) => {
      const startedAt = performance.now()
      await poll(async () => (await cell.probe()) === 200, {
        what: 'a cell that calls itself ready',
        timeoutMs,
        intervalMs: 50
      }).catch((error: Error) => {
        throw new Error(`${error.message}\n${started.map((app) => app.output().slice(-500)).join('\n')}`)
      })
      return performance.now() - startedAt
    },
    stop: async () => {
      await Promise.all(started.map(async (app) => await app.stop('SIGKILL')))
      failpoints.remove()
      await Promise.all(Object.values(proxies).map(async (proxy) => await proxy.close()))
    }
  }
  for (const name of apps) cell.start(name)
  return cell
}

async function probeOf(port: number, path: 'ready' | 'startup'): Promise<number> {
  return await fetch(`http://127.0.0.1:${port}/health/${path}`, { signal: AbortSignal.timeout(2_000) }).then(
    ({ status }) => status,
    () => 0
  )
}
