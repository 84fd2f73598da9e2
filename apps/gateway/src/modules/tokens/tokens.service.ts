import { createHash } from 'node:crypto'
import type { Database, TokenRecord } from '@filewright/db'
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

/** A token is looked up once in this time, however many requests it sends: for so long a gateway may take one that was just revoked. */
export const TOKEN_CACHE_MS = 1_000

/** More tokens in use at once than one process sees; what is above is looked up each time. */
const MAX_CACHED = 10_000

export function createTokensService ({ tokens, clock }: { tokens: Pick<Database['tokens'], 'findByHash'>, clock: Clock }): TokensService {
  const cached = new Map<string, { record: TokenRecord, until: number }>()

  /** Only tokens that exist are remembered: guesses must not push them out, and a new token works at once. */
  async function find (token: string): Promise<TokenRecord | null> {
    const hash = hashToken(token)
    const now = clock.now().getTime()
    const known = cached.get(hash)
    if (known !== undefined && known.until > now) return known.record
    const record = await tokens.findByHash(hash)
    if (record === null || record.revokedAt !== null) {
      cached.delete(hash)
      return record
    }
    if (cached.size >= MAX_CACHED) for (const [other, { until }] of cached) if (until <= now) cached.delete(other)
    // From before the look-up: what was revoked while it ran counts from then, too.
    if (cached.size < MAX_CACHED) cached.set(hash, { record, until: now + TOKEN_CACHE_MS })
    return record
  }

  return {
    async authenticate (token) {
      const record = await find(token)
      if (record === null) throw new AppError('UNAUTHORIZED', 'unknown token')
      if (record.revokedAt !== null) throw new AppError('UNAUTHORIZED', `token ${record.id} is revoked`)
      if (record.expiresAt !== null && record.expiresAt <= clock.now()) throw new AppError('UNAUTHORIZED', `token ${record.id} has expired`)
      return { tokenId: record.id, projects: record.projects.includes('*') ? '*' : new Set(record.projects) }
    }
  }
}
