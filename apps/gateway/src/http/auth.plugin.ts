import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { AppError } from '@filewright/runtime'
import type { Principal } from '../modules/tokens/principal.js'
import type { TokensService } from '../modules/tokens/tokens.service.js'

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal
  }
}

/** One scheme, one token of visible ASCII. */
const BEARER = /^bearer +([\x21-\x7e]{1,512})$/i

/** Guards every route of the scope it is registered in, before a byte of the body is read. */
export const authPlugin = fp(async function auth (app: FastifyInstance, { tokens }: { tokens: TokensService }) {
  app.decorateRequest('principal')
  app.addHook('onRequest', async (request) => {
    const token = BEARER.exec(request.headers.authorization ?? '')?.[1]
    if (token === undefined) throw new AppError('UNAUTHORIZED', 'no bearer token')
    request.principal = await tokens.authenticate(token)
  })
}, { name: 'auth' })
