import { createBullBoard } from '@bull-board/api'
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter'
import { FastifyAdapter } from '@bull-board/fastify'
import { fastify, LogController, type FastifyInstance } from 'fastify'
import type { QueueViews } from '@filewright/queue'
import { closedHeaders } from '@filewright/runtime'
import { isOffered } from './board-routes.js'
import { mask, maskFailure } from './mask.js'

export interface BoardAppOptions {
  queues: QueueViews['queues']
  basePath: string
  write: boolean
}

interface PlainJob {
  data?: unknown
  returnvalue?: unknown
  progress?: unknown
  failedReason?: string
  stacktrace?: unknown
}

/** Bull Board gets all job data from `toJSON`. */
function masked<J extends { toJSON: () => object }>(job: J): J {
  const plain = job.toJSON.bind(job) as () => PlainJob
  return Object.assign(job, {
    toJSON: () => {
      const { data, returnvalue, progress, failedReason, ...rest } = plain()
      return {
        ...rest,
        data: mask(data),
        returnvalue: mask(returnvalue),
        progress: mask(progress),
        failedReason: maskFailure(failedReason),
        stacktrace: []
      }
    }
  })
}

class MaskedAdapter extends BullMQAdapter {
  override async getJob(id: string) {
    const job = await super.getJob(id)
    return job === undefined ? job : masked(job)
  }

  override async getJobs(...args: Parameters<BullMQAdapter['getJobs']>) {
    return (await super.getJobs(...args)).map(masked)
  }

  override async getJobLogs(): Promise<string[]> {
    return []
  }
}

/** Bull Board's page asks another origin for web fonts, which would reveal that an operator is looking at it. */
const WEB_FONTS = /<link\b[^>]*\bhref="https?:[^>]*>/g

/** Nothing from another origin, whatever a new version of Bull Board asks for. */
const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'self'; frame-ancestors 'none'"

/**
 * Called for every job shown. Our jobs have no children, and Bull Board would send their progress unmasked.
 */
const FLOW = '/api/queues/:queueName/:jobId/flow'
const NO_FLOW = { nodeId: null, flowRoot: null, isFlowNode: false }

const NOT_OFFERED = 'The dashboard does not offer this. It never makes a job or changes what is in one'

/**
 * Bull Board over masked queues. Loaded on first use: it is larger than the rest of the gateway's HTTP code.
 */
export async function buildBoardApp({ queues, basePath, write }: BoardAppOptions): Promise<FastifyInstance> {
  const serverAdapter = new FastifyAdapter()
  serverAdapter.setBasePath(basePath)
  createBullBoard({
    queues: queues.map((queue) => new MaskedAdapter(queue, { readOnlyMode: !write })),
    serverAdapter,
    options: { uiConfig: { boardTitle: 'Filewright', hideRedisDetails: true } }
  })
  const app = fastify({
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { ignoreTrailingSlash: true }
  })
  app.addHook('onSend', async (_request, reply, payload) => {
    reply.headers({
      ...closedHeaders,
      'cache-control': reply.getHeader('cache-control') ?? 'no-store',
      'content-security-policy': POLICY
    })
    const isPage =
      typeof payload === 'string' && String(reply.getHeader('content-type')).startsWith('text/html')
    if (!isPage) return payload
    const page = payload.replace(WEB_FONTS, '')
    reply.header('content-length', Buffer.byteLength(page))
    return page
  })
  // Runs before a body is read, and also for unknown routes.
  app.addHook('onRequest', async ({ method, is404, routeOptions: { url = '' } }, reply) => {
    if (is404) return await reply.code(404).send({ error: 'Not found' })
    const route = url.slice(basePath.length) || '/'
    if (method === 'GET' && route === FLOW) return await reply.send(NO_FLOW)
    if (!isOffered(method, route, write)) return await reply.code(403).send({ error: NOT_OFFERED })
  })
  await app.register(serverAdapter.registerPlugin(), { prefix: basePath })
  await app.ready()
  return app
}
