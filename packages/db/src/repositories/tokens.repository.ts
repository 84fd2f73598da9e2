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
  /**
   * Creates a token if the operator's own token is active at that moment: it may have been revoked since the request
   * began. Otherwise null.
   */
  createAs: (operatorId: string, token: NewToken, at: Date) => Promise<TokenRecord | null>
  /** The same for a revocation. Of two operators that revoke each other, one stays. */
  revokeAs: (operatorId: string, id: string, at: Date) => Promise<'revoked' | 'not active' | 'not operator'>
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
  const isActiveOperator = async (id: string, at: Date): Promise<boolean> =>
    (await client.token.count({
      where: { id, isOperator: true, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: at } }] }
    })) === 1

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
    },

    createAs: async (operatorId, { id, name, hash, projects, expiresAt = null, quota = {} }, at) => {
      const created = await client.$executeRaw`
        WITH operator AS (
          SELECT FROM tokens WHERE id = ${operatorId} AND is_operator AND revoked_at IS NULL
            AND (expires_at IS NULL OR expires_at > ${at}::timestamptz) FOR SHARE
        )
        INSERT INTO tokens (id, name, hash, projects, expires_at, max_files, max_bytes)
        SELECT ${id}, ${name}, ${hash}, ${projects}::text[], ${expiresAt}::timestamptz,
          ${quota.maxFiles ?? null}::bigint, ${quota.maxBytes ?? null}::bigint FROM operator`
      return created === 0 ? null : toRecord(await client.token.findUniqueOrThrow({ where: { id } }))
    },

    revokeAs: async (operatorId, id, at) => {
      // Both rows are locked in one order, so that two operators that revoke each other wait for each other.
      const revoked = await client.$executeRaw`
        WITH locked AS (
          SELECT id, is_operator, revoked_at, expires_at FROM tokens WHERE id IN (${operatorId}, ${id})
          ORDER BY id FOR UPDATE
        )
        UPDATE tokens SET revoked_at = ${at}::timestamptz WHERE id = ${id} AND revoked_at IS NULL AND EXISTS (
          SELECT FROM locked WHERE id = ${operatorId} AND is_operator AND revoked_at IS NULL
            AND (expires_at IS NULL OR expires_at > ${at}::timestamptz)
        )`
      if (revoked === 1) return 'revoked'
      return (await isActiveOperator(operatorId, at)) ? 'not active' : 'not operator'
    }
  }
}
