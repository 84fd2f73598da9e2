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

    findByHash: async (hash) => (await run<TokenRecord>(findByHash, [hash]))[0] ?? null,

    list: async () => await client.token.findMany({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] }),

    revoke: async (id, at) => {
      const { count } = await client.token.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: at } })
      return count === 1
    }
  }
}
