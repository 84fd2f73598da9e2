import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { AppError, isAppError } from '@filewright/runtime'
import { bearerOf } from '../../http/bearer.js'
import type { LoginGuard } from '../limits/login-guard.js'
import type { Principal } from './principal.js'
import type { TokensService } from './tokens.service.js'

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal
    /** The principal as it is now, for long responses: rejects when the token has been revoked or has expired since. */
    renewPrincipal: () => Promise<Principal>
  }
}

/** Protects every route of its scope, before the body is read. */
export const authPlugin = fp(
  async function auth(app: FastifyInstance, { tokens, guard }: { tokens: TokensService; guard: LoginGuard }) {
    app.decorateRequest('principal')
    app.decorateRequest('renewPrincipal', async function (this: FastifyRequest) {
      return await tokens.authenticate(bearerOf(this.headers) ?? '')
    })
    app.addHook('onRequest', async (request, reply) => {
      const token = bearerOf(request.headers)
      // Node uses the first of several Authorization headers; a proxy in front may use the last.
      if (
        token === undefined ||
        request.raw.rawHeaders.filter((name, i) => i % 2 === 0 && name.toLowerCase() === 'authorization')
          .length > 1
      ) {
        throw new AppError('UNAUTHORIZED', 'no bearer token, or more than one')
      }
      try {
        request.principal = await tokens.authenticate(token)
      } catch (error) {
        if (!isAppError(error, 'UNAUTHORIZED') || guard.failed(request.ip)) throw error
        reply.header('retry-after', '60')
        throw new AppError('RATE_LIMITED', `too many bad tokens from ${request.ip}`, { retryable: true })
      }
    })
  },
  { name: 'auth' }
)
