import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { inference, openQueueViews, scanFile, type QueueDefinition, type QueueViews } from '@filewright/queue'
import { closedHeaders, type Logger } from '@filewright/runtime'
import { createBasicAuth } from './basic-auth.js'

export interface QueueBoardOptions {
  redisUrl: string
  prefix: string
  /** Without one nobody gets in. */
  password: string | undefined
  /** Off: looking only. */
  write: boolean
  logger: Logger
}

export interface QueueBoard {
  /** True if the request was one for the board. */
  handle: (path: string, request: IncomingMessage, response: ServerResponse) => boolean
  close: () => Promise<void>
}

const BASE = '/queues'
const USER = 'admin'
/** Jobs are made by the gateway alone: what is typed into a form has passed none of its checks. */
const MAKES_JOBS = /\/(add|update-data)\/?$/

/** The dashboard behind its password, put together at the first visit. */
export function createQueueBoard ({ redisUrl, prefix, password, write, logger }: QueueBoardOptions): QueueBoard {
  const isAdmin = password === undefined ? () => false : createBasicAuth(USER, password)
  let opened: Promise<{ app: FastifyInstance, views: QueueViews }> | undefined

  async function open (): Promise<{ app: FastifyInstance, views: QueueViews }> {
    const { buildBoardApp } = await import('./board-app.js')
    const views = await openQueueViews({ redisUrl, prefix, logger, definitions: [scanFile, inference] as QueueDefinition[] })
    return { app: await buildBoardApp({ queues: views.queues, basePath: BASE, write }), views }
  }

  function refusal (path: string, { method = '', headers }: IncomingMessage): [status: number, sentence: string] | null {
    if (!isAdmin(headers.authorization)) return [401, password === undefined ? 'Set ADMIN_PASSWORD to open the dashboard' : 'Unauthorized']
    if (method === 'GET' || method === 'HEAD') return null
    if (!write) return [405, 'The dashboard is read-only; ADMIN_WRITE=true changes that']
    // A browser adds the password to requests that other sites make: they may not.
    if (!['same-origin', undefined].includes(headers['sec-fetch-site'] as string | undefined)) return [403, 'Forbidden']
    return MAKES_JOBS.test(path) ? [403, 'Jobs cannot be made or changed here'] : null
  }

  return {
    handle: (path, request, response) => {
      if (path !== BASE && !path.startsWith(`${BASE}/`)) return false
      const refused = refusal(path, request)
      if (refused !== null) {
        const [status, error] = refused
        const challenge = status === 401 ? { 'www-authenticate': 'Basic realm="Filewright", charset="UTF-8"' } : {}
        response.writeHead(status, { ...closedHeaders, 'content-type': 'application/json', ...challenge }).end(JSON.stringify({ error }))
        return true
      }
      opened ??= open()
      opened.then(({ app }) => { app.routing(request, response) }, (error: unknown) => {
        opened = undefined
        logger.error({ err: error }, 'the dashboard could not be opened')
        response.writeHead(500, { ...closedHeaders, 'content-type': 'application/json' }).end(JSON.stringify({ error: 'The dashboard could not be opened' }))
      })
      return true
    },
    close: async () => {
      const board = await opened?.catch(() => undefined)
      await board?.app.close()
      await board?.views.close()
    }
  }
}
