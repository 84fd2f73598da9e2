import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keptReceiptKey, keptSecret } from './kept-secrets.js'
import { prepareDataFolder } from './data-folder.js'
import { loadDatabaseSetup, prepareDatabase } from './database.js'
import { SOCKET_DIR_PREFIX, clearLeftovers } from './leftovers.js'
import { acquireLock } from './lock.js'
import type { ChildSpec } from './managed-child.js'
import type { StackOptions } from './options.js'
import { createParentGuard } from './parent-guard.js'
import {
  deliveryWorkerSpecs,
  gatewaySpec,
  inferenceWorkerSpecs,
  probeUrlsOf,
  quotaSettings,
  scanWorkerSpecs,
  storeSettings,
  webhookSettings
} from './services/apps.js'
import { blobsNote } from './services/blobs.js'
import { planClamd } from './services/clamd.js'
import { startSignatureUpdates } from './services/freshclam.js'
import { planOllama } from './services/ollama.js'
import type { Service } from './services/service.js'
import { planPostgres } from './services/postgres.js'
import { planRedis } from './services/redis.js'
import { dataPaths } from './paths.js'
import { assertPortFree, pickPrivatePort, urlHost } from './ports.js'
import { ensurePrograms, type ProgramName } from './programs.js'
import { createStackFile } from './stack-file.js'
import { createSupervisor } from './supervisor.js'
import { probeLookedAt, probeReady, waitUntil } from './wait.js'

export interface StackSummary {
  options: StackOptions
  adminUrl: string
  token: string
  adminPassword: string
  /** One line per service: what was found or started. */
  services: string[]
  caveats: string[]
}

export interface StackDeps {
  env: NodeJS.ProcessEnv
  /** A message for the user during the start. */
  say: (line: string) => void
  /** A message after the start, when something happened. */
  notice: (line: string) => void
}

export interface Stack {
  /** Resolves when every service is ready. If it rejects, `stop` cleans up what was started. */
  start: (signal: AbortSignal) => Promise<StackSummary>
  stop: () => Promise<void>
}

export function createStack(options: StackOptions, { env, say, notice }: StackDeps): Stack {
  const paths = dataPaths(options.dataDir)
  const stopping = new AbortController()
  // In reverse order of creation.
  const undo: Array<() => Promise<void> | void> = []
  const pickPort = privatePorts([options.port, options.adminPort])

  async function start(outer: AbortSignal): Promise<StackSummary> {
    const signal = AbortSignal.any([outer, stopping.signal])
    prepareDataFolder(paths)
    const lock = acquireLock(paths.lockFile, options.dataDir)
    undo.push(lock.release)
    const left = await clearLeftovers(paths.stackFile, signal)
    if (left.length > 0) say(`Stopped processes left over from an earlier run: ${left.join(', ')}.`)
    await assertPortFree(options.host, options.port, 'PORT')
    await assertPortFree(options.adminHost, options.adminPort, 'ADMIN_PORT')
    const programs = await ensurePrograms(missingAddresses(options), { say }, signal)

    const socketDir = mkdtempSync(join(tmpdir(), SOCKET_DIR_PREFIX))
    undo.push(() => rmSync(socketDir, { recursive: true, force: true }))
    const context = { paths, env, socketDir, guard: createParentGuard(), pickPort }
    const postgres = await planPostgres(options.databaseUrl, context)
    const redis = await planRedis(
      options.redisUrl === undefined ? { program: programs.redis } : { url: options.redisUrl },
      context
    )
    const clamd = planClamd(
      options.clamd === undefined ? { program: programs.clamd } : { address: options.clamd },
      context
    )
    const model = await planOllama({ url: options.ollamaUrl, sandbox: options.sandboxModel }, context)
    const addresses = {
      databaseUrl: postgres.address,
      redisUrl: redis.address,
      clamd: clamd.address,
      ollamaUrl: model.address
    }
    const adminUrl = `http://${urlHost(options.adminHost)}:${options.adminPort}`

    const adminPassword = options.adminPassword ?? keptSecret(paths.adminPassword)
    const webhookKey = env.WEBHOOK_KEY ?? keptSecret(paths.webhookKey)
    const receiptKey = env.RECEIPT_KEY || keptReceiptKey(paths.receiptKey)
    const apps = { options, paths, env, pickPort, adminPassword, webhookKey, receiptKey, ...addresses }
    const scanWorkers = await scanWorkerSpecs(apps, clamd.workerEnv)
    const inferenceWorkers = await inferenceWorkerSpecs(apps, model.workerEnv)
    const deliveryWorkers = await deliveryWorkerSpecs(apps)
    const probeUrls = probeUrlsOf([...scanWorkers, ...inferenceWorkers, ...deliveryWorkers])

    const facts = {
      baseUrl: options.baseUrl,
      listenUrl: `http://${urlHost(options.host)}:${options.port}`,
      adminUrl,
      ...addresses,
      store: storeSettings(apps),
      quotas: quotaSettings(env),
      webhooks: webhookSettings(apps),
      probeUrls,
      dataDir: options.dataDir,
      socketDir
    }
    const stackFile = createStackFile(paths.stackFile, facts, notice)
    undo.push(stackFile.remove)
    const supervisor = createSupervisor({ onPid: stackFile.setPid, notice })
    undo.push(supervisor.stop)

    const launch = async (...specs: ChildSpec[]): Promise<void> => {
      await Promise.all(specs.map(async (spec) => await supervisor.start(spec, signal)))
    }
    const bring = async (service: Service<unknown>): Promise<void> => {
      await service.check?.(signal)
      await service.setUp?.()
      if (service.child !== undefined) await launch(service.child)
    }

    const records = bring(postgres).then(
      async () =>
        await prepareDatabase({
          url: postgres.address,
          accessToken: options.accessToken,
          accessTokenPath: paths.accessToken,
          signal
        })
    )
    // Loading code takes longest, and an app waits by itself for missing dependencies. Only clamd may take
    // longer than an app waits.
    const [token] = await allOrStop([
      records,
      bring(redis),
      bring(model),
      launch(...inferenceWorkers, ...deliveryWorkers),
      bring(clamd).then(async () => await launch(...scanWorkers)),
      // Until the first start has created tables and a token, it would refuse every request.
      (postgres.used ? Promise.resolve() : records).then(async () => await launch(gatewaySpec(apps))),
      loadDatabaseSetup()
    ])

    if (options.fetchSignatures && clamd.updatable) {
      startSignatureUpdates({
        signaturesDir: paths.signatures,
        socketDir,
        clamd: clamd.address,
        guard: context.guard,
        notice,
        signal,
        env
      })
    }
    // The workers' first reports: with everything started, they take milliseconds.
    const report = `${adminUrl}/health/ready`
    const missing = await waitUntil(async (soon) => await probeReady(report, soon), {
      signal,
      timeoutMs: READY_TIMEOUT_MS,
      intervalMs: 25
    })
    // Dependencies that files do not need may be down, but the report should not start with unchecked ones.
    await waitUntil(async (soon) => await probeLookedAt(report, soon), {
      signal,
      timeoutMs: LOOK_TIMEOUT_MS,
      intervalMs: 25
    })
    return {
      options,
      adminUrl,
      token,
      adminPassword,
      services: [
        postgres.note,
        redis.note,
        clamd.note,
        model.note,
        blobsNote(options, options.blobDir ?? paths.blobs)
      ],
      caveats: [
        missing === null ? null : `Not ready yet: ${missing}`,
        clamd.baselineOnly ? BASELINE_ONLY : null,
        await model.caveat(signal)
      ].filter((caveat) => caveat !== null)
    }
  }

  /** Like Promise.all, but nothing continues to start after a failure. */
  async function allOrStop<T extends readonly unknown[] | []>(
    starts: T
  ): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
    try {
      return await Promise.all(starts)
    } catch (error) {
      stopping.abort()
      await Promise.allSettled(starts)
      throw error
    }
  }

  return {
    start,
    stop: async () => {
      stopping.abort()
      while (undo.length > 0) await undo.pop()?.()
    }
  }
}

/** Every service is up. Anything that takes longer is printed, not awaited. */
const READY_TIMEOUT_MS = 10_000
const LOOK_TIMEOUT_MS = 5_000

const BASELINE_ONLY =
  "Signatures: only Filewright's own baseline, which finds test files such as EICAR. For real protection install ClamAV's official signatures with freshclam."

function missingAddresses({ redisUrl, clamd }: StackOptions): ProgramName[] {
  return [
    ...(redisUrl === undefined ? ['redis' as const] : []),
    ...(clamd === undefined ? ['clamd' as const] : [])
  ]
}

/** Never the same one twice, nor one that the gateway will use. */
function privatePorts(reserved: readonly number[]): () => Promise<number> {
  const taken = new Set(reserved)
  return async () => {
    const port = await pickPrivatePort(taken)
    taken.add(port)
    return port
  }
}
