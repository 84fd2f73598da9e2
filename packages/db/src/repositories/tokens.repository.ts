import { createBatcher } from '../batcher.js'
import type { Client } from '../client.js'
import type { Quota, TokenRecord } from '../records.js'
import type { RunStatement, Statement } from '../statements.js'
import { quotaColumns } from './quotas.repository.js'

export interface NewToken {
  id: string
  name: string
  hash: string
  projects: string[]
  expiresAt?: Date | null
  quota?: Quota
  isOperator?: boolean
}

export interface TokensRepository {
  create: (token: NewToken) => Promise<TokenRecord>
  findByHash: (hash: string) => Promise<TokenRecord | null>
  list: () => Promise<TokenRecord[]>
  /** Newest first, optionally after the token with this id. */
  page: (options: { after: string | null; limit: number }) => Promise<TokenRecord[]>
  /** False if there is no such active token. A token that was already revoked keeps its time. */
  revoke: (id: string, at: Date) => Promise<boolean>
}

/** Shared, because turns do not limit requests with unknown tokens. */
const findByHashes: Statement = {
  name: 'tokens-find-by-hashes',
  text: `
    SELECT id, name, hash, projects, created_at AS "createdAt", expires_at AS "expiresAt", revoked_at AS "revokedAt",
      is_operator AS "isOperator", ${quotaColumns} FROM tokens WHERE hash = ANY($1::text[])`
}

type PrismaToken = Omit<TokenRecord, keyof Quota> & { maxFiles: bigint | null; maxBytes: bigint | null }

const toRecord = ({ maxFiles, maxBytes, ...token }: PrismaToken): TokenRecord => ({
  ...token,
  maxFiles: toNumber(maxFiles),
  maxBytes: toNumber(maxBytes)
})

const toNumber = (value: bigint | null): number | null => (value === null ? null : Number(value))

export function createTokensRepository(client: Client, run: RunStatement): TokensRepository {
  return {
    create: async ({ id, name, hash, projects, expiresAt = null, quota = {}, isOperator = false }) =>
      toRecord(
        await client.token.create({ data: { id, name, hash, projects, expiresAt, isOperator, ...quota } })
      ),

    findByHash: createBatcher(async (hashes: string[]) => {
      const rows = await run<TokenRecord>(findByHashes, [hashes])
      const byHash = new Map(rows.map((row) => [row.hash, row]))
      return hashes.map((hash) => byHash.get(hash) ?? null)
    }),

    list: async () =>
      (await client.token.findMany({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] })).map(toRecord),

    page: async ({ after, limit }) => {
      const rows = await client.token.findMany({
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take: limit,
        ...(after === null ? {} : { cursor: { id: after }, skip: 1 })
      })
      return rows.map(toRecord)
    },

    revoke: async (id, at) => {
      const { count } = await client.token.updateMany({
        where: { id, revokedAt: null },
        data: { revokedAt: at }
      })
      return count === 1
    }
  }
}
