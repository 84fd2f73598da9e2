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

/** A token is looked up once in this time, however many requests it sends: for so long a gateway may take one that was just revoked. */
export const TOKEN_CACHE_MS = 1_000

/** More tokens in use at once than one process sees; what is above is looked up each time. */
const MAX_CACHED = 10_000

interface Admission {
  principal: Principal
  expiresAt: Date | null
  until: number
}

export function createTokensService ({ tokens, clock }: { tokens: Pick<Database['tokens'], 'findByHash'>, clock: Clock }): TokensService {
  /** Only tokens that are good: guesses must not push them out, and a new token works at once. */
  const admitted = new Map<string, Admission>()

  async function admit (token: string, now: number): Promise<Admission> {
    const record = await tokens.findByHash(hashToken(token))
    if (record === null) throw new AppError('UNAUTHORIZED', 'unknown token')
    if (record.revokedAt !== null) throw new AppError('UNAUTHORIZED', `token ${record.id} is revoked`)
    const { id: tokenId, projects, maxFiles, maxBytes } = record
    const principal: Principal = {
      tokenId, projects: projects.includes('*') ? '*' : new Set(projects), quota: { maxFiles, maxBytes }
    }
    // From before the look-up: what was revoked while it ran counts from then, too.
    const admission = { principal, expiresAt: record.expiresAt, until: now + TOKEN_CACHE_MS }
    if (admitted.size >= MAX_CACHED) for (const [other, { until }] of admitted) if (until <= now) admitted.delete(other)
    if (admitted.size < MAX_CACHED) admitted.set(token, admission)
    return admission
  }

  return {
    async authenticate (token) {
      const now = clock.now()
      const known = admitted.get(token)
      if (known !== undefined && known.until <= now.getTime()) admitted.delete(token)
      const { principal, expiresAt } = known !== undefined && known.until > now.getTime() ? known : await admit(token, now.getTime())
      if (expiresAt !== null && expiresAt <= now) throw new AppError('UNAUTHORIZED', `token ${principal.tokenId} has expired`)
      return principal
    }
  }
}
