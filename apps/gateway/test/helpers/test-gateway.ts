import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tap, { type Test } from 'tap'
import type { FastifyInstance } from 'fastify'
import { createLocalBlobStore, type BlobStore } from '@filewright/blob-store'
import { createDatabase, migrate, type Database, type Quota } from '@filewright/db'
import { loadGatewayConfig, type RequestVerdict, type StoreGuard } from '@filewright/domain'
import {
  sealVerdict,
  type DeliveryPayload,
  type DeliveryResult,
  type InferenceOutcome,
  type InferencePayload,
  type InferenceProgress,
  type QueueClient,
  type ScanFilePayload,
  type ScanFileResult,
  type WindowCounter
} from '@filewright/queue'
import { createId, createLogger, hashToken, systemClock, type Environment } from '@filewright/runtime'
import { createMigratedDatabase, multipartBody, poll, type MultipartPart } from '@filewright/testing'
import { composeGateway } from '../../src/compose.js'
import type { EventsService } from '../../src/modules/events/events.service.js'
import type { EventRelay } from '../../src/relay/event-relay.js'
import type { AddressesOptions } from '../../src/modules/files/addresses.js'
import { createTokensService, type TokensService } from '../../src/modules/tokens/tokens.service.js'
import { createAdapters } from '../../src/adapters.js'

/** A scan's result. The file and the seal are added unless a test sets them. */
export type ScriptedVerdict = Pick<ScanFileResult, 'verdict' | 'engine'> & Partial<ScanFileResult>

export const clean: ScriptedVerdict = { verdict: 'clean', engine: 'test/1' }
type Scan = (payload: ScanFilePayload, signal: AbortSignal | undefined) => Promise<ScriptedVerdict>

export interface InferenceOptions {
  signal?: AbortSignal
  onProgress?: (progress: InferenceProgress) => void
  deadlineMs: number
}
type Deliver = (payload: DeliveryPayload) => Promise<DeliveryResult>
type Infer = (payload: InferencePayload, options: InferenceOptions) => Promise<InferenceOutcome>

export interface TestGateway {
  app: FastifyInstance
  database: Database
  blobs: BlobStore
  requestVerdict: RequestVerdict
  /** The results of the next uploads' scans; `clean` unless set. */
  onScan: (scan: Scan) => void
  onInference: (infer: Infer) => void
  onDelivery: (deliver: Deliver) => void
  /** Does not start by itself in tests. */
  relay: EventRelay
  events: EventsService
  scanned: ScanFilePayload[]
  token: (...projects: string[]) => Promise<string>
  upload: (
    parts: MultipartPart[],
    token?: string,
    headers?: Record<string, string>
  ) => Promise<InjectResponse>
  /** Uploads a small text file and returns its id. */
  store: (options?: {
    project?: string
    name?: string
    content?: string | Buffer
    folder?: string
  }) => Promise<string>
  /**
   * Waits until readers can see all events: no older transaction may run in any database of the tests' shared
   * server.
   */
  eventsVisible: () => Promise<void>
  get: (url: string, headers?: Record<string, string>) => Promise<InjectResponse>
  filesOnDisk: () => Promise<string[]>
  /** Bypasses the store, like a failing disk. */
  overwriteOnDisk: (id: string, content: Buffer) => Promise<void>
}

export type InjectResponse = Awaited<ReturnType<FastifyInstance['inject']>>

export interface TestGatewayOptions {
  signing?: AddressesOptions['signing']
  /** The longest lifetime of an address of the bucket. Absent: the gateway sends the bytes. */
  directSeconds?: number
  baseUrl?: string
  cdnUrl?: string
  hasConsole?: boolean
  /** Default: as in production. */
  trashDays?: number
  idleTimeoutMs?: number
  storePrompts?: boolean
  leaseMs?: number
  aiDeadlineMs?: number
  /** Absent: webhooks are off. */
  webhookKey?: string
  /** All off by default. */
  limits?: {
    scanSeconds?: number
    perMinute?: number
    aiPerMinute?: number
    uploads?: number
    ai?: number
    authFailures?: number
    maxLagMs?: number
  }
  /** Defaults for projects and tokens; no limit by default. */
  quotas?: { project?: Partial<Quota>; token?: Partial<Quota> }
  /** Shared counts; by default Redis is down. */
  counter?: Pick<WindowCounter, 'hit'>
  wrapTokens?: (tokens: TokensService) => TokensService
  wrapFiles?: (files: Database['files']) => Database['files']
  wrapBlobs?: (blobs: BlobStore) => BlobStore
  wrapReceipts?: (receipts: Database['receipts']) => Database['receipts']
  wrapDownloads?: (downloads: Database['downloads']) => Database['downloads']
  /** RECEIPT_KEY; by default one that all tests share. Empty: none. */
  receiptKey?: string
  /** Whether the store belongs to the database; by default it does. */
  assertOpen?: () => void
}

export const RECEIPT_KEY = Buffer.alloc(32, 1).toString('base64')

let sharedDatabase: ReturnType<typeof openSharedDatabase> | undefined

/** One database for all tests of a file. */
async function openSharedDatabase(): ReturnType<typeof createMigratedDatabase> {
  const database = await createMigratedDatabase(migrate)
  tap.teardown(database.stop)
  return database
}

/** Limits are off unless a test sets them. */
function settingsOf(options: TestGatewayOptions): Environment {
  const {
    signing,
    directSeconds,
    idleTimeoutMs = 30_000,
    storePrompts = false,
    hasConsole = true,
    trashDays = 7,
    leaseMs = 30_000,
    aiDeadlineMs = 10_000,
    limits = {},
    quotas = {}
  } = options
  const settings = {
    UPLOAD_TIMEOUT_MS: 60_000,
    SCAN_DEADLINE_MS: 10_000,
    AI_DEADLINE_MS: aiDeadlineMs,
    IDLE_TIMEOUT_MS: idleTimeoutMs,
    IDEMPOTENCY_LEASE_MS: leaseMs,
    STORE_PROMPTS: storePrompts,
    CONSOLE: hasConsole,
    TRASH_DAYS: trashDays,
    RECEIPT_KEY: options.receiptKey ?? RECEIPT_KEY,
    SCAN_SECONDS_PER_MINUTE: limits.scanSeconds ?? 0,
    UNPACKED_BYTES_PER_MINUTE: 0,
    RATE_LIMIT_PER_MINUTE: limits.perMinute ?? 0,
    AI_RATE_LIMIT_PER_MINUTE: limits.aiPerMinute ?? 0,
    MAX_UPLOADS_PER_TOKEN: limits.uploads ?? 0,
    MAX_AI_REQUESTS_PER_TOKEN: limits.ai ?? 0,
    AUTH_FAILURES_PER_MINUTE: limits.authFailures ?? 0,
    MAX_EVENT_LOOP_LAG_MS: limits.maxLagMs ?? 0,
    PROJECT_MAX_FILES: quotas.project?.maxFiles ?? 0,
    PROJECT_MAX_BYTES: quotas.project?.maxBytes ?? 0,
    TOKEN_MAX_FILES: quotas.token?.maxFiles ?? 0,
    TOKEN_MAX_BYTES: quotas.token?.maxBytes ?? 0,
    WEBHOOK_ALLOW_PRIVATE: false,
    WEBHOOK_ALLOW_HTTP: true,
    WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8',
    ...(options.webhookKey === undefined ? {} : { WEBHOOK_KEY: options.webhookKey }),
    // The bucket is only named: the files are in a folder.
    ...(directSeconds === undefined
      ? {}
      : {
          CDN_DIRECT: true,
          CDN_DIRECT_SECONDS: directSeconds,
          S3_BUCKET: 'files',
          S3_REGION: 'eu-central-1'
        }),
    ...(signing === undefined
      ? {}
      : { CDN_SIGNED: true, CDN_SIGNING_KEY: signing.key, CDN_TTL_SECONDS: signing.ttlSeconds })
  }
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]))
}

/** Skips the comparison of database and store: tests share one database, and each has its own store. */
function openGuard(assertOpen: () => void): StoreGuard {
  const done = async (): Promise<void> => {}
  return { begin: done, established: done(), assertOpen, look: done, verify: done, stop: () => {} }
}

/** The composed gateway on a real database and a real disk; results from the queue are scripted. */
export async function startTestGateway(t: Test, options: TestGatewayOptions = {}): Promise<TestGateway> {
  const {
    counter = { hit: async () => null },
    wrapTokens = (tokens) => tokens,
    wrapFiles = (files) => files,
    wrapBlobs = (blobs) => blobs,
    wrapReceipts = (receipts) => receipts,
    wrapDownloads = (downloads) => downloads,
    assertOpen = () => {}
  } = options
  sharedDatabase ??= openSharedDatabase()
  const root = await mkdtemp(join(tmpdir(), 'fw-gateway-'))
  const { url, query } = await sharedDatabase
  // Generous deadlines: these tests are not about timing.
  const database = createDatabase({ url, poolSize: 5, connectTimeoutMs: 30_000, statementTimeoutMs: 30_000 })
  await database.installation.claim('test-installation', null)
  const blobs = createLocalBlobStore({ root })
  const logger = createLogger({ name: 'test', level: 'silent' })
  const scanned: ScanFilePayload[] = []
  let scan: Scan = async () => clean
  let infer: Infer = async () => {
    throw new Error('no inference is scripted')
  }

  let deliver: Deliver = async () => {
    throw new Error('no delivery is scripted')
  }

  type Payload = ScanFilePayload & InferencePayload & DeliveryPayload
  const queueClient = {
    ensureRoom: () => {},
    request: async (definition: { name: string }, payload: Payload, options: InferenceOptions) => {
      if (definition.name === 'inference') return await infer(payload, options)
      if (definition.name === 'delivery') return await deliver(payload)
      scanned.push(payload)
      const { fileId, sizeBytes, sha256 } = payload
      const result = { fileId, sizeBytes, sha256, ...(await scan(payload, options.signal)) }
      return 'seal' in result ? result : sealVerdict(await blobs.secret.ensure(), payload, result)
    }
  } as unknown as QueueClient
  const config = loadGatewayConfig({
    DATABASE_URL: url,
    // Never called: queue and counts are our own.
    REDIS_URL: 'redis://127.0.0.1:1',
    BLOB_DIR: root,
    BASE_URL: options.baseUrl ?? 'http://files.test',
    CDN_URL: options.cdnUrl ?? 'http://cdn.test',
    ...settingsOf(options)
  })
  const adapters = await createAdapters(config, logger, {
    database: {
      ...database,
      files: wrapFiles(database.files),
      receipts: wrapReceipts(database.receipts),
      downloads: wrapDownloads(database.downloads)
    },
    store: wrapBlobs(blobs),
    queueClient,
    counter: { ...counter, close: () => {} },
    guard: openGuard(assertOpen),
    tokens: wrapTokens(createTokensService({ tokens: database.tokens, clock: systemClock }))
  })
  const { app, cleaner, metrics, relay, events, requestVerdict } = await composeGateway(
    config,
    logger,
    adapters
  )
  // An injected response leaves a timeout timer, which would keep the process alive.
  app.addHook('onResponse', async (_request, reply) =>
    clearTimeout((reply.raw as { timeoutHandle?: NodeJS.Timeout }).timeoutHandle)
  )
  t.teardown(async () => {
    events.stop()
    await app.close()
    await relay.stop()
    await cleaner.idle()
    metrics.close()
    await blobs.close()
    await database.close()
    await rm(root, { recursive: true, force: true })
  })

  async function token(...projects: string[]): Promise<string> {
    const secret = `secret-${createId()}`
    await database.tokens.create({ id: createId(), name: 'test', hash: hashToken(secret), projects })
    return secret
  }
  // Without the store's own marker files.
  const storedFiles = async () =>
    (await readdir(root, { recursive: true, withFileTypes: true })).filter(
      (entry) => entry.isFile() && !entry.name.startsWith('.filewright-')
    )
  const everything = await token('*')
  const upload: TestGateway['upload'] = async (parts, secret = everything, headers = {}) => {
    const { body, contentType } = multipartBody(parts)
    return await app.inject({
      method: 'POST',
      url: '/api/files/upload',
      headers: { authorization: `Bearer ${secret}`, 'content-type': contentType, ...headers },
      payload: body
    })
  }
  return {
    app,
    database,
    blobs,
    requestVerdict,
    scanned,
    token,
    upload,
    onScan: (next) => {
      scan = next
    },
    onInference: (next) => {
      infer = next
    },
    onDelivery: (next) => {
      deliver = next
    },
    relay,
    events,
    store: async ({ project = 'acme', name = 'notes.txt', content = 'hello\n', folder } = {}) => {
      const response = await upload([
        { name: 'project_id', value: project },
        ...(folder === undefined ? [] : [{ name: 'folder', value: folder }]),
        { name: 'file', filename: name, content }
      ])
      if (response.statusCode !== 201) {
        throw new Error(`upload failed: ${response.statusCode} ${response.body}`)
      }
      return response.json().file.id as string
    },
    eventsVisible: async () => {
      await poll(
        async () => {
          const { rows } = await query<{ areVisible: boolean }>(
            `SELECT NOT EXISTS (SELECT 1 FROM events WHERE txid >= pg_snapshot_xmin(pg_current_snapshot())::text::bigint)
              AS "areVisible"`
          )
          return rows[0]?.areVisible === true
        },
        { what: 'transactions of other tests to end', timeoutMs: 280_000 }
      )
    },
    get: async (url, headers = {}) =>
      await app.inject({ url, headers: { authorization: `Bearer ${everything}`, ...headers } }),
    filesOnDisk: async () => (await storedFiles()).map((entry) => entry.name),
    overwriteOnDisk: async (id, content) => {
      for (const entry of await storedFiles()) {
        if (entry.name.includes(id)) await writeFile(join(entry.parentPath, entry.name), content)
      }
    }
  }
}
