import { fastify, LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { BlobStore } from '@filewright/blob-store'
import type { TrustedProxies } from '@filewright/domain'
import { closedHeaders, type Logger } from '@filewright/runtime'
import type { Tracing } from '@filewright/telemetry'
import {
  answerClientError,
  errorsPlugin,
  refuseOverload,
  refuseTunnel,
  sendError
} from './http/errors.plugin.js'
import { authPlugin } from './modules/tokens/auth.plugin.js'
import { hostProblem } from './http/host-header.js'
import { limitsPlugin, type Limits } from './modules/limits/limits.plugin.js'
import type { LoadShedder } from './modules/limits/load-shedder.js'
import { requestIdOf } from './http/request-id.js'
import { pipeliningPlugin } from './http/pipelining.plugin.js'
import { tracingPlugin } from './http/tracing.plugin.js'
import { aiRoutes } from './modules/ai/ai.routes.js'
import type { AiService } from './modules/ai/ai.service.js'
import { consoleRoutes } from './modules/console/console.routes.js'
import { docsRoutes } from './modules/docs/docs.routes.js'
import { collectOperations } from './modules/docs/operation.js'
import type { Addresses } from './modules/files/addresses.js'
import { downloadFile, followDownloadUrl } from './modules/downloads/downloads.operations.js'
import { cdnRoutes, downloadRoutes } from './modules/downloads/downloads.routes.js'
import { eventsRoutes } from './modules/events/events.routes.js'
import type { EventsService } from './modules/events/events.service.js'
import { changeFileRoutes } from './modules/files/change-file.routes.js'
import { createFilesPresenter } from './modules/files/files.presenter.js'
import { filesRoutes } from './modules/files/files.routes.js'
import type { FilesService } from './modules/files/files.service.js'
import type { UploadService } from './modules/files/upload.service.js'
import type { IdempotencyService } from './modules/idempotency/idempotency.service.js'
import type { LoginGuard } from './modules/limits/login-guard.js'
import { projectsRoutes } from './modules/projects/projects.routes.js'
import type { ProjectsService } from './modules/projects/projects.service.js'
import type { DirectAddresses } from './modules/downloads/direct-addresses.js'
import type { DownloadLog } from './modules/recalls/download-log.js'
import { recallsRoutes } from './modules/recalls/recalls.routes.js'
import type { RecallsService } from './modules/recalls/recalls.service.js'
import { receiptKeysRoutes, receiptsRoutes } from './modules/receipts/receipts.routes.js'
import type { ReceiptsService } from './modules/receipts/receipts.service.js'
import { serviceRoutes } from './modules/service/service.routes.js'
import type { ServiceService } from './modules/service/service.service.js'
import { historyRoutes } from './modules/history/history.routes.js'
import type { HistoryService } from './modules/history/history.service.js'
import { zipRoutes } from './modules/zip/zip.routes.js'
import type { ZipService } from './modules/zip/zip.service.js'
import { trashRoutes } from './modules/trash/trash.routes.js'
import type { TrashService } from './modules/trash/trash.service.js'
import type { TokenAdminService } from './modules/tokens/token-admin.service.js'
import { tokensRoutes } from './modules/tokens/tokens.routes.js'
import { webhooksRoutes } from './modules/webhooks/webhooks.routes.js'
import type { WebhooksService } from './modules/webhooks/webhooks.service.js'
import type { TokensService } from './modules/tokens/tokens.service.js'

export interface AppDeps {
  logger: Logger
  tokens: TokensService
  tokenAdmin: TokenAdminService
  files: FilesService
  trash: TrashService
  trashDays: number
  webhooks: WebhooksService
  events: EventsService
  receipts: ReceiptsService
  recalls: RecallsService
  downloadLog: Pick<DownloadLog, 'note'>
  zips: ZipService
  history: HistoryService
  projects: ProjectsService
  service: ServiceService
  uploads: UploadService
  ai: AiService
  idempotency: IdempotencyService
  limits: Limits
  shedder: LoadShedder
  guard: LoginGuard
  blobs: Pick<BlobStore, 'open'>
  addresses: Addresses
  /** Absent: the gateway sends the bytes of public addresses. */
  direct?: DirectAddresses | undefined
  docs: { baseUrl: string; cdnUrl: string }
  /** Whether the console and its files are served. */
  hasConsole: boolean
  http: {
    uploadTimeoutMs: number
    idleTimeoutMs: number
    trustProxy: TrustedProxies
    /** Headers of every response, in addition to those that restrict browsers. */
    headers: Record<string, string>
  }
  tracing?: Tracing
  /** Receives every response and the number of bytes sent. */
  meter?: { answered: (answer: AnsweredRequest) => void; sent: (bytes: number) => void }
}

export interface AnsweredRequest {
  method: string
  /** The pattern of the route, never the path. */
  route: string
  status: number
  ms: number
}

/** Below the upload timeout: Node ignores `requestTimeout` while it is not above `headersTimeout`. */
const HEADERS_TIMEOUT_MS = 15_000

/**
 * Longer than load balancers keep an idle connection open, so the load balancer closes it, not the gateway.
 */
const KEEP_ALIVE_MS = 72_000

/** The public listener: routes and plugins on top of existing services. */
export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const {
    logger,
    tokens,
    tokenAdmin,
    files,
    trash,
    trashDays,
    webhooks,
    events,
    receipts,
    recalls,
    downloadLog,
    zips,
    history,
    projects,
    service,
    uploads,
    ai,
    idempotency,
    limits,
    shedder,
    guard,
    blobs,
    addresses,
    direct,
    docs,
    hasConsole,
    http,
    tracing,
    meter
  } = deps
  const commonHeaders = { ...closedHeaders, ...http.headers }
  const app = fastify({
    loggerInstance: logger as FastifyBaseLogger,
    genReqId: requestIdOf,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    trustProxy: http.trustProxy,
    requestTimeout: http.uploadTimeoutMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: 'idle',
    // A request that was accepted is served. Fastify's own 503 would not have our error format.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 1_000, ignoreTrailingSlash: true },
    http: {
      headersTimeout: Math.min(HEADERS_TIMEOUT_MS, http.uploadTimeoutMs - 1),
      connectionsCheckingInterval: 5_000,
      requireHostHeader: false
    },
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) => {
      sendError(error, request, reply.headers({ ...commonHeaders, 'x-request-id': request.id }))
    }
  })

  const operations = collectOperations(app)

  // Without a listener, Node answers `100 Continue` before the token is checked.
  app.server.on('checkContinue', (request, response) => app.routing(request, response))
  // Node would also answer the next three cases itself, without our JSON and request id: an unknown
  // expectation, which may be ignored …
  app.server.on('checkExpectation', (request, response) => app.routing(request, response))
  // … a tunnel …
  app.server.on('connect', (_request, socket) => refuseTunnel(socket))

  await app.register(pipeliningPlugin)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({ ...commonHeaders, 'x-request-id': request.id })
    // First of all: a refusal must cost next to nothing. Requests that were admitted before are finished.
    if (!shedder.admits()) {
      refuseOverload(reply)
      return
    }
    // … and an HTTP/1.1 request without a Host header. With two Host headers, Node would even serve it.
    const problem = hostProblem(request.raw)
    done(problem === null ? undefined : Object.assign(new Error(problem), { statusCode: 400 }))
  })
  // These fields contain no secrets, and redaction would cost as much as the log line itself.
  const answerLog = logger.child({}, { redact: [] })
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
  })
  app.addHook('onClose', async () => shedder.stop())
  // A keep-alive connection that is busy at shutdown would otherwise delay it until the client disconnects.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) reply.header('connection', 'close')
    done(null, payload)
  })
  app.addHook('onResponse', (request, reply, done) => {
    // The response began before shutdown, without `connection: close`.
    if (closing) {
      setImmediate(() => app.server.closeIdleConnections())
    }
    const answer = {
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime)
    }
    meter?.answered(answer)
    answerLog.info({ requestId: request.id, ...answer }, 'answered')
    done()
  })
  if (tracing?.isOn === true) {
    await app.register(tracingPlugin, { tracing, trustCaller: http.trustProxy !== false })
  }
  await app.register(errorsPlugin)

  const downloads = {
    files,
    blobs,
    addresses,
    idleTimeoutMs: http.idleTimeoutMs,
    log: downloadLog,
    onSent: meter?.sent
  }
  const presenter = createFilesPresenter(addresses, { trashDays })
  await app.register(async (scope) => {
    await scope.register(authPlugin, { tokens, guard })
    await scope.register(limitsPlugin, limits)
    await scope.register(filesRoutes, {
      prefix: '/api',
      files,
      uploads,
      presenter,
      idleTimeoutMs: http.idleTimeoutMs
    })
    await scope.register(changeFileRoutes, {
      prefix: '/api',
      files,
      presenter,
      idleTimeoutMs: http.idleTimeoutMs
    })
    await scope.register(trashRoutes, { prefix: '/api', trash, presenter })
    await scope.register(webhooksRoutes, { prefix: '/api', webhooks, idleTimeoutMs: http.idleTimeoutMs })
    await scope.register(eventsRoutes, { prefix: '/api', events, idleTimeoutMs: http.idleTimeoutMs })
    await scope.register(recallsRoutes, { prefix: '/api', recalls })
    await scope.register(receiptsRoutes, { prefix: '/api', receipts })
    await scope.register(zipRoutes, {
      prefix: '/api',
      zips,
      idleTimeoutMs: http.idleTimeoutMs,
      onSent: meter?.sent
    })
    await scope.register(tokensRoutes, { prefix: '/api', tokenAdmin, idleTimeoutMs: http.idleTimeoutMs })
    await scope.register(historyRoutes, { prefix: '/api', history })
    await scope.register(projectsRoutes, { prefix: '/api', projects })
    await scope.register(serviceRoutes, { prefix: '/api', service })
    await scope.register(downloadRoutes, { prefix: '/api', ...downloads, operation: downloadFile })
    await scope.register(aiRoutes, { prefix: '/api', ai, idempotency, idleTimeoutMs: http.idleTimeoutMs })
    await scope.register(downloadRoutes, { ...downloads, operation: followDownloadUrl })
  })
  await app.register(cdnRoutes, { ...downloads, direct })
  await app.register(receiptKeysRoutes, { receipts })
  await app.register(docsRoutes, { ...docs, operations })
  if (hasConsole) await app.register(consoleRoutes, docs)
  return app
}
