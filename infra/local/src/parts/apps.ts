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
  ollamaUrl: string
  pickPort: () => Promise<number>
  /** Where the apps' own folders are. */
  root?: string
}

const READY_TIMEOUT_MS = 60_000
const PROBE_HOST = '127.0.0.1'

/** Workers handle hostile bytes and code: they get no key to the records. libpq's own variables are keys too. */
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
      ...queueEnv(context),
      ...blobsEnv(context),
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

/** @param more what the chosen clamd asks for */
export async function scanWorkerSpecs (context: AppsContext, more: NodeJS.ProcessEnv = {}): Promise<ChildSpec[]> {
  return await workerSpecs(context, 'scan-worker', context.options.scanWorkers, { ...more, ...blobsEnv(context), ...clamdEnv(context.clamd) })
}

/** @param more what the chosen model runtime asks for */
export async function inferenceWorkerSpecs (context: AppsContext, more: NodeJS.ProcessEnv = {}): Promise<ChildSpec[]> {
  return await workerSpecs(context, 'inference-worker', context.options.inferenceWorkers, { ...more, OLLAMA_HOST: context.ollamaUrl })
}

async function workerSpecs (context: AppsContext, app: string, count: number, own: NodeJS.ProcessEnv): Promise<ChildSpec[]> {
  const { paths, pickPort } = context
  const specs: ChildSpec[] = []
  for (let number = 1; number <= count; number++) {
    const name = `${app}-${number}`
    const port = await pickPort()
    specs.push({
      ...appSpec(context, name, app),
      tier: 'worker',
      env: { ...withoutKeys(context.env), ...queueEnv(context), ...own, PROBE_HOST, PROBE_PORT: String(port) },
      logFile: join(paths.logs, `${name}.log`),
      ready: async (signal) => await probeReady(`http://${PROBE_HOST}:${port}/health/ready`, signal)
    })
  }
  return specs
}

function appSpec ({ root = ROOT }: AppsContext, name: string, app: string): Pick<ChildSpec, 'name' | 'command' | 'args' | 'ipc' | 'readyTimeoutMs'> {
  return { name, command: process.execPath, args: [join(root, 'apps', app, 'dist', 'src', 'main.js')], ipc: true, readyTimeoutMs: READY_TIMEOUT_MS }
}

function queueEnv ({ options, redisUrl }: AppsContext): NodeJS.ProcessEnv {
  return { REDIS_URL: redisUrl, QUEUE_PREFIX: options.queuePrefix }
}

function blobsEnv ({ options, paths }: AppsContext): NodeJS.ProcessEnv {
  return options.gcsBucket === undefined ? { BLOB_DIR: paths.blobs } : { GCS_BUCKET: options.gcsBucket }
}

function withoutKeys (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([key]) => !KEYS_TO_RECORDS.test(key)))
}

function clamdEnv (clamd: ClamdAddress): NodeJS.ProcessEnv {
  return 'socket' in clamd ? { CLAMD_SOCKET: clamd.socket } : { CLAMD_HOST: clamd.host, CLAMD_PORT: String(clamd.port) }
}
