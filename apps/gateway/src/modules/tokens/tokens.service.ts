import { createHash } from 'node:crypto'
import type { Database } from '@filewright/db'
import { AppError, type Clock } from '@filewright/runtime'
import type { Principal } from './principal.js'

export interface TokensService {
  /** @throws AppError UNAUTHORIZED for an unknown, revoked or expired token. */
  authenticate: (token: string) => Promise<Principal>
}

/**
 * Only the hash of a token is ever stored; 256 random bits need no salt. It also makes the lookup safe against timing: how long the index takes
 * tells at most how much of the hash of a guess was right, and no guess can be bent towards a hash one does not know.
 */
export function hashToken (token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

export function createTokensService ({ tokens, clock }: { tokens: Pick<Database['tokens'], 'findByHash'>, clock: Clock }): TokensService {
  return {
    async authenticate (token) {
      const record = await tokens.findByHash(hashToken(token))
      if (record === null) throw new AppError('UNAUTHORIZED', 'unknown token')
      if (record.revokedAt !== null) throw new AppError('UNAUTHORIZED', `token ${record.id} is revoked`)
      if (record.expiresAt !== null && record.expiresAt <= clock.now()) throw new AppError('UNAUTHORIZED', `token ${record.id} has expired`)
      return { tokenId: record.id, projects: record.projects.includes('*') ? '*' : new Set(record.projects) }
    }
  }
}
