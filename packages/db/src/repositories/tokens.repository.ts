import type { Client } from '../client.js'
import type { TokenRecord } from '../records.js'
import type { RunStatement, Statement } from '../statements.js'

export interface NewToken {
  id: string
  name: string
  hash: string
  projects: string[]
  expiresAt?: Date | null
}

export interface TokensRepository {
  create: (token: NewToken) => Promise<TokenRecord>
  /** Creates the token, or gives the one with this hash the new name, projects and expiry. A revoked token stays revoked. */
  ensure: (token: NewToken) => Promise<TokenRecord>
  findByHash: (hash: string) => Promise<TokenRecord | null>
  list: () => Promise<TokenRecord[]>
  /** False when there is no such live token; one already revoked keeps its time. */
  revoke: (id: string, at: Date) => Promise<boolean>
}

const findByHash: Statement = {
  name: 'tokens-find-by-hash',
  text: `
    SELECT id, name, hash, projects, created_at AS "createdAt", expires_at AS "expiresAt", revoked_at AS "revokedAt" FROM tokens WHERE hash = $1`
}

export function createTokensRepository (client: Client, run: RunStatement): TokensRepository {
  return {
    create: async ({ id, name, hash, projects, expiresAt = null }) => await client.token.create({ data: { id, name, hash, projects, expiresAt } }),

    ensure: async ({ id, name, hash, projects, expiresAt = null }) => await client.token.upsert({
      where: { hash },
      create: { id, name, hash, projects, expiresAt },
      update: { name, projects, expiresAt }
    }),

    findByHash: async (hash) => (await run<TokenRecord>(findByHash, [hash]))[0] ?? null,

    list: async () => await client.token.findMany({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] }),

    revoke: async (id, at) => {
      const { count } = await client.token.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: at } })
      return count === 1
    }
  }
}
