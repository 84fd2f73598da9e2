import { Prisma } from '../client.js'
import type { RefusedUpload } from './files.queries.js'

/** The holder of a key: one attempt of its request. */
export interface KeyHolder {
  tokenId: string
  key: string
  /** For an upload, the file's id. */
  attemptId: string
}

export interface KeyClaim extends KeyHolder {
  route: string
  /** Null if the content of the request is not known yet. */
  fingerprint: string | null
  now: Date
  leaseExpiresAt: Date
  expiresAt: Date
}

/** The result that the key returns from now on. */
export interface KeyCompletion {
  fingerprint: string
  answer: string
}

export const heldBy = ({ tokenId, key, attemptId }: KeyHolder): Prisma.Sql =>
  Prisma.sql`token_id = ${tokenId} AND key = ${key} AND attempt_id = ${attemptId}`

/**
 * Claims a key that is new, expired, or abandoned by an attempt whose lease has expired. One statement with
 * one winner; otherwise it returns no row.
 */
export function claimQuery({
  tokenId,
  key,
  attemptId,
  route,
  fingerprint,
  now,
  leaseExpiresAt,
  expiresAt
}: KeyClaim): Prisma.Sql {
  return Prisma.sql`
    INSERT INTO idempotency_keys AS held (token_id, key, route, fingerprint, attempt_id, lease_expires_at, expires_at)
    VALUES (${tokenId}, ${key}, ${route}, ${fingerprint}, ${attemptId}, ${leaseExpiresAt}, ${expiresAt})
    ON CONFLICT (token_id, key) DO UPDATE SET route = EXCLUDED.route, fingerprint = EXCLUDED.fingerprint, attempt_id = EXCLUDED.attempt_id,
      lease_expires_at = EXCLUDED.lease_expires_at, answer = NULL, replayed = false, expires_at = EXCLUDED.expires_at
    WHERE held.expires_at <= ${now} OR (held.answer IS NULL AND held.lease_expires_at <= ${now})
    RETURNING 1`
}

/**
 * Withdraws the file of a failed attempt, whatever its state, and frees its key: both or neither. A file
 * whose response was returned to a retry stays, because a client relies on it.
 */
export function withdrawQuery(id: string, holder: KeyHolder, refusal?: RefusedUpload): Prisma.Sql {
  return Prisma.sql`
    WITH held AS (SELECT replayed FROM idempotency_keys WHERE ${heldBy(holder)} FOR UPDATE),
    freed AS (DELETE FROM idempotency_keys WHERE ${heldBy(holder)} AND EXISTS (SELECT 1 FROM held WHERE NOT replayed))
    UPDATE files SET state = 'abandoned', lease_expires_at = NULL, rejection = ${refusal?.rejection ?? null},
      project_id = coalesce(project_id, ${refusal?.projectId ?? null}),
      name = coalesce(nullif(name, ''), ${refusal?.name ?? null}, '')
    WHERE id = ${id} AND state IN ('pending', 'scanning', 'ready', 'trashed') AND NOT EXISTS (SELECT 1 FROM held WHERE replayed)`
}
