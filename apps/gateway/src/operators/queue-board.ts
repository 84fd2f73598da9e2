import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import {
  delivery,
  inference,
  openQueueViews,
  scanFile,
  type QueueDefinition,
  type QueueViews
} from '@filewright/queue'
import { closedHeaders, type Logger } from '@filewright/runtime'
import type { LoginGuard } from '../modules/limits/login-guard.js'
import { createAdminLogin } from './admin-login.js'
import { isPlainPath } from './plain-path.js'
import { isSameOrigin } from './same-origin.js'

export interface QueueBoardOptions {
  redisUrl: string
  prefix: string
  /** Without a password, every login is refused. */
  password: string | undefined
  /** Off: read-only. */
  write: boolean
  /** Counts wrong passwords. */
  guard: LoginGuard
  logger: Logger
}

export interface QueueBoard {
  /** True if the request was for the dashboard. */
  handle: (path: string, request: IncomingMessage, response: ServerResponse) => boolean
  close: () => Promise<void>
}

interface Refusal {
  status: number
  error: string
  headers?: Record<string, string>
}

const BASE = '/queues'
const USER = 'admin'
const NOT_PLAIN = 'The dashboard has no paths with encoded or special characters'
const NOT_SAME_ORIGIN = 'Changes must come from the dashboard itself; a program sends X-Requested-With'
const CHALLENGE = { 'www-authenticate': 'Basic realm="Filewright", charset="UTF-8"' }

/**
 * The dashboard behind its password, built on the first visit. The board app decides which routes it offers.
 */
export function createQueueBoard(options: QueueBoardOptions): QueueBoard {
  const { redisUrl, prefix, password, write, guard, logger } = options
  const login = createAdminLogin({ user: USER, password, guard, logger })
  let opened: Promise<{ app: FastifyInstance; views: QueueViews }> | undefined

  async function open(): Promise<{ app: FastifyInstance; views: QueueViews }> {
    const { buildBoardApp } = await import('./board-app.js')
    const definitions = [scanFile, inference, delivery] as QueueDefinition[]
    const views = await openQueueViews({ redisUrl, prefix, logger, definitions })
    return { app: await buildBoardApp({ queues: views.queues, basePath: BASE, write }), views }
  }

  function refusal(path: string, request: IncomingMessage): Refusal | null {
    const result = login(request)
    if (result.is === 'blocked') {
      const headers = { 'retry-after': String(result.seconds) }
      return { status: 429, error: 'Too many wrong passwords, try again later', headers }
    }
    if (result.is === 'refused') {
      const error = password === undefined ? 'Set ADMIN_PASSWORD to open the dashboard' : 'Unauthorized'
      return { status: 401, error, headers: CHALLENGE }
    }
    if (!isPlainPath(path)) return { status: 400, error: NOT_PLAIN }
    if (request.method === 'GET' || request.method === 'HEAD') return null
    if (!write) return { status: 405, error: 'The dashboard is read-only; ADMIN_WRITE=true changes that' }
    if (isSameOrigin(request.headers)) return null
    return { status: 403, error: NOT_SAME_ORIGIN }
  }

  return {
    handle: (path, request, response) => {
      if (path !== BASE && !path.startsWith(`${BASE}/`)) return false
      const refused = refusal(path, request)
      if (refused !== null) {
        answer(response, refused)
        return true
      }
      opened ??= open()
      opened.then(
        ({ app }) => app.routing(request, response),
        (error: unknown) => {
          opened = undefined
          logger.error({ err: error }, 'the dashboard could not be opened')
          answer(response, { status: 500, error: 'The dashboard could not be opened' })
        }
      )
      return true
    },
    close: async () => {
      const board = await opened?.catch(() => undefined)
      await board?.app.close()
      await board?.views.close()
    }
  }
}

function answer(response: ServerResponse, { status, error, headers }: Refusal): void {
  response.writeHead(status, { ...closedHeaders, 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify({ error }))
}
