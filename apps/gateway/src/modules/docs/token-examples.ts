import {
  sentences,
  type CreateTokenRequest,
  type RevokeTokenResponse,
  type TokenSecretResponse,
  type TokensResponse
} from '@filewright/contracts'

export interface TokenExamples {
  tokens: TokensResponse
  createToken: CreateTokenRequest
  tokenCreated: TokenSecretResponse
  tokenRevoked: RevokeTokenResponse
}

const accessToken: TokensResponse['tokens'][number] = {
  id: '4kPAUj9xZoOEdSSRuq5fKc',
  name: 'ci',
  projects: ['demo'],
  is_operator: false,
  created_at: '2026-01-15T09:30:00.000Z',
  expires_at: '2026-04-15T09:30:00.000Z',
  revoked_at: null,
  max_files: 5_000,
  max_bytes: null
}

export const tokenExamples: TokenExamples = {
  tokens: { tokens: [accessToken], next: null },
  createToken: { name: 'ci', projects: ['demo'], expires_in_days: 90, max_files: 5_000 },
  tokenCreated: { token: { ...accessToken, secret: 'fw_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG' } },
  tokenRevoked: { message: sentences.tokenRevoked }
}
