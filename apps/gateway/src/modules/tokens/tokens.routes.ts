import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  limits,
  RevokeTokenResponse,
  sentences,
  TokenSecretResponse,
  TokensResponse,
  type TokenInfo,
  type TokenParams
} from '@filewright/contracts'
import type { TokenRecord } from '@filewright/db'
import { InvalidFieldError, isId } from '@filewright/runtime'
import { clientSignal } from '../../http/client-signal.js'
import { acceptJson } from '../../http/json-body.js'
import { refuseOtherMethods } from '../../http/method-not-allowed.js'
import { once, wholeNumber, type Query } from '../../http/query.js'
import type { TokenAdminService } from './token-admin.service.js'
import { parseNewToken } from './token-requests.js'
import * as operations from './tokens.operations.js'

const BODY_LIMIT_BYTES = 256 * 1024

const present = (token: TokenRecord): TokenInfo => ({
  id: token.id,
  name: token.name,
  projects: token.projects.includes('*') ? null : token.projects,
  is_operator: token.isOperator,
  created_at: token.createdAt.toISOString(),
  expires_at: token.expiresAt?.toISOString() ?? null,
  revoked_at: token.revokedAt?.toISOString() ?? null,
  max_files: token.maxFiles,
  max_bytes: token.maxBytes
})

function cursorOf(query: Query): string | null {
  const after = once(query, 'after')
  if (after === undefined) return null
  if (!isId(after)) throw new InvalidFieldError('after', 'must be from `next` of a page')
  return after
}

/** For operators' tokens. The scope it is registered in authenticates. */
export async function tokensRoutes(
  app: FastifyInstance,
  { tokenAdmin, idleTimeoutMs }: { tokenAdmin: TokenAdminService; idleTimeoutMs: number }
): Promise<void> {
  const onRequest = async ({ principal }: FastifyRequest): Promise<void> =>
    tokenAdmin.assertOperator(principal)
  acceptJson(app, { idleTimeoutMs, notUtf8: () => new InvalidFieldError('body', 'must be UTF-8') })

  app.get(
    '/tokens',
    {
      onRequest,
      config: { operation: operations.listTokens },
      schema: { response: { 200: TokensResponse } }
    },
    async (request) => {
      const query = request.query as Query
      const asked = wholeNumber('limit', once(query, 'limit'), limits.pageSize.default)
      const limit = Math.min(asked, limits.pageSize.max)
      const page = await tokenAdmin.list(request.principal, { after: cursorOf(query), limit })
      return { tokens: page.map(present), next: page.length === limit ? (page.at(-1)?.id ?? null) : null }
    }
  )

  app.post(
    '/tokens',
    {
      onRequest,
      bodyLimit: BODY_LIMIT_BYTES,
      config: { operation: operations.createAccessToken },
      schema: { response: { 201: TokenSecretResponse } }
    },
    async (request, reply) => {
      const { token, secret } = await tokenAdmin.create(request.principal, parseNewToken(request.body))
      return reply.code(201).send({ token: { ...present(token), secret } })
    }
  )

  app.delete<{ Params: TokenParams }>(
    '/tokens/:id',
    {
      onRequest,
      config: { operation: operations.revokeToken },
      schema: { response: { 200: RevokeTokenResponse } }
    },
    async (request, reply) => {
      await tokenAdmin.revoke(request.principal, request.params.id, clientSignal(reply))
      return { message: sentences.tokenRevoked }
    }
  )

  refuseOtherMethods(app, '/tokens', ['GET', 'HEAD', 'POST'])
  refuseOtherMethods(app, '/tokens/:id', ['DELETE'])
}
