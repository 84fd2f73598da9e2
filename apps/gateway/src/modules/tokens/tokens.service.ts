import { limits } from '@filewright/contracts'
import type { Database } from '@filewright/db'
import { AppError, hashToken, type Clock } from '@filewright/runtime'
import type { Principal } from './principal.js'

export interface TokensService {
  /** @throws AppError UNAUTHORIZED for an unknown, revoked or expired token. */
  authenticate: (token: string) => Promise<Principal>
}

/** A token is looked up at most once in this time, however many requests it sends. */
const CACHE_MS = limits.revokedTokenMs

/** More tokens than one process sees at once. Tokens beyond this number are looked up each time. */
const MAX_CACHED = 10_000

interface Admission {
  principal: Principal
  expiresAt: Date | null
  until: number
}

export function createTokensService({
  tokens,
  clock
}: {
  tokens: Pick<Database['tokens'], 'findByHash'>
  clock: Clock
}): TokensService {
  /** Caches only valid tokens: guesses must not evict them, and a new token must work at once. */
  const admitted = new Map<string, Admission>()

  async function admit(token: string, now: number): Promise<Admission> {
    const record = await tokens.findByHash(hashToken(token))
    if (record === null) throw new AppError('UNAUTHORIZED', 'unknown token')
    if (record.revokedAt !== null) throw new AppError('UNAUTHORIZED', `token ${record.id} is revoked`)
    const { id: tokenId, name: tokenName, projects, maxFiles, maxBytes, isOperator } = record
    const principal: Principal = {
      tokenId,
      tokenName,
      expiresAt: record.expiresAt,
      projects: projects.includes('*') ? '*' : new Set(projects),
      quota: { maxFiles, maxBytes },
      isOperator
    }
    // Measured from before the lookup, so a revocation during the lookup counts too.
    const admission = { principal, expiresAt: record.expiresAt, until: now + CACHE_MS }
    if (admitted.size >= MAX_CACHED) {
      for (const [other, { until }] of admitted) if (until <= now) admitted.delete(other)
    }
    if (admitted.size < MAX_CACHED) admitted.set(token, admission)
    return admission
  }

  return {
    async authenticate(token) {
      const now = clock.now()
      const known = admitted.get(token)
      if (known !== undefined && known.until <= now.getTime()) admitted.delete(token)
      const { principal, expiresAt } =
        known !== undefined && known.until > now.getTime() ? known : await admit(token, now.getTime())
      if (expiresAt !== null && expiresAt <= now) {
        throw new AppError('UNAUTHORIZED', `token ${principal.tokenId} has expired`)
      }
      return principal
    }
  }
}
