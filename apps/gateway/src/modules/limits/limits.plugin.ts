import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { AppError, type Semaphore } from '@filewright/runtime'
import { whenOver } from '../../http/client-signal.js'
import type { RateLimiter } from './rate-limiter.js'
import type { ScanBudget } from './scan-budget.js'

/** Routes that cost more than others. */
export type Lane = 'upload' | 'ai'

declare module 'fastify' {
  interface FastifyContextConfig {
    lane?: Lane
  }
}

export interface Limits {
  rate: RateLimiter
  inFlight: Record<Lane, Semaphore>
  scanBudget: Pick<ScanBudget, 'secondsToWait'>
}

function refuse(reply: FastifyReply, retrySeconds: number, why: string): never {
  reply.header('retry-after', String(retrySeconds))
  throw new AppError('RATE_LIMITED', why, { retryable: true })
}

interface Places {
  give: (request: FastifyRequest, reply: FastifyReply, leave: () => void) => void
  during: <T>(request: FastifyRequest, work: () => Promise<T>) => Promise<T>
}

/**
 * A slot is released when the response has ended and the handler has returned. A client that disconnects does
 * not stop the work at once, and could otherwise exceed its limit.
 */
function createSlots(): Places {
  const working = new WeakSet<FastifyRequest>()
  const leaving = new WeakMap<FastifyRequest, () => void>()
  return {
    give: (request, reply, leave) =>
      whenOver(reply, () => {
        if (working.has(request)) leaving.set(request, leave)
        else leave()
      }),
    during: async (request, work) => {
      working.add(request)
      try {
        return await work()
      } finally {
        working.delete(request)
        leaving.get(request)?.()
      }
    }
  }
}

/** Counts every request of its scope, after its token is known and before its body is read. */
export const limitsPlugin = fp(
  async function limits(app: FastifyInstance, { rate, inFlight, scanBudget }: Limits) {
    const places = createSlots()
    app.addHook('onRoute', (route) => {
      if ((route.config as { lane?: Lane } | undefined)?.lane === undefined) return
      const { handler } = route
      route.handler = async function (request, reply) {
        return await places.during(request, async () => await handler.call(this, request, reply))
      }
    })
    app.addHook('onRequest', async (request, reply) => {
      const { tokenId } = request.principal
      const { lane } = request.routeOptions.config
      const allowance = await rate.take(tokenId, { ai: lane === 'ai' })
      if (allowance !== null) {
        const { admitted, limit, remaining, resetSeconds } = allowance
        reply.headers({
          'ratelimit-limit': limit,
          'ratelimit-remaining': remaining,
          'ratelimit-reset': resetSeconds
        })
        if (!admitted) {
          refuse(reply, resetSeconds, `token ${tokenId} sends more than ${limit} requests a minute`)
        }
      }
      if (lane === undefined) return
      const waitSeconds = lane === 'upload' ? scanBudget.secondsToWait(tokenId) : null
      if (waitSeconds !== null) {
        refuse(reply, waitSeconds, `the scans of token ${tokenId} have used up its minute's budget`)
      }
      const leave = inFlight[lane].tryAcquire(tokenId)
      if (leave === null) refuse(reply, 1, `token ${tokenId} has too many requests under way (${lane})`)
      places.give(request, reply, leave)
    })
  },
  { name: 'limits', dependencies: ['auth'] }
)
