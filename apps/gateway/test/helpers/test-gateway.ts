import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tap, { type Test } from 'tap'
import type { FastifyInstance } from 'fastify'
import { createLocalBlobStore, type BlobStore } from '@filewright/blob-store'
import { createDatabase, migrate, type Database, type Quota } from '@filewright/db'
import { createRequestVerdict, type RequestVerdict } from '@filewright/domain'
import {
  sealVerdict, type InferenceOutcome, type InferencePayload, type InferenceProgress, type ScanFilePayload,
  type ScanFileResult, type WindowCounter
} from '@filewright/queue'
import { createId, createLogger, hashToken, systemClock } from '@filewright/runtime'
import { createMigratedDatabase, multipartBody, type MultipartPart } from '@filewright/testing'
import { buildApp } from '../../src/app.js'
import { createAiService } from '../../src/modules/ai/ai.service.js'
import { createAddresses, type AddressesOptions } from '../../src/modules/downloads/addresses.js'
import { createFilesService } from '../../src/modules/files/files.service.js'
import { createUploadCleaner } from '../../src/modules/files/upload-cleaner.js'
import { createUploadService } from '../../src/modules/files/upload.service.js'
import { createIdempotencyService } from '../../src/modules/idempotency/idempotency.service.js'
import { createInFlight } from '../../src/modules/limits/in-flight.js'
import { createLoginGuard } from '../../src/modules/limits/login-guard.js'
import { createRateLimiter } from '../../src/modules/limits/rate-limiter.js'
import { createScanBudget } from '../../src/modules/limits/scan-budget.js'
import { createQuotasService } from '../../src/modules/quotas/quotas.service.js'
import { createTokensService, type TokensService } from '../../src/modules/tokens/tokens.service.js'

/** What a scan says. The file that was asked about and the seal are added unless a test gives them. */
export type ScriptedVerdict = Pick<ScanFileResult, 'verdict' | 'engine'> & Partial<ScanFileResult>

export const clean: ScriptedVerdict = { verdict: 'clean', engine: 'test/1' }
type Scan = (payload: ScanFilePayload, signal: AbortSignal | undefined) => Promise<ScriptedVerdict>

export interface InferenceOptions { signal?: AbortSignal, onProgress?: (progress: InferenceProgress) => void, deadlineMs: number }
type Infer = (payload: InferencePayload, options: InferenceOptions) => Promise<InferenceOutcome>

export interface TestGateway {
  app: FastifyInstance
  database: Database
  blobs: BlobStore
  requestVerdict: RequestVerdict
  /** What the next uploads' scans answer; `clean` unless set. */
  onScan: (scan: Scan) => void
  onInference: (infer: Infer) => void
  scanned: ScanFilePayload[]
  token: (...projects: string[]) => Promise<string>
  upload: (parts: MultipartPart[], token?: string, headers?: Record<string, string>) => Promise<Answer>
  /** Uploads a small text file and returns its id. */
  store: (options?: { project?: string, name?: string, content?: string | Buffer, folder?: string }) => Promise<string>
  get: (url: string, headers?: Record<string, string>) => Promise<Answer>
  filesOnDisk: () => Promise<string[]>
  /** Behind the store's back, as a failing disk would. */
  overwriteOnDisk: (id: string, content: Buffer) => Promise<void>
}

export type Answer = Awaited<ReturnType<FastifyInstance['inject']>>

export interface TestGatewayOptions {
  signing?: AddressesOptions['signing']
  idleTimeoutMs?: number
  storePrompts?: boolean
  leaseMs?: number
  /** All off unless asked for. */
  limits?: { scanSeconds?: number, perMinute?: number, aiPerMinute?: number, uploads?: number, ai?: number, authFailures?: number }
  /** Defaults for projects and tokens; no limit unless asked for. */
  quotas?: { project?: Partial<Quota>, token?: Partial<Quota> }
  /** Shared counts; by default Redis is away. */
  counter?: Pick<WindowCounter, 'hit'>
  wrapTokens?: (tokens: TokensService) => TokensService
  wrapFiles?: (files: Database['files']) => Database['files']
  /** Whether the store is known to be the database's; by default it is. */
  assertOpen?: () => void
}

const NO_QUOTA = { maxFiles: 0, maxBytes: 0 }

let sharedDatabaseUrl: Promise<string> | undefined

/** One for all tests of a file. */
async function databaseUrl (): Promise<string> {
  const database = await createMigratedDatabase(migrate)
  tap.teardown(database.stop)
  return database.url
}

/** A gateway on a real database and a real disk; only the verdict of a scan is scripted. */
export async function startTestGateway (
  t: Test, {
    signing, idleTimeoutMs = 30_000, storePrompts = false, leaseMs = 30_000, limits = {}, quotas = {}, counter = { hit: async () => null },
    wrapTokens = (tokens) => tokens, wrapFiles = (files) => files,
    assertOpen = () => {}
  }: TestGatewayOptions = {}
): Promise<TestGateway> {
  sharedDatabaseUrl ??= databaseUrl()
  const root = await mkdtemp(join(tmpdir(), 'fw-gateway-'))
  // Its deadlines are generous: these tests are not about time.
  const database = createDatabase({ url: await sharedDatabaseUrl, poolSize: 5, connectTimeoutMs: 30_000, statementTimeoutMs: 30_000 })
  const blobs = createLocalBlobStore({ root })
  const logger = createLogger({ name: 'test', level: 'silent', pretty: false })
  const files = wrapFiles(database.files)
  const scanned: ScanFilePayload[] = []
  let scan: Scan = async () => clean
  let infer: Infer = async () => { throw new Error('no inference is scripted') }

  const queue = {
    ensureRoom: () => {},
    request: (async (definition: { name: string }, payload: ScanFilePayload & InferencePayload, options: InferenceOptions) => {
      if (definition.name === 'inference') return await infer(payload, options)
      scanned.push(payload)
      const { fileId, sizeBytes, sha256 } = payload
      const result = { fileId, sizeBytes, sha256, ...await scan(payload, options.signal) }
      return 'seal' in result ? result : sealVerdict(await blobs.secret.ensure(), payload, result)
    }) as never
  }
  const requestVerdict = createRequestVerdict({ queue, secret: blobs.secret, logger })
  const scanBudget = createScanBudget({ counter, scanSeconds: limits.scanSeconds ?? 0, unpackedBytes: 0 })
  const cleaner = createUploadCleaner({ files, blobs, logger })
  const idempotency = createIdempotencyService({ keys: database.idempotency, clock: systemClock, logger, leaseMs })
  const addresses = createAddresses({
    baseUrl: 'http://files.test', cdnUrl: 'http://cdn.test', clock: systemClock, ...(signing === undefined ? {} : { signing })
  })
  const app = await buildApp({
    logger,
    tokens: wrapTokens(createTokensService({ tokens: database.tokens, clock: systemClock })),
    files: createFilesService({ files, blobs, logger }),
    uploads: createUploadService({
      files,
      blobs,
      store: { assertOpen },
      queue,
      requestVerdict,
      idempotency,
      quotas: createQuotasService({
        quotas: database.quotas,
        clock: systemClock,
        defaults: { project: { ...NO_QUOTA, ...quotas.project }, token: { ...NO_QUOTA, ...quotas.token } }
      }),
      scanBudget,
      cleaner,
      clock: systemClock,
      logger,
      timing: { uploadTimeoutMs: 60_000, idleTimeoutMs, scanDeadlineMs: 10_000 }
    }),
    ai: createAiService({ generations: database.generations, queue, clock: systemClock, logger, deadlineMs: 10_000, storePrompts }),
    idempotency,
    limits: {
      rate: createRateLimiter({ counter, perMinute: limits.perMinute ?? 0, aiPerMinute: limits.aiPerMinute ?? 0 }),
      inFlight: { upload: createInFlight(limits.uploads ?? 0), ai: createInFlight(limits.ai ?? 0) },
      scanBudget
    },
    guard: createLoginGuard(limits.authFailures ?? 0),
    blobs,
    addresses,
    docs: { baseUrl: 'http://files.test', cdnUrl: 'http://cdn.test' },
    http: { uploadTimeoutMs: 60_000, idleTimeoutMs, trustProxy: false }
  })
  // An injected response forgets the timer of its timeout; the process would wait for it.
  app.addHook('onResponse', async (_request, reply) => { clearTimeout((reply.raw as { timeoutHandle?: NodeJS.Timeout }).timeoutHandle) })
  t.teardown(async () => {
    await app.close()
    await cleaner.idle()
    await blobs.close()
    await database.close()
    await rm(root, { recursive: true, force: true })
  })

  async function token (...projects: string[]): Promise<string> {
    const secret = `secret-${createId()}`
    await database.tokens.create({ id: createId(), name: 'test', hash: hashToken(secret), projects })
    return secret
  }
  // Without the notes of the store itself.
  const storedFiles = async () => (await readdir(root, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.filewright-'))
  const everything = await token('*')
  const upload: TestGateway['upload'] = async (parts, secret = everything, headers = {}) => {
    const { body, contentType } = multipartBody(parts)
    return await app.inject({
      method: 'POST', url: '/api/files/upload', headers: { authorization: `Bearer ${secret}`, 'content-type': contentType, ...headers }, payload: body
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
    onScan: (next) => { scan = next },
    onInference: (next) => { infer = next },
    store: async ({ project = 'acme', name = 'notes.txt', content = 'hello\n', folder } = {}) => {
      const response = await upload([
        { name: 'project_id', value: project },
        ...(folder === undefined ? [] : [{ name: 'folder', value: folder }]),
        { name: 'file', filename: name, content }
      ])
      if (response.statusCode !== 201) throw new Error(`upload failed: ${response.statusCode} ${response.body}`)
      return response.json().file.id as string
    },
    get: async (url, headers = {}) => await app.inject({ url, headers: { authorization: `Bearer ${everything}`, ...headers } }),
    filesOnDisk: async () => (await storedFiles()).map((entry) => entry.name),
    overwriteOnDisk: async (id, content) => {
      for (const entry of await storedFiles()) {
        if (entry.name.includes(id)) await writeFile(join(entry.parentPath, entry.name), content)
      }
    }
  }
}
