import { join } from 'node:path'
import { appArguments, type AppBuild, type AppName } from '@filewright/runtime'
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
  adminPassword: string
  /** Encrypts the secrets of webhooks. */
  webhookKey: string
  receiptKey: string
  pickPort: () => Promise<number>
  /** The apps' own folders. */
  root?: string
}

const READY_TIMEOUT_MS = 60_000
const PROBE_HOST = '127.0.0.1'

/**
 * Workers handle hostile bytes and code: they get no access to the database. libpq's own variables would also
 * give access. Only the scan worker gets the store's settings, which may hold its keys.
 */
const KEYS_TO_RECORDS =
  /^(DATABASE_URL|ACCESS_TOKEN|ADMIN_PASSWORD|WEBHOOK_KEY|RECEIPT_KEY|PG[A-Z]+|S3_.+|AZURE_.+|SECOND_.+)$/

export function gatewaySpec(context: AppsContext): ChildSpec {
  const { options, paths, env, databaseUrl } = context
  const { ACCESS_TOKEN: _unneeded, ...inherited } = env
  // Whether it can do its own part: the workers' dependencies are awaited separately.
  const probe = `http://${urlHost(options.adminHost)}:${options.adminPort}/health/startup`
  return {
    ...appSpec(context, 'gateway', 'gateway'),
    tier: 'gateway',
    env: {
      ...inherited,
      ...queueEnv(context),
      ...storeSettings(context),
      HOST: options.host,
      PORT: String(options.port),
      ADMIN_HOST: options.adminHost,
      ADMIN_PORT: String(options.adminPort),
      ADMIN_PASSWORD: context.adminPassword,
      WEBHOOK_KEY: context.webhookKey,
      RECEIPT_KEY: context.receiptKey,
      BASE_URL: options.baseUrl,
      ...(options.cdnUrl === undefined ? {} : { CDN_URL: options.cdnUrl }),
      DATABASE_URL: databaseUrl,
      // With Node's four threads only four uploads could wait for the disk at once, although the disk can
      // handle many together.
      UV_THREADPOOL_SIZE: inherited.UV_THREADPOOL_SIZE ?? '16',
      ...(options.databaseUrl === undefined ? embeddedDatabase(inherited) : {})
    },
    logFile: join(paths.logs, 'gateway.log'),
    ready: async (signal) => await probeReady(probe, signal)
  }
}

/**
 * All connections to the embedded PostgreSQL share a session, which runs one statement at a time. A few keep
 * it busy; with more, a token that sends many statements would have more of them ahead of other tokens'.
 */
function embeddedDatabase({ DATABASE_POOL_SIZE = '4' }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { DATABASE_PREPARED: 'false', DATABASE_POOL_SIZE }
}

/** @param more settings that the chosen clamd needs */
export async function scanWorkerSpecs(
  context: AppsContext,
  more: NodeJS.ProcessEnv = {}
): Promise<ChildSpec[]> {
  return await workerSpecs(context, 'scan-worker', context.options.scanWorkers, {
    ...more,
    ...storeSettings(context),
    ...clamdEnv(context.clamd),
    // The banner reports the state of this machine's signatures; old ones are better than none.
    SIGNATURES_MAX_AGE_HOURS: context.env.SIGNATURES_MAX_AGE_HOURS ?? '0',
    ALLOW_BASELINE_SIGNATURES: context.env.ALLOW_BASELINE_SIGNATURES ?? 'true'
  })
}

/** @param more settings that the chosen model runtime needs */
export async function inferenceWorkerSpecs(
  context: AppsContext,
  more: NodeJS.ProcessEnv = {}
): Promise<ChildSpec[]> {
  return await workerSpecs(context, 'inference-worker', context.options.inferenceWorkers, {
    ...more,
    OLLAMA_HOST: context.ollamaUrl
  })
}

export async function deliveryWorkerSpecs(context: AppsContext): Promise<ChildSpec[]> {
  return await workerSpecs(context, 'delivery-worker', 1, { WEBHOOK_KEY: context.webhookKey })
}

async function workerSpecs(
  context: AppsContext,
  app: AppName,
  count: number,
  own: NodeJS.ProcessEnv
): Promise<ChildSpec[]> {
  const { paths, pickPort } = context
  const specs: ChildSpec[] = []
  for (let number = 1; number <= count; number++) {
    const name = `${app}-${number}`
    const port = await pickPort()
    specs.push({
      ...appSpec(context, name, app),
      tier: 'worker',
      env: {
        ...withoutKeys(context.env),
        ...queueEnv(context),
        ...own,
        PROBE_HOST,
        PROBE_PORT: String(port)
      },
      logFile: join(paths.logs, `${name}.log`),
      ready: async (signal) => await probeReady(`http://${PROBE_HOST}:${port}/health/ready`, signal)
    })
  }
  return specs
}

/** Each worker's probes and metrics. */
export function probeUrlsOf(specs: readonly ChildSpec[]): Record<string, string> {
  return Object.fromEntries(
    specs.map(({ name, env }) => [name, `http://${PROBE_HOST}:${env['PROBE_PORT'] ?? ''}`])
  )
}

function appSpec(
  { root = ROOT, env }: AppsContext,
  name: string,
  app: AppName
): Pick<ChildSpec, 'name' | 'command' | 'args' | 'ipc' | 'announces' | 'readyTimeoutMs'> {
  const args = appArguments(root, app, env.FILEWRIGHT_BUILD as AppBuild | undefined)
  return {
    name,
    command: process.execPath,
    args,
    ipc: true,
    announces: true,
    readyTimeoutMs: READY_TIMEOUT_MS
  }
}

function queueEnv({ options, redisUrl }: AppsContext): NodeJS.ProcessEnv {
  return { REDIS_URL: redisUrl, QUEUE_PREFIX: options.queuePrefix }
}

/** The location of the blobs: for the apps, and for later commands, which must use the same store. */
export function storeSettings({
  options,
  paths,
  env
}: Pick<AppsContext, 'options' | 'paths' | 'env'>): Record<string, string> {
  const second = settingsOf(env, /^SECOND_/)
  if (options.bucket === undefined) return { BLOB_DIR: options.blobDir ?? paths.blobs, ...second }
  const first = Object.entries(options.bucket).map(([key, value]) => [key, String(value)])
  return { ...(Object.fromEntries(first) as Record<string, string>), ...second }
}

const QUOTAS = /^(PROJECT|TOKEN)_MAX_(FILES|BYTES)$/

/** The gateway's quotas, for later commands, which show them. */
export const quotaSettings = (env: NodeJS.ProcessEnv): Record<string, string> => settingsOf(env, QUOTAS)

const WEBHOOK_ADDRESSES = /^WEBHOOK_ALLOW_(PRIVATE|HTTP|NETWORKS)$/

/** The gateway's settings of webhooks, for later commands, which create them. */
export function webhookSettings({
  env,
  webhookKey
}: Pick<AppsContext, 'env' | 'webhookKey'>): Record<string, string> {
  return { ...settingsOf(env, WEBHOOK_ADDRESSES), WEBHOOK_KEY: webhookKey }
}

function settingsOf(env: NodeJS.ProcessEnv, names: RegExp): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([key, value]) =>
      names.test(key) && value !== undefined && value !== '' ? [[key, value]] : []
    )
  )
}

function withoutKeys(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([key]) => !KEYS_TO_RECORDS.test(key)))
}

function clamdEnv(clamd: ClamdAddress): NodeJS.ProcessEnv {
  return 'socket' in clamd
    ? { CLAMD_SOCKET: clamd.socket }
    : { CLAMD_HOST: clamd.host, CLAMD_PORT: String(clamd.port) }
}
