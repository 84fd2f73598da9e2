import type { CreateTokenRequest, TokenSecretResponse, TokensResponse } from '@filewright/contracts'
import { revokeTokenAnswer, tokenSecretAnswer, tokensAnswer } from './answers.js'
import { queryOf } from './files.js'
import type { CallOptions, Transport } from './transport.js'

/** The access tokens of the service, for the token of an operator. */
export interface TokensApi {
  /** Newest first. */
  list: (options?: CallOptions & { after?: string; limit?: number }) => Promise<TokensResponse>
  /** The only response with the secret. Not retried: the service may have created the token. */
  create: (request: CreateTokenRequest, options?: CallOptions) => Promise<TokenSecretResponse['token']>
  revoke: (id: string, options?: CallOptions) => Promise<void>
}

export function createTokensApi(transport: Transport): TokensApi {
  return {
    list: async ({ after, limit, ...options } = {}) =>
      await transport.request('GET', `/api/tokens${queryOf({ after, limit })}`, tokensAnswer, options),

    create: async (request, options = {}) =>
      (await transport.post('/api/tokens', request, tokenSecretAnswer, { ...options, retries: 0 })).token,

    revoke: async (id, options = {}) => {
      await transport.request('DELETE', `/api/tokens/${encodeURIComponent(id)}`, revokeTokenAnswer, options)
    }
  }
}
