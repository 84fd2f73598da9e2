import type { Client, Prisma } from '../client.js'
import type { Turns } from '../turns.js'
import { claimQuery, type KeyClaim, type KeyCompletion, type KeyHolder } from './idempotency.queries.js'

export interface IdempotencyRecord {
  attemptId: string
  route: string
  fingerprint: string | null
  /** Null while the request is running. */
  answer: string | null
}

export interface IdempotencyRepository {
  /** False when another request holds the key, or has finished. */
  claim: (claim: KeyClaim) => Promise<boolean>
  find: (tokenId: string, key: string) => Promise<IdempotencyRecord | null>
  /** False when the key no longer belongs to the holder. */
  renew: (holder: KeyHolder, leaseExpiresAt: Date) => Promise<boolean>
  /** False when the key no longer belongs to the holder: its response must not be sent. */
  complete: (holder: KeyHolder, completion: KeyCompletion) => Promise<boolean>
  /**
   * The response is returned again, and is final from now on. False when it was withdrawn in the meantime.
   */
  markReplayed: (holder: KeyHolder) => Promise<boolean>
  /** Releases the key of a failed attempt. */
  release: (holder: KeyHolder) => Promise<void>
  /** Returns the number of removed keys. */
  removeExpired: (now: Date, limit: number) => Promise<number>
}

export function createIdempotencyRepository(client: Client, turns: Turns): IdempotencyRepository {
  /** The holder's key, as long as the condition holds. */
  async function change(
    { tokenId, key, attemptId }: KeyHolder,
    answer: null | { not: null },
    data: Prisma.IdempotencyKeyUpdateManyMutationInput
  ): Promise<boolean> {
    const { count } = await turns.take(
      tokenId,
      async () => await client.idempotencyKey.updateMany({ where: { tokenId, key, attemptId, answer }, data })
    )
    return count === 1
  }

  return {
    claim: async (claim) => {
      const claimed = await turns.take(
        claim.tokenId,
        async () => await client.$queryRaw<unknown[]>(claimQuery(claim))
      )
      return claimed.length === 1
    },

    find: async (tokenId, key) =>
      await turns.take(
        tokenId,
        async () =>
          await client.idempotencyKey.findUnique({
            where: { tokenId_key: { tokenId, key } },
            select: { attemptId: true, route: true, fingerprint: true, answer: true }
          })
      ),

    renew: async (holder, leaseExpiresAt) => await change(holder, null, { leaseExpiresAt }),

    complete: async (holder, { fingerprint, answer }) => await change(holder, null, { fingerprint, answer }),

    markReplayed: async (holder) => await change(holder, { not: null }, { replayed: true }),

    release: async ({ tokenId, key, attemptId }) => {
      await turns.take(
        tokenId,
        async () =>
          await client.idempotencyKey.deleteMany({ where: { tokenId, key, attemptId, replayed: false } })
      )
    },

    removeExpired: async (now, limit) =>
      await client.$executeRaw`
      DELETE FROM idempotency_keys WHERE (token_id, key) IN (SELECT token_id, key FROM idempotency_keys WHERE expires_at <= ${now} LIMIT ${limit})`
  }
}
