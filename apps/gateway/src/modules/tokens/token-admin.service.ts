import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '@filewright/contracts'
import type { Database, Quota, TokenRecord } from '@filewright/db'
import { effectiveQuota } from '@filewright/domain'
import { AppError, createId, createToken, hashToken, InvalidFieldError, isId } from '@filewright/runtime'
import type { Clock, Logger } from '@filewright/runtime'
import type { Principal } from './principal.js'

export interface NewAccessToken {
  name: string
  /** `*` for all. */
  projects: string[]
  expiresInDays: number | null
  quota: Quota
}

export interface TokenAdminService {
  /** Before anything of the request is read. */
  assertOperator: (principal: Principal) => void
  /** Newest first, with the limits that apply to each. */
  list: (principal: Principal, page: { after: string | null; limit: number }) => Promise<TokenRecord[]>
  /** The only time that the secret is known. */
  create: (principal: Principal, token: NewAccessToken) => Promise<{ token: TokenRecord; secret: string }>
  /** When it returns, no gateway accepts the token any more. */
  revoke: (principal: Principal, id: string, signal: AbortSignal) => Promise<void>
}

export interface TokenAdminDeps {
  tokens: Pick<Database['tokens'], 'createAs' | 'page' | 'revokeAs'>
  /** The quota of a token that has none of its own. */
  defaults: Quota
  clock: Clock
  logger: Pick<Logger, 'info'>
}

const DAY_MS = 86_400_000

/** Manages tokens for operators. It cannot make operators: that takes the command on the server. */
export function createTokenAdminService({
  tokens,
  defaults,
  clock,
  logger
}: TokenAdminDeps): TokenAdminService {
  function assertOperator({ isOperator, tokenId }: Principal): void {
    if (!isOperator) throw new AppError('FORBIDDEN', `token ${tokenId} is not an operator's`)
  }
  // A body can arrive long after the token was checked.
  const endedSince = ({ tokenId }: Principal): AppError =>
    new AppError('UNAUTHORIZED', `token ${tokenId} has been revoked or has expired since the request began`)
  const withLimits = (token: TokenRecord): TokenRecord => ({ ...token, ...effectiveQuota(token, defaults) })

  return {
    assertOperator,

    async list(principal, page) {
      assertOperator(principal)
      return (await tokens.page(page)).map(withLimits)
    },

    async create(principal, { name, projects, expiresInDays, quota }) {
      assertOperator(principal)
      const secret = createToken()
      const expiresAt =
        expiresInDays === null ? null : new Date(clock.now().getTime() + expiresInDays * DAY_MS)
      const token = await tokens.createAs(
        principal.tokenId,
        { id: createId(), name, hash: hashToken(secret), projects, expiresAt, quota },
        clock.now()
      )
      if (token === null) throw endedSince(principal)
      logger.info({ tokenId: token.id, by: principal.tokenId }, 'token created')
      return { token: withLimits(token), secret }
    },

    async revoke(principal, id, signal) {
      assertOperator(principal)
      if (id === principal.tokenId) {
        throw new InvalidFieldError('id', 'must not be the token of this request; use another one')
      }
      const outcome = isId(id) ? await tokens.revokeAs(principal.tokenId, id, clock.now()) : 'not active'
      if (outcome === 'not operator') throw endedSince(principal)
      if (outcome === 'revoked') logger.info({ tokenId: id, by: principal.tokenId }, 'token revoked')
      // Also for a token that another request has just revoked: gateways may still know it as valid.
      await sleep(limits.revokedTokenMs, undefined, { signal }).catch(() => {
        // The client has gone. The token is revoked nevertheless.
      })
      if (outcome === 'not active') throw new AppError('TOKEN_NOT_FOUND', `no active token ${id}`)
    }
  }
}
