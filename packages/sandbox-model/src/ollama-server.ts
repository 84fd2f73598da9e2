import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import {
  canonicalName,
  digestOf,
  OLLAMA_VERSION,
  requestIn,
  runningRecord,
  showRecord,
  tagRecord,
  type OllamaRequest
} from './ollama-protocol.js'
import { answer, createReply, type Interceptor, type Pace } from './ollama-reply.js'

export interface LoggedRequest {
  at: number
  method: string
  path: string
  body: unknown
}

export interface ClosedByClient {
  at: number
  path: string
}

export interface OllamaServerOptions {
  /** Default loopback. */
  host?: string
  /** Default: a free one. */
  port?: number
  /** Its models. Default: `sandbox:latest` only. */
  models?: readonly string[]
  /** Default: one of Ollama's own. */
  version?: string
  /**
   * Every response says that it is a sample, for the header X-Engine. Default false: a test's server
   * represents a real one.
   */
  isSandbox?: boolean
  /** The text of a response. Default: a fixed sentence. */
  respond?: (request: OllamaRequest) => string | Promise<string>
  /** Default: no delay at all. */
  pace?: Partial<Pace>
  /** Sees every call first, for fault tests. */
  intercept?: Interceptor
  /**
   * How many requests and disconnects the logs keep. Default 1,000; 0 keeps none, for a long-running server.
   */
  logLimit?: number
}

export interface OllamaServer {
  url: string
  port: number
  /** Every request so far, oldest first. */
  requests: LoggedRequest[]
  /** Chat, generate and pull calls whose client left before the end. */
  closedByClient: ClosedByClient[]
  /** Emits `request` and `closed-by-client`. */
  events: EventEmitter
  openConnections: () => number
  /** Requests without a complete response whose client is still connected. */
  activeRequests: () => number
  close: () => Promise<void>
}

const MAX_BODY_BYTES = 16 * 1024 * 1024
const PULL_BYTES = 4_096

class BadRequest extends Error {
  override readonly name = 'BadRequest'
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_BODY_BYTES) throw new BadRequest('request body too large')
    chunks.push(chunk)
  }
  if (bytes === 0) throw new BadRequest('missing request body')
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch (error) {
    throw new BadRequest('invalid JSON in request body', { cause: error })
  }
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
}

/** A completion request in the format of Ollama's own API. */
function openAiRequest(body: unknown): unknown {
  const {
    max_tokens: limit,
    temperature,
    seed,
    response_format: format,
    ...rest
  } = Object(body) as Record<string, any>
  const schema = format === undefined ? {} : { format: format.json_schema?.schema }
  return { ...rest, ...schema, options: { num_ctx: 131_072, num_predict: limit, temperature, seed } }
}

function nameIn(body: unknown): string {
  const { model, name } = Object(body) as { model?: unknown; name?: unknown }
  const given = typeof model === 'string' && model !== '' ? model : name
  if (typeof given !== 'string' || given === '') throw new BadRequest('model is required')
  return canonicalName(given)
}

/** A server with Ollama's API that gets its texts from a function. */
export async function startOllamaServer(options: OllamaServerOptions = {}): Promise<OllamaServer> {
  const {
    host = '127.0.0.1',
    port = 0,
    models: given = ['sandbox'],
    pace = {},
    intercept,
    logLimit = 1_000,
    version = OLLAMA_VERSION,
    isSandbox = false
  } = options
  const respond = options.respond ?? (() => 'This is a sandbox and not a language model.')
  const models = new Set(given.map(canonicalName))
  const running = new Set<string>()
  const sockets = new Set<Socket>()
  const requests: LoggedRequest[] = []
  const closedByClient: ClosedByClient[] = []
  const events = new EventEmitter()
  const cutByServer = new WeakSet<ServerResponse>()
  let closing = false

  function log<T>(list: T[], entry: T): void {
    list.push(entry)
    if (list.length > logLimit) list.shift()
  }

  function watchClose(path: string, response: ServerResponse): void {
    response.once('close', () => {
      if (response.writableEnded || cutByServer.has(response) || closing) return
      const closed = { at: Date.now(), path }
      log(closedByClient, closed)
      events.emit('closed-by-client', closed)
    })
  }

  async function complete(
    endpoint: 'chat' | 'generate' | 'openai',
    body: unknown,
    response: ServerResponse
  ): Promise<void> {
    const request = requestIn(body)
    if (request === undefined) throw new BadRequest('model is required')
    const reply = createReply({
      response,
      endpoint,
      request,
      isSandbox,
      pace: { firstTokenMs: 0, perTokenMs: 0, ...pace }
    })
    const cut = (how: 'fin' | 'rst'): void => {
      cutByServer.add(response)
      if (how === 'rst') response.socket?.resetAndDestroy()
      else response.socket?.end()
    }
    if (
      (await intercept?.({ request, reply, response, cut, text: async () => await respond(request) })) ===
      true
    ) {
      return
    }
    const name = canonicalName(request.model)
    if (!models.has(name)) return json(response, 404, { error: `model '${request.model}' not found` })
    running.add(name)
    if (request.messages.length === 0) return reply.done('load')
    await answer(reply, await respond(request), request)
  }

  function pull(body: unknown, response: ServerResponse): void {
    const name = nameIn(body)
    const digest = digestOf(name)
    const layer = { status: `pulling ${digest.slice(0, 12)}`, digest: `sha256:${digest}`, total: PULL_BYTES }
    const steps = [
      { status: 'pulling manifest' },
      layer,
      { ...layer, completed: PULL_BYTES / 2 },
      { ...layer, completed: PULL_BYTES },
      { status: 'verifying sha256 digest' },
      { status: 'writing manifest' },
      { status: 'success' }
    ]
    models.add(name)
    if ((body as { stream?: unknown }).stream === false) return json(response, 200, { status: 'success' })
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    response.end(steps.map((step) => `${JSON.stringify(step)}\n`).join(''))
  }

  async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = request.method ?? 'GET'
    const path = new URL(request.url ?? '/', 'http://peer').pathname
    const body = method === 'POST' ? await bodyOf(request) : undefined
    const logged = { at: Date.now(), method, path, body }
    log(requests, logged)
    events.emit('request', logged)
    switch (`${method === 'HEAD' ? 'GET' : method} ${path}`) {
      case 'GET /':
        response.writeHead(200, { 'content-type': 'text/plain' }).end('Ollama is running')
        return
      case 'GET /api/version':
        return json(response, 200, { version })
      case 'GET /api/tags':
        return json(response, 200, { models: [...models].map(tagRecord) })
      case 'GET /api/ps':
        return json(response, 200, { models: [...running].map(runningRecord) })
      case 'POST /api/show': {
        const name = nameIn(body)
        return models.has(name)
          ? json(response, 200, showRecord(name))
          : json(response, 404, { error: `model '${name}' not found` })
      }
      case 'POST /api/pull':
        watchClose(path, response)
        return pull(body, response)
      case 'POST /api/chat':
        watchClose(path, response)
        return await complete('chat', body, response)
      case 'POST /api/generate':
        watchClose(path, response)
        return await complete('generate', body, response)
      // Ollama's second API.
      case 'GET /v1/models':
        return json(response, 200, {
          object: 'list',
          data: [...models].map((id) => ({ id, object: 'model' }))
        })
      case 'POST /v1/chat/completions':
        watchClose(path, response)
        return await complete('openai', openAiRequest(body), response)
      default:
        response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found')
    }
  }

  const active = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    active.add(response)
    response.once('close', () => active.delete(response))
    route(request, response).catch((error: unknown) => {
      if (response.headersSent || response.destroyed) response.destroy()
      else if (error instanceof BadRequest) json(response, 400, { error: error.message })
      else json(response, 500, { error: 'internal error' })
    })
  })
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address() as AddressInfo

  return {
    url: `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`,
    port: address.port,
    requests,
    closedByClient,
    events,
    openConnections: () => sockets.size,
    activeRequests: () => active.size,
    close: async () => {
      closing = true
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
    }
  }
}
