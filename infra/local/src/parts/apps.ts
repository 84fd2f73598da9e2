import { join } from 'node:path'
import type { ChildSpec } from '../managed-child.js'
import type { ClamdAddress, StackOptions } from '../options.js'
import { ROOT, type DataPaths } from '../paths.js'
import { urlHost } from '../ports.js'
import { probeReady } from '../wait.js'

export interface AppsContext {
  options: StackOptions
  paths: DataPaths
  env: NodeJS.ProcessEnv
  databaseUrl: string
  redisUrl: string
  clamd: ClamdAddress
  pickPort: () => Promise<number>
  /** Where the apps' own folders are. */
  root?: string
}

const READY_TIMEOUT_MS = 60_000
const PROBE_HOST = '127.0.0.1'

/** Workers handle hostile bytes: they get no key to the records. libpq's own variables are keys too. */
const KEYS_TO_RECORDS = /^(DATABASE_URL|ACCESS_TOKEN|PG[A-Z]+)$/

export function gatewaySpec (context: AppsContext): ChildSpec {
  const { options, paths, env, databaseUrl } = context
  const { ACCESS_TOKEN: _unneeded, ...inherited } = env
  const probe = `http://${urlHost(options.adminHost)}:${options.adminPort}/health/ready`
  return {
    ...appSpec(context, 'gateway', 'gateway'),
    tier: 'gateway',
    env: {
      ...inherited,
      ...shared(context),
      HOST: options.host,
      PORT: String(options.port),
      ADMIN_HOST: options.adminHost,
      ADMIN_PORT: String(options.adminPort),
      BASE_URL: options.baseUrl,
      ...(options.cdnUrl === undefined ? {} : { CDN_URL: options.cdnUrl }),
      DATABASE_URL: databaseUrl
    },
    logFile: join(paths.logs, 'gateway.log'),
    ready: async (signal) => await probeReady(probe, signal)
  }
}

export async function scanWorkerSpecs (context: AppsContext): Promise<ChildSpec[]> {
  const { options, paths, clamd, pickPort } = context
  const specs: ChildSpec[] = []
  for (let number = 1; number <= options.scanWorkers; number++) {
    const name = `scan-worker-${number}`
    const port = await pickPort()
    specs.push({
      ...appSpec(context, name, 'scan-worker'),
      tier: 'worker',
      env: { ...workerEnv(context), ...clamdEnv(clamd), PROBE_HOST, PROBE_PORT: String(port) },
      logFile: join(paths.logs, `${name}.log`),
      ready: async (signal) => await probeReady(`http://${PROBE_HOST}:${port}/health/ready`, signal)
    })
  }
  return specs
}

function appSpec ({ root = ROOT }: AppsContext, name: string, app: string): Pick<ChildSpec, 'name' | 'command' | 'args' | 'ipc' | 'readyTimeoutMs'> {
  return { name, command: process.execPath, args: [join(root, 'apps', app, 'dist', 'src', 'main.js')], ipc: true, readyTimeoutMs: READY_TIMEOUT_MS }
}

function shared ({ options, paths, redisUrl }: AppsContext): NodeJS.ProcessEnv {
  const blobs = options.gcsBucket === undefined ? { BLOB_DIR: paths.blobs } : { GCS_BUCKET: options.gcsBucket }
  return { REDIS_URL: redisUrl, QUEUE_PREFIX: options.queuePrefix, ...blobs }
}

function workerEnv (context: AppsContext): NodeJS.ProcessEnv {
  const inherited = Object.fromEntries(Object.entries(context.env).filter(([key]) => !KEYS_TO_RECORDS.test(key)))
  return { ...inherited, ...shared(context) }
}

function clamdEnv (clamd: ClamdAddress): NodeJS.ProcessEnv {
  return 'socket' in clamd ? { CLAMD_SOCKET: clamd.socket } : { CLAMD_HOST: clamd.host, CLAMD_PORT: String(clamd.port) }
}
